/**
 * Faults of fields as release 1.13 told them: other texts, other fields, values as Go writes them. Mirrors its pkg/apis (validation).
 */
import { goSyntaxOf, goSyntaxOfQuantity } from '../../../apimachinery/go-syntax.ts';
import { goUnquote } from '../../../apimachinery/quote.ts';
import type { JsonValue } from '../../../base/json.ts';
import { laterRules } from './later-faults.ts';
import { podChange } from './pod-changes.ts';
import { internalTypes } from '../internal-types.gen.ts';

/** One cause of an Invalid status. `text` begins with the kind of fault: `Invalid value: 0: must be positive`. */
export interface Fault {
  readonly field: string;
  readonly text: string;
  readonly reason?: string;
}

/** Whether they say the same of the same field. */
export function isSame(a: Fault, b: Fault | undefined): boolean {
  return a.field === b?.field && a.text === b.text;
}

/** What one fault becomes: itself in other words, several, or none. */
type Change = (fault: Fault, found: RegExpExecArray | undefined) => readonly Fault[];

/** Which faults it is about. */
export interface Rule {
  /** The kind of the object; absent: any. */
  readonly kind?: string;
  readonly field?: RegExp;
  readonly text?: string | RegExp;
  /** A gate with which it is as now. */
  readonly unless?: string;
  /** The Go type of the value that is shown. */
  readonly shows?: string;
  readonly becomes?: Change;
}

const label = "a DNS-1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
export const subdomainForm = String.raw`a DNS-1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`;
const labelForm = "(e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/** Another text of the same fault. */
const saying =
  (text: string): Change =>
  (fault) => [{ ...fault, text }];

/** Another field. */
const at = (now: RegExp, then: string): Rule => ({ field: now, becomes: (fault) => [{ ...fault, field: fault.field.replace(now, then) }] });

