{{/* The text of a setting. YAML takes `on` and `off` for truth values, and numbers for fractions. */}}
{{- define "arbiter.setting" -}}
{{- if kindIs "bool" . }}{{ ternary "on" "off" . }}
{{- else if kindIs "slice" . }}{{ join "," . }}
{{- else if and (kindIs "float64" .) (eq (floor .) .) }}{{ int64 . }}
{{- else }}{{ . }}{{ end }}
{{- end }}

{{/* The variables of the container. Settings are here and in no file, so that a change of one starts new pods. */}}
{{- define "arbiter.env" -}}
{{- $values := .root.Values }}
{{- $address := $values.listenAddress }}
- name: ARBITER_SERVE
  value: {{ .role }}
- name: ARBITER_LISTEN
  value: {{ printf "%s:50051" $address | quote }}
- name: ARBITER_HEALTH_LISTEN
  value: {{ printf "%s:50052" $address | quote }}
- name: ARBITER_ADMIN_LISTEN
  value: {{ printf "%s:9464" $address | quote }}
- name: ARBITER_LAME_DUCK
  value: {{ $values.lifecycle.lameDuckSeconds | int }}s
- name: ARBITER_DRAIN_DEADLINE
  value: {{ $values.lifecycle.drainDeadlineSeconds | int }}s
- name: ARBITER_WORKERS
  value: {{ include "arbiter.cores" . | quote }}
# Threads that answer short questions.
- name: TOKIO_WORKER_THREADS
  value: {{ include "arbiter.cores" . | quote }}
{{- if ne .role "rules" }}
- name: ARBITER_SEARCH_SLOTS
  value: {{ include "arbiter.searchSlots" . | quote }}
{{- end }}
{{- with include "arbiter.maxInFlight" . }}
- name: ARBITER_MAX_IN_FLIGHT
  value: {{ . | quote }}
{{- end }}
{{- /* By hand, since `merge` takes a false or a 0 for nothing. */}}
{{- $settings := dict }}
{{- range $some := list $values.settings (get $values .role).settings }}
{{- range $key, $value := $some }}{{ $_ := set $settings $key $value }}{{ end }}
{{- end }}
{{- range $key, $value := $settings }}
- name: ARBITER_{{ upper $key }}
  value: {{ include "arbiter.setting" $value | quote }}
{{- end }}
{{- include "arbiter.fileEnv" $values }}
{{- with $values.telemetry.otlpEndpoint }}
- name: ARBITER_OTLP_ENDPOINT
  value: {{ . | quote }}
{{- include "arbiter.resourceEnv" $ }}
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Where the files of Secrets are. Takes the values. */}}
{{- define "arbiter.fileEnv" -}}
{{- if .tls.secretName }}
- name: ARBITER_TLS_CERT
  value: /etc/arbiter/tls/tls.crt
- name: ARBITER_TLS_KEY
  value: /etc/arbiter/tls/tls.key
{{- end }}
{{- if .tls.clientCaSecretName }}
- name: ARBITER_TLS_CLIENT_CA
  value: /etc/arbiter/client-ca/{{ .tls.clientCaKey }}
{{- end }}
{{- if .tokens.secretName }}
- name: ARBITER_TOKEN_HASHES_FILE
  value: /etc/arbiter/tokens/{{ .tokens.key }}
{{- end }}
{{- if or .tls.secretName .tokens.secretName }}
- name: ARBITER_RELOAD_INTERVAL
  value: {{ .reloadInterval }}
{{- end }}
{{- end }}

{{/* Who sends spans and metrics, in the words of OpenTelemetry. */}}
{{- define "arbiter.resourceEnv" }}
- name: POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: POD_UID
  valueFrom:
    fieldRef:
      fieldPath: metadata.uid
- name: POD_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
- name: NODE_NAME
  valueFrom:
    fieldRef:
      fieldPath: spec.nodeName
- name: OTEL_RESOURCE_ATTRIBUTES
  value: service.instance.id=$(POD_UID),k8s.pod.name=$(POD_NAME),k8s.namespace.name=$(POD_NAMESPACE),k8s.node.name=$(NODE_NAME)
{{- end }}

{{/* The Secrets as folders: a single file out of one (subPath) would never change. Takes the values. */}}
{{- define "arbiter.volumeMounts" -}}
{{- if .tls.secretName }}
- name: tls
  mountPath: /etc/arbiter/tls
  readOnly: true
{{- end }}
{{- if .tls.clientCaSecretName }}
- name: client-ca
  mountPath: /etc/arbiter/client-ca
  readOnly: true
{{- end }}
{{- if .tokens.secretName }}
- name: tokens
  mountPath: /etc/arbiter/tokens
  readOnly: true
{{- end }}
{{- end }}

{{- define "arbiter.volumes" -}}
{{- with .tls.secretName }}
- name: tls
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- if .tls.clientCaSecretName }}
- name: client-ca
  secret:
    secretName: {{ .tls.clientCaSecretName }}
    defaultMode: 0440
    # The Secret may have a key besides, which nobody here needs.
    items:
      - key: {{ .tls.clientCaKey }}
        path: {{ .tls.clientCaKey }}
{{- end }}
{{- with .tokens.secretName }}
- name: tokens
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- end }}
