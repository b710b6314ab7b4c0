{{/* What follows from the resources of a role: threads, search slots, calls at once, the aim of the autoscaler. */}}

{{/* A quantity of processors in thousandths. */}}
{{- define "arbiter.millicores" -}}
{{- $quantity := toString . }}
{{- if hasSuffix "m" $quantity }}
{{- trimSuffix "m" $quantity | int }}
{{- else }}
{{- mulf (float64 $quantity) 1000.0 | int }}
{{- end }}
{{- end }}

{{/* A quantity of memory in MiB; the schema lets no other units through. */}}
{{- define "arbiter.mebibytes" -}}
{{- if hasSuffix "Gi" . }}
{{- trimSuffix "Gi" . | int | mul 1024 }}
{{- else }}
{{- trimSuffix "Mi" . | int }}
{{- end }}
{{- end }}

{{/* The thousandths of cores that a role may count on. */}}
{{- define "arbiter.cpu" -}}
{{- $resources := (get .root.Values .role).resources }}
{{- include "arbiter.millicores" (dig "limits" "cpu" $resources.requests.cpu $resources) }}
{{- end }}

{{/* Whole cores, at least one. Without this, the server would count those of the node. */}}
{{- define "arbiter.cores" -}}
{{- max 1 (div (include "arbiter.cpu" . | int) 1000) }}
{{- end }}

{{- define "arbiter.searchSlots" -}}
{{- if eq .role "rules" }}0
{{- else }}
{{- $chosen := (get .root.Values .role).searchSlots | int }}
{{- if $chosen }}{{ $chosen }}{{ else }}{{ max 1 (sub (include "arbiter.cores" . | int) 1) }}{{ end }}
{{- end }}
{{- end }}

{{/*
Calls at once, or nothing where memory has no limit and none were chosen. A search holds up to 256 MiB for its table and 32
MiB of stack; a call up to 2 MiB, and as many searches may be open as other calls.
*/}}
{{- define "arbiter.maxInFlight" -}}
{{- $values := get .root.Values .role }}
{{- $limit := dig "limits" "memory" "" $values.resources }}
{{- if $limit }}
{{- $slots := include "arbiter.searchSlots" . | int }}
{{- $own := add 128 (mul 304 $slots) }}
{{- $fit := div (sub (include "arbiter.mebibytes" $limit | int) $own) 4 | int }}
{{- $needed := default 16 $values.maxInFlight | int }}
{{- if lt $fit $needed }}
{{- fail (printf "%s.resources.limits.memory: %s is too little for %d search slots and %d calls at once, which need %dMi" .role $limit $slots $needed (add $own (mul 4 $needed))) }}
{{- end }}
{{- default (min 4096 $fit) $values.maxInFlight }}
{{- else if $values.maxInFlight }}
{{- $values.maxInFlight }}
{{- end }}
{{- end }}

{{/*
The autoscaler's aim in percent of what is reserved. Searches keep their slots busy and no more: two cores with one slot
never come to more than half.
*/}}
{{- define "arbiter.targetCPU" -}}
{{- $values := get .root.Values .role }}
{{- $chosen := $values.autoscaling.targetCPUUtilizationPercentage | int }}
{{- $slots := include "arbiter.searchSlots" . | int }}
{{- $reserved := include "arbiter.millicores" $values.resources.requests.cpu | int }}
{{- if $chosen }}{{ $chosen }}
{{- else if $slots }}{{ max 1 (div (mul 70000 $slots) $reserved) }}
{{- else }}70{{ end }}
{{- end }}