/** In order: each sees what those before it have made. */
const rules: readonly Rule[] = [
  // Values.
  { field: /^\[\]$/, text: /: validation failure list:\n/, shows: 'interface {}' },
  { text: /`selector` does not match template `labels`$/, shows: 'map[string]string' },
  { field: /^spec\.strategy$/, text: /^Unsupported value: /, shows: 'apps.DeploymentStrategy' },
  {
    kind: 'StatefulSet',
    field: /^spec\.updateStrategy\.rollingUpdate$/,
    text: /: only allowed for updateStrategy /,
    shows: 'apps.RollingUpdateStatefulSetStrategy',
  },
  { kind: 'StatefulSet', field: /^spec\.updateStrategy$/, text: /^Invalid value: /, shows: 'apps.StatefulSetUpdateStrategy' },
  {
    field: /\.(?:maxUnavailable|maxSurge|minAvailable)$/,
    text: /^Invalid value: (?!intstr)(?!-?\d+: must be greater than or equal to 0$)/,
    shows: 'intstr.IntOrString',
  },
  // Of nothing it shows no selector.
  { field: /elector$/, text: /^Invalid value: \{.*(?:field is immutable|not auto-generated|invalid label selector)$/, shows: 'v1.LabelSelector' },
  { kind: 'StatefulSet', field: /^spec\.selector$/, text: /^Invalid value: \{.*\}$/, shows: 'v1.LabelSelector' },
  { kind: 'VolumeAttachment', field: /^spec$/, text: /: field is immutable$/, shows: 'storage.VolumeAttachmentSpec' },
  {
    field: /^metadata$/,
    text: /: must be empty except for namespace$/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/"namespace":"[^"]*",?/, '').replace(',}', '}') }],
  },
  { field: /^metadata$/, text: /: must be empty(?: except for namespace)?$/, shows: 'v1.ObjectMeta' },
  { field: /^spec\.nonResourceAttributes$/, text: /^Invalid value: \{/, shows: 'authorization.NonResourceAttributes' },
  { kind: 'DaemonSet', field: /^spec\.updateStrategy$/, text: /^Unsupported value: /, shows: 'apps.DaemonSetUpdateStrategy' },
  { field: /maxLimitRequestRatio\[/, text: /: ratio \S+ is less than 1$/, shows: 'resource.Quantity' },
  {
    field: /^metadata\.resourceVersion$/,
    text: 'Invalid value: 0: must be specified for an update',
    becomes: saying('Invalid value: 0x0: must be specified for an update'),
  },
  { field: /\.securityContext$/, text: /cannot set `allowPrivilegeEscalation` to false/, shows: 'core.SecurityContext' },
  { kind: 'Service', field: /^spec\.ports\[\d+\]$/, text: /^Duplicate value: /, shows: 'core.ServicePort' },
  { kind: 'Node', field: /^metadata\.taints\[\d+\]$/, text: /^Duplicate value: /, shows: 'core.Taint' },
  { kind: 'PodDisruptionBudget', field: /^spec$/, text: /^Invalid value: /, shows: 'policy.PodDisruptionBudgetSpec' },
  { field: /\[[^\]]+\]$/, text: /: must be an integer$| value .* is (?:greater|less) than /, shows: 'resource.Quantity' },
  { field: /averageValue$|\.value$/, text: /: must be positive$/, shows: 'resource.Quantity' },
  { kind: 'PersistentVolume', field: /^spec\.capacity$/, text: /^Unsupported value: /, shows: 'core.ResourceList' },
  {
    kind: 'ResourceQuota',
    field: /^spec\.scopes\[\d+\]$/,
    text: /^Unsupported value: /,
    becomes: ({ text, ...fault }) => [
      { ...fault, field: 'spec.scopes', text: `Invalid value: []core.ResourceQuotaScope{${/"[^"]*"/.exec(text)?.[0] ?? ''}}: unsupported scope` },
    ],
  },
  { kind: 'ResourceQuota', field: /^spec\.scopes$/, text: /^Invalid value: /, shows: '[]core.ResourceQuotaScope' },
  { field: /nonResourceURLs$|\.(?:apiVersions|resources|apiGroups)$/, text: /^Invalid value: \[/, shows: '[]string' },
  { field: /^roleRef$/, text: /: cannot change roleRef$/, shows: 'rbac.RoleRef' },
  { kind: 'CertificateSigningRequest', field: /^spec\.request$/, text: /^Invalid value: /, shows: '[]byte' },
  { field: /\.operations$/, text: /^Invalid value: \[/, shows: '[]admissionregistration.OperationType' },
  { kind: 'CustomResourceDefinition', field: /^spec\.versions$/, text: /^Invalid value: /, shows: '[]apiextensions.CustomResourceDefinitionVersion' },
  { kind: 'CustomResourceDefinition', field: /^status\.storedVersions$/, text: /: must have at least one stored version$/, shows: '[]string' },
  { kind: 'Ingress', field: /^spec$/, text: /^Invalid value: /, shows: '[]extensions.IngressRule' },
  { field: /^dryRun$/, text: /^Unsupported value: \[/, shows: '[]string' },
  {
    kind: 'ResourceQuota',
    field: /^spec\.scopeSelector\.matchExpressions\[\d+\]\.scopeName$/,
    text: /^Unsupported value: /,
    becomes: ({ text }) => [
      {
        field: 'spec.scopeSelector.matchExpressions.scopeName',
        text: text.replace(/^Unsupported value: ("[^"]*").*$/, 'Invalid value: $1: unsupported scope'),
        reason: 'FieldValueInvalid',
      },
    ],
  },
  // Objects of any kind.
  {
    field: /^metadata\.ownerReferences\.(kind|name|uid)$/,
    text: 'Invalid value: "": must not be empty',
    becomes: (fault, found) => [{ ...fault, text: `Invalid value: "": ${found?.[1] ?? ''} must not be empty` }],
  },
  // Dots in a label were no fault of their own.
  {
    text: /: must not contain dots$/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace('must not contain dots', `${label} ${labelForm}`) }],
  },
  // Pods and what makes them.
  { field: /\.subdomain$/, text: /^Invalid value: "[^".]*": a DNS-1123 label/, becomes: (fault) => [fault] },
  {
    field: /terminationMessagePolicy$/,
    text: /^Unsupported value: ("[^"]*")/,
    becomes: (fault) => [
      {
        ...fault,
        text: fault.text.replace(/^Unsupported value: ("[^"]*").*$/, "Invalid value: $1: must be 'File' or 'FallbackToLogsOnError'"),
        reason: 'FieldValueInvalid',
      },
    ],
  },
  {
    field: /\.name$/,
    text: /must have at most 253 characters and match regex/,
    becomes: (fault) => [
      { ...fault, text: fault.text.replace(/regex .*$/, String.raw`regex ([a-z0-9]([-_a-z0-9]*[a-z0-9])?\.)*[a-z0-9]([-_a-z0-9]*[a-z0-9])?`) },
    ],
  },
  {
    text: /^Forbidden: activeDeadlineSeconds in (?:ReplicaSet|ReplicationController) is not Supported$/,
    becomes: (fault) => [{ ...fault, text: 'Invalid value: 5: must not be specified', reason: 'FieldValueInvalid' }],
  },
  {
    field: /restartPolicy$/,
    text: 'Required value: valid values: "OnFailure", "Never"',
    becomes: (fault) => [{ ...fault, text: 'Unsupported value: "Always": supported values: "OnFailure", "Never"', reason: 'FieldValueNotSupported' }],
  },
  { field: /manualSelector$/, text: /^Unsupported value: true/, becomes: saying('Unsupported value: true: supported values: "nil", "false"') },
  { ...at(/(hostAliases)\[\d+\]\.(ip|hostnames)(?:\[\d+\])?$/, '$1.$2') },
  {
    field: /dnsConfig\.nameservers\[\d+\]$|hostAliases\.ip$/,
    text: /: must be a valid IP address, /,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/: must be a valid IP address, .*$/, ': must be valid IP address') }],
  },
  {
    field: /dnsConfig\.searches\[\d+\]$/,
    text: /regex used for validation is '_\?/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/a (?:DNS-1123|lowercase RFC 1123) subdomain must consist of .*$/, subdomainForm) }],
  },
  {
    field: /tolerations\[\d+\]\.operator$/,
    text: /^Unsupported value: /,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(', "Lt", "Gt"', '').replace(', "Gt", "Lt"', '') }],
  },
  { text: /`fileKeyRef`/, becomes: (fault) => [{ ...fault, text: fault.text.replace(/`fileKeyRef`, |, `fileKeyRef`/, '') }] },
  {
    kind: 'Pod',
    field: /^spec$/,
    text: /^Forbidden: pod updates may not change fields other than /,
    becomes: (fault) => [{ ...fault, text: podChange(fault.text) }],
  },
  // Nodes.
  { kind: 'Node', ...at(/^spec\.podCIDRs\[\d+\]$/, 'spec.podCIDR') },
  // Classes.
  { kind: 'PriorityClass', field: /^value$/, text: /may not be changed in an update/, becomes: (fault) => [{ ...fault, field: 'Value' }] },
  {
    kind: 'StorageClass',
    field: /^(provisioner|parameters|reclaimPolicy)$/,
    text: /: field is immutable$/,
    becomes: (fault, found) => [{ ...fault, text: `Forbidden: updates to ${found?.[1] ?? ''} are forbidden.`, reason: 'FieldValueForbidden' }],
  },
  // Services.
  {
    kind: 'Service',
    field: /^spec\.clusterIPs$/,
    text: /^Invalid value: \["([^"]*)"\]: failed to allocate IP \S+: (.*)$/,
    becomes: (fault) => [{ ...fault, field: 'spec.clusterIP', text: addressText(fault.text) }],
  },
  {
    kind: 'Service',
    field: /^spec\.clusterIPs\[0\]$/,
    text: /: may not change once set$/,
    becomes: (fault) => [{ ...fault, field: 'spec.clusterIP', text: fault.text.replace(/\["([^"]*)"\]: may not change once set$/, '"$1": field is immutable') }], // biome-ignore format: one line
  },
  {
    kind: 'Service',
    field: /^spec\.clusterIPs\[0\]$/,
    text: /: must be a valid IP address, /,
    becomes: (fault) => [
      {
        ...fault,
        field: 'spec.clusterIP',
        text: fault.text.replace(/: must be a valid IP address, .*$/, ": must be empty, 'None', or a valid IP address"),
      },
    ],
  },
  {
    kind: 'Service',
    field: /^spec\.LoadBalancerSourceRanges\[\d+\]$/,
    text: /: must be a valid CIDR value, /,
    becomes: (fault) => [
      {
        ...fault,
        field: 'spec.LoadBalancerSourceRanges',
        text: fault.text.replace(
          /^Invalid value: "(.*)": must be a valid CIDR value, .*$/,
          'Invalid value: "[$1]": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
        ),
      },
    ],
  },
  {
    field: /loadBalancer\.ingress\[\d+\]\.ip$/,
    text: /: must be a valid IP address, /,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/(: must be a valid IP address), .*$/, '$1') }],
  },
  { text: / or 2001:db8::ffff\)$/, becomes: (fault) => [{ ...fault, text: fault.text.replace(' or 2001:db8::ffff)', ')') }] },
  {
    kind: 'Service',
    field: /^spec\.externalTrafficPolicy$/,
    text: /^Unsupported value: ("[^"]*")/,
    becomes: (fault) => [
      {
        ...fault,
        text: fault.text.replace(/^Unsupported value: ("[^"]*").*$/, 'Invalid value: $1: ExternalTrafficPolicy must be empty, Cluster or Local'),
        reason: 'FieldValueInvalid',
      },
    ],
  },
  { kind: 'PodSecurityPolicy', field: /^spec\.runAsGroup\.ranges$/, text: /^Invalid value: /, shows: '[]policy.IDRange' },
  // Networks.
  {
    unless: 'SCTPSupport',
    text: /supported values: "TCP", "UDP", "SCTP"$/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(', "SCTP"', '') }],
  },
  {
    text: /must be a valid CIDR value, .*$/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/must be a valid CIDR value, .*$/, 'not a valid CIDR') }],
  },
  {
    kind: 'Ingress',
    text: /either `defaultBackend` or/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace('`defaultBackend`', '`backend`') }],
  },
  { kind: 'Ingress', ...at(/^spec\.defaultBackend/, 'spec.backend') },
  { kind: 'Ingress', ...at(/ackend\.service\.name$/, 'ackend.serviceName') },
  { kind: 'Ingress', ...at(/ackend\.service\.port(?:\.name|\.number)?$/, 'ackend.servicePort') },
  // It counted hosts where it names entries.
  { kind: 'Ingress', ...at(/tls\[\d+\]\.hosts(\[\d+\])$/, 'tls$1.hosts') },
  // Of an address it showed the text itself.
  {
    field: /clientConfig\.url$/,
    text: /^Required value: url must be a valid URL: parse ("(?:[^"\\]|\\.)*"): /,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/(?<=: parse )"(?:[^"\\]|\\.)*"(?=: )/, goUnquote) }],
  },
  // Autoscalers.
  {
    kind: 'HorizontalPodAutoscaler',
    field: /^spec\.maxReplicas$/,
    text: /^Required value: must be set/,
    becomes: (fault) => [{ ...fault, text: 'Invalid value: 0: must be greater than 0', reason: 'FieldValueInvalid' }],
  },
  {
    kind: 'HorizontalPodAutoscaler',
    field: /^spec\.minReplicas$/,
    text: /must be greater than or equal to 1$/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace('or equal to 1', '0').replace('than 0', 'than 0') }],
  },
  {
    kind: 'HorizontalPodAutoscaler',
    field: /^(spec\.metrics\[\d+\])\.type$/,
    text: /^Unsupported value: "/,
    becomes: (fault, found) => {
      const given = goUnquote(/^Unsupported value: ("(?:[^"\\]|\\.)*")/.exec(fault.text)?.[1] ?? '""');
      const missing = { field: `${found?.[1] ?? ''}.${given.toLowerCase()}`, reason: 'FieldValueRequired' };
      return [
        { ...fault, text: fault.text.replace('"ContainerResource", ', '') },
        { ...missing, text: 'Required value: must populate information for the given metric source' },
      ];
    },
  },
  // Volumes.
  { kind: 'PersistentVolume', field: /^spec\.accessModes$/, text: /^Required value: at least/, becomes: saying('Required value') },
  { field: /accessModes$/, text: 'Forbidden: may not use ReadWriteOncePod with other access modes', becomes: () => [] },
  { field: /accessModes$/, text: /, "ReadWriteOncePod"$/, becomes: (fault) => [{ ...fault, text: fault.text.replace(', "ReadWriteOncePod"', '') }] },
  {
    kind: 'PersistentVolume',
    field: /^spec\.capacity$/,
    text: 'Required value',
    becomes: (fault) => [
      fault,
      { ...fault, text: 'Unsupported value: core.ResourceList(nil): supported values: "storage"', reason: 'FieldValueNotSupported' },
    ],
  },
  {
    kind: 'PersistentVolumeClaim',
    field: /^spec$/,
    text: /^Forbidden: spec is immutable after creation/,
    becomes: saying('Forbidden: is immutable after creation except resources.requests for bound claims'),
  },
  { kind: 'VolumeAttachment', field: /^spec\.source$/, text: /^Required value: must specify/, becomes: saying('Required value') },
  // Others.
  { kind: 'Secret', ...at(/^data\[(username|password|ssh-privatekey)\]$/, 'data[%s][$1]') },
  {
    kind: 'Lease',
    field: /^spec\.leaseTransitions$/,
    text: /^Invalid value: (-?\d+): must be/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace('must be greater than or equal to 0', 'must to greater or equal than 0') }],
  },
  {
    text: /^Invalid value: null: /,
    becomes: (fault) => [{ ...fault, text: fault.text.replace('null', '"null"') }],
  },
];

