{{- define "weir.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "weir.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains (include "weir.name" .) .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "weir.name" .) | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "weir.selector" -}}
app.kubernetes.io/name: {{ include "weir.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "weir.labels" -}}
{{ include "weir.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "weir.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "weir.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "weir.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{- /* How long a pod may take to end: notice, drain, and what weir needs to write its last events. */}}
{{- define "weir.grace" -}}
{{- $seconds := 25 }}
{{- range tuple (.Values.config.drain | default "30s") (.Values.config.drain_notice | default "0s") }}
{{- if regexMatch "^[0-9]+s$" . }}{{ $seconds = add $seconds (trimSuffix "s" . | int) }}
{{- else if regexMatch "^[0-9]+m$" . }}{{ $seconds = add $seconds (mul 60 (trimSuffix "m" . | int)) }}
{{- else }}{{ fail (printf "config.drain and config.drain_notice must be whole seconds or minutes, such as 60s or 2m, not %s" .) }}{{ end }}
{{- end }}
{{- $seconds }}
{{- end }}

{{- define "weir.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "weir.security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "weir.container" -}}
name: weir
image: {{ include "weir.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
args: [serve, --config, /etc/weir/weir.yaml]
env:
  - name: POD_NAME
    valueFrom: {fieldRef: {fieldPath: metadata.name}}
  {{- with .Values.env }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .Values.secrets.env }}
envFrom:
  - secretRef: {name: {{ . }}}
{{- end }}
resources: {{- toYaml .Values.resources | nindent 2 }}
securityContext: {{- include "weir.security" . | nindent 2 }}
volumeMounts:
  - {name: state, mountPath: /home/weir}
  - {name: tmp, mountPath: /tmp}
  - {name: config, mountPath: /etc/weir, readOnly: true}
  {{- if .Values.secrets.clients }}
  - {name: clients, mountPath: /etc/weir-clients, readOnly: true}
  {{- end }}
  {{- if .Values.secrets.audit }}
  - {name: audit, mountPath: /etc/weir-audit, readOnly: true}
  {{- end }}
  {{- if .Values.secrets.tls }}
  - {name: tls, mountPath: /etc/weir-tls, readOnly: true}
  {{- end }}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "weir.probes" -}}
{{- $scheme := ternary "HTTPS" "HTTP" (hasKey .Values.config "tls") }}
startupProbe:
  httpGet: {path: /readyz, port: weir, scheme: {{ $scheme }}}
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  httpGet: {path: /readyz, port: weir, scheme: {{ $scheme }}}
  periodSeconds: 2
  timeoutSeconds: 4
  failureThreshold: 1
livenessProbe:
  httpGet: {path: /healthz, port: weir, scheme: {{ $scheme }}}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{- define "weir.volumes" -}}
- {name: tmp, emptyDir: {}}
- name: config
  configMap: {name: {{ include "weir.fullname" . }}}
{{- with .Values.secrets.clients }}
- name: clients
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- with .Values.secrets.audit }}
- name: audit
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- with .Values.secrets.tls }}
- name: tls
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- with .Values.extraVolumes }}
{{- toYaml . | nindent 0 }}
{{- end }}
{{- end }}

{{- define "weir.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.topologySpreadConstraints }}
topologySpreadConstraints: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
