{{/* The pods of a role. They pass the restricted pod security standard. */}}
{{- define "arbiter.podSpec" -}}
{{- $values := .root.Values }}
{{- $own := get $values .role }}
serviceAccountName: {{ include "arbiter.serviceAccountName" .root }}
automountServiceAccountToken: false
enableServiceLinks: false
# The lame duck, the drain, and a margin. There is no preStop hook: the lame duck is the wait that such hooks are for.
terminationGracePeriodSeconds: {{ with $values.lifecycle }}{{ add .lameDuckSeconds .drainDeadlineSeconds .exitMarginSeconds }}{{ end }}
{{- with $values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- with $values.podSecurityContext }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  seccompProfile:
    type: RuntimeDefault
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    # Pods of an old version do not count: they are about to go.
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- include "arbiter.selectorLabels" $ | nindent 8 }}
  {{- end }}
{{- range $key := list "nodeSelector" "tolerations" "affinity" }}
{{- with get $own $key }}
{{ $key }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
containers:
  {{- include "arbiter.container" . | nindent 2 }}
{{- with include "arbiter.volumes" $values | trim }}
volumes:
  {{- . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "arbiter.container" -}}
- name: arbiter
  image: {{ include "arbiter.image" .root | quote }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  env:
    {{- include "arbiter.env" . | trim | nindent 4 }}
  ports:
    - name: grpc
      containerPort: 50051
    - name: health
      containerPort: 50052
    - name: metrics
      containerPort: 9464
  # Probes ask a port of their own: it knows no TLS, and is not full when the other one is.
  startupProbe:
    grpc:
      port: 50052
    periodSeconds: 1
    timeoutSeconds: 5
    failureThreshold: 30
  # The server as a whole: only a process that answers nothing any more is started again.
  livenessProbe:
    grpc:
      port: 50052
    periodSeconds: 10
    timeoutSeconds: 5
    failureThreshold: 3
  # The service: a pod that is about to end gets no more calls.
  readinessProbe:
    grpc:
      port: 50052
      service: arbiter.v1.ArbiterService
    periodSeconds: 5
    timeoutSeconds: 2
    failureThreshold: 2
  resources:
    {{- toYaml (get .root.Values .role).resources | nindent 4 }}
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities:
      drop: [ALL]
  {{- with include "arbiter.volumeMounts" .root.Values | trim }}
  volumeMounts:
    {{- . | nindent 4 }}
  {{- end }}
{{- end }}