/** The faults of an object in words of 1.13. */
export function retoldFaults(kind: string, faults: readonly Fault[], featureEnabled: (gate: string) => boolean): readonly Fault[] {
  const inForce = [...rules, ...laterRules].filter(({ unless }) => unless === undefined || !featureEnabled(unless));
  const told = inForce.reduce<readonly Fault[]>((before, rule) => before.flatMap((fault) => applied(rule, kind, fault)), faults);
  // What is refused for nothing else is refused all the same.
  return told.length === 0 ? faults : told;
}

function applied(rule: Rule, kind: string, fault: Fault): readonly Fault[] {
  const { field, text, shows, becomes } = rule;
  if (rule.kind !== undefined && rule.kind !== kind) return [fault];
  const found = field?.exec(fault.field) ?? undefined;
  if (field !== undefined && found === undefined) return [fault];
  if (typeof text === 'string' ? fault.text !== text : text?.test(fault.text) === false) return [fault];
  const shown = shows === undefined ? fault : { ...fault, text: showing(fault.text, shows) };
  return becomes === undefined ? [shown] : becomes(shown, found);
}

/** The value that stands in JSON behind the name of the fault, in Go. */
function showing(text: string, type: string): string {
  const start = text.indexOf(': ') + 2;
  const end = endOfJson(text, start);
  if (end === undefined) return text;
  try {
    const value = JSON.parse(text.slice(start, end)) as JsonValue;
    // An amount that was sent as a number is one all the same.
    const isAmount = type === 'resource.Quantity' && (typeof value === 'number' || (typeof value === 'string' && value !== ''));
    return text.slice(0, start) + (isAmount ? goSyntaxOfQuantity(String(value)) : goSyntaxOf(internalTypes, type, value)) + text.slice(end);
  } catch {
    // It is in Go's form already.
    return text;
  }
}

function endOfJson(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const character = text.charAt(i);
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (depth === 0 && character === ':') return i;
    if (depth === 0 && !inString && i + 1 === text.length) return text.length;
  }
  return undefined;
}

function addressText(text: string): string {
  const [, address = '', why = ''] = /^Invalid value: \["([^"]*)"\]: failed to allocate IP \S+: (.*)$/s.exec(text) ?? [];
  const shown = `Invalid value: ${JSON.stringify(address)}: `;
  if (!/^[0-9a-fA-F.:]+$/.test(address)) return `${shown}must be empty, 'None', or a valid IP address`;
  const range = /The range of valid IPs is (\S+)$/.exec(why)?.[1];
  return shown + (range === undefined ? why : `provided IP is not in the valid range. The range of valid IPs is ${range}`);
}
