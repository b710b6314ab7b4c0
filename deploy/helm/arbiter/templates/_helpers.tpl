{{/* What all objects are called. */}}
{{- define "arbiter.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "arbiter.fullname" -}}
{{- $name := include "arbiter.name" . }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 45 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 45 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* The roles that the mode has, as words divided by blanks. */}}
{{- define "arbiter.roles" -}}
{{- ternary "rules search" "all" (eq .Values.mode "split") }}
{{- end }}

{{/*
What the objects of one role are called. Takes, as all of the following, a dictionary with `root`, the chart's context,
and `role`.
*/}}
{{- define "arbiter.roleName" -}}
{{- $name := include "arbiter.fullname" .root }}
{{- if eq .role "all" }}{{ $name }}{{ else }}{{ printf "%s-%s" $name .role }}{{ end }}
{{- end }}

{{- define "arbiter.selectorLabels" -}}
app.kubernetes.io/name: {{ include "arbiter.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .role }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "arbiter.labels" -}}
{{ include "arbiter.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: arbiter
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "arbiter.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "arbiter.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "arbiter.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ printf "%s@%s" .repository .digest }}
{{- else }}{{ printf "%s:%s" .repository (default $.Chart.AppVersion .tag) }}{{ end }}
{{- end }}
{{- end }}

{{/* What speaks on the port of gRPC. `https` leaves it to the handshake to choose HTTP/2; no name says both. */}}
{{- define "arbiter.appProtocol" -}}
{{- default (ternary "https" "kubernetes.io/h2c" (not (empty .Values.tls.secretName))) .Values.service.appProtocol }}
{{- end }}
