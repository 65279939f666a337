/** Faults that `npm run differential -- --release 1.13` has found worded otherwise; applied behind those of `faults.ts`, whose words they begin with. */
import type { Fault, Rule } from './faults.ts';
import { driverForm } from './unjudged.ts';

const required = { reason: 'FieldValueRequired' };
const invalid = { reason: 'FieldValueInvalid' };

const noBackend = (fault: Fault): readonly Fault[] => [{ ...required, field: `${fault.field}.serviceName`, text: 'Required value' }];
const noPort = (fault: Fault): readonly Fault[] => [
  { ...invalid, field: `${fault.field}.servicePort`, text: 'Invalid value: 0: must be between 1 and 65535, inclusive' },
];

/** JSON of no type, as it lay in memory. */
function unknownJson([start = '', json = '', end = '']: readonly string[]): string {
  const bytes = [...new TextEncoder().encode(json)].map((byte) => `0x${byte.toString(16)}`).join(', ');
  const none = 'TypeMeta:runtime.TypeMeta{APIVersion:"", Kind:""}';
  return `${start}runtime.Unknown{${none}, Raw:[]uint8{${bytes}}, ContentEncoding:"", ContentType:"application/json"}${end}`;
}

/** Fields of pods that nobody could ask for were none. */
const noField = (fault: Fault): readonly Fault[] => {
  const [, shown = ''] = /^Unsupported value: ("[^"]*")/.exec(fault.text) ?? [];
  return [{ ...fault, ...invalid, text: `Invalid value: ${shown}: error converting fieldPath: field label not supported: ${shown.slice(1, -1)}` }];
};

interface Owner {
  readonly kind?: string;
  readonly name?: string;
  readonly controller?: boolean;
}

/** Owners were told by their names, without kinds; who has no name was taken for nobody. */
const twoOwners = (fault: Fault): readonly Fault[] => {
  const [, json = '[]', told = '', tail = ''] = /^Invalid value: (\[.*\])(: Only one reference .* in references for )(.*)$/s.exec(fault.text) ?? [];
  const owners = (JSON.parse(json) as readonly Owner[]).filter(({ controller }) => controller === true);
  const nameOf = ({ kind = '', name = '' }: Owner): string => `${kind}/${name}`;
  const second = owners.findIndex((owner, index) => index > 0 && tail === `${nameOf(owners[0] ?? {})} and ${nameOf(owner)}`);
  const first = owners.findIndex(({ name = '' }) => name !== '');
  if (first < 0 || second <= first) return [];
  return [{ ...fault, text: `Invalid value: ${json}${told}${owners[first]?.name ?? ''} and ${owners[second]?.name ?? ''}` }];
};

export const laterRules: readonly Rule[] = [
  // Files are refused as files are.
  { field: /\.items\[\d+\]\.fieldRef\.fieldPath$/, text: /^Unsupported value: "status\.(?:hostIPs|podIPs)": /, becomes: () => [] },
  { field: /\.fieldPath$/, text: /^Unsupported value: "(?:status\.(?:hostIPs|podIPs)|spec\.hostNetwork)": /, becomes: noField },
  {
    field: /\.fieldPath$/,
    text: /^Unsupported value: .*, "status\.hostIPs"/s,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/, "status\.(?:hostIPs|podIPs)"/g, '') }],
  },
  { kind: 'NetworkPolicy', field: /^spec\.policyTypes$/, text: /^Invalid value: \[/, shows: '[]networking.PolicyType' },
  { kind: 'PodSecurityPolicy', field: /Capabilities$/, text: /^Invalid value: \[/, shows: '[]core.Capability' },
  { kind: 'Ingress', field: /ackend$/, text: 'Invalid value: "": resource or service backend is required', becomes: noBackend },
  { kind: 'Ingress', field: /ackend$/, text: 'Required value: port name or number is required', becomes: noPort },
  // All rules were counted as the first.
  {
    kind: 'Ingress',
    field: /^spec\.rules\[(?!0\])\d+\](?=\.http\b)/,
    becomes: (fault) => [{ ...fault, field: fault.field.replace(/^spec\.rules\[\d+\]/, 'spec.rules[0]') }],
  },
  {
    kind: 'Ingress',
    field: /(rules\[\d+\]\.http)\.paths\[\d+\]\.backend/,
    becomes: (fault) => [{ ...fault, field: fault.field.replace(/(\.http)\.paths\[\d+\](?=\.backend)/, '$1') }],
  },
  {
    text: /^Forbidden: activeDeadlineSeconds in (?:StatefulSet|DaemonSet) is not Supported$/,
    becomes: (fault) => [{ ...fault, ...invalid, text: 'Invalid value: 5: must not be specified' }],
  },
  {
    field: /clientConfig\.url$/,
    text: /host must be specified/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace('host must be specified', 'host must be provided') }],
  },
  {
    field: /clientConfig\.service\.(name|namespace)$/,
    text: 'Required value',
    becomes: (fault, found) => [{ ...fault, text: `Required value: service ${found?.[1] ?? ''} is required` }],
  },
  {
    field: /\.ipBlock\.except\[\d+\]$/,
    text: /: must be a strict subset of `cidr`$/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/"([^"/]*)\/\d+": must be a strict subset of `cidr`$/, '$1: not within CIDR range') }],
  },
  {
    kind: 'CustomResourceDefinition',
    field: /^status\.storedVersions$/,
    text: /: must have the storage version /,
    shows: 'apiextensions.CustomResourceDefinitionVersion',
  },
  {
    kind: 'CustomResourceDefinition',
    field: /openAPIV3Schema$/,
    text: /fields are allowed at the root of the schema/,
    shows: 'apiextensions.JSONSchemaProps',
    becomes: (fault) => [{ ...fault, text: fault.text.replace(' XPreserveUnknownFields XValidations]', ']') }],
  },
  { kind: 'Job', field: /^spec\.template$/, text: /^Invalid value: \{.*: field is immutable$/s, shows: 'core.PodTemplateSpec' },
  { field: /elector$/, text: /^Invalid value: \{.*: `selector` will be auto-generated$/s, shows: 'v1.LabelSelector' },
  {
    kind: 'Event',
    field: /^reportingInstance$/,
    text: /^Invalid value: "": can have at most /,
    becomes: (fault) => [{ ...fault, field: 'repotingIntance' }],
  },
  {
    kind: 'CertificateSigningRequest',
    field: /^spec\.usages$/,
    text: 'Required value',
    becomes: (fault) => [{ ...fault, text: 'Required value: usages must be provided' }],
  },
  // Below zero it was wrong wherever it stood.
  {
    kind: 'Service',
    field: /^spec\.healthCheckNodePort$/,
    text: /^Invalid value: -\d+: /,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/^(Invalid value: -\d+): .*$/, '$1: HealthCheckNodePort must be not less than 0') }],
  },
  {
    kind: 'Service',
    field: /^spec\.healthCheckNodePort$/,
    text: /: may only be set when `type` is 'LoadBalancer' /,
    becomes: (fault) => [
      {
        ...fault,
        text: fault.text.replace(
          /: may only be set .*$/,
          ': HealthCheckNodePort can only be set on LoadBalancer service with ExternalTrafficPolicy=Local',
        ),
      },
    ],
  },
  {
    kind: 'Service',
    field: /^spec\.externalTrafficPolicy$/,
    text: /: may only be set for externally-accessible services$/,
    becomes: (fault) => [
      {
        ...fault,
        text: fault.text.replace(
          /: may only be set .*$/,
          /^Invalid value: "(?:Cluster|Local)"/.test(fault.text)
            ? ': ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service'
            : ': ExternalTrafficPolicy must be empty, Cluster or Local',
        ),
      },
    ],
  },
  // Its own name for the field is misspelt.
  {
    kind: 'HorizontalPodAutoscaler',
    field: /^status\.desiredReplicas$/,
    becomes: (fault) => [{ ...fault, field: 'status.desiredReplicasa' }],
  },
  {
    field: /(od(?:Anti)?Affinity\..*)\.labelSelector(\..*)?$/,
    becomes: (fault) => [
      {
        ...fault,
        field: fault.field.replace(
          /(od(?:Anti)?Affinity\..*)\.labelSelector(\..*)?$/,
          (_, of: string, rest = '') => `${of}.matchExpressions${String(rest)}`,
        ),
      },
    ],
  },
  {
    kind: 'PersistentVolume',
    field: /^spec\.persistentvolumesource$/,
    text: /^Forbidden: spec\.persistentvolumesource is immutable after creation/,
    becomes: (fault) => [{ ...fault, text: 'Forbidden: is immutable after creation' }],
  },
  {
    kind: 'PersistentVolumeClaim',
    field: /^spec\.resources\.requests\.storage$/,
    text: 'Forbidden: field can not be less than status.capacity',
    becomes: (fault) => [{ ...fault, text: 'Forbidden: field can not be less than previous value' }],
  },
  {
    kind: 'PersistentVolumeClaim',
    field: /^spec\.resources\[storage\]$/,
    text: /^Invalid value: "-.*": must be greater than zero$/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/zero$/, 'or equal to 0') }, fault],
  },
  { field: /^(.*accessModes)\[\d+\]$/, text: /^Unsupported value: /, becomes: (fault, found) => [{ ...fault, field: found?.[1] ?? '' }] },
  {
    kind: 'CustomResourceDefinition',
    field: /^status\.storedVersions\[\d+\]$/,
    text: /: missing from spec\.versions; /,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/: missing from spec\.versions; .*$/s, ': must appear in spec.versions') }],
  },
  {
    field: /^metadata\.deletionTimestamp$/,
    text: /^Invalid value: "\d{4}-[^"]*Z": field is immutable$/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/"([\d-]*)T([\d:]*)Z"/, '$1 $2 +0000 UTC') }],
  },
  {
    kind: 'ControllerRevision',
    field: /^data$/,
    text: /^Invalid value: (?!"null").*: field is immutable$/s,
    becomes: (fault) => [
      { ...fault, text: fault.text.replace(/^(Invalid value: )(.*)(: field is immutable)$/s, (_, ...parts: string[]) => unknownJson(parts)) },
    ],
  },
  { field: /^metadata\.finalizers$/, text: /: finalizer orphan and foregroundDeletion cannot be both set$/, shows: '[]string' },
  { kind: 'Event', field: /^reportingComponent$/, becomes: (fault) => [{ ...fault, field: 'reportingController' }] },
  { field: /lifecycle$/, text: /: must not be set for init containers$/, shows: 'core.Lifecycle' },
  { field: /Probe$/, text: /: must not be set for init containers$/, shows: 'core.Probe' },
  {
    field: /projected\.sources\[\d+\]$/,
    text: / volume type per source$/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(' per source', '') }],
  },
  {
    kind: 'Service',
    field: /^spec\.clusterIPs$/,
    text: 'Forbidden: may not be set for ExternalName services',
    becomes: (fault) => [{ ...fault, field: 'spec.clusterIP', text: 'Forbidden: must be empty for ExternalName services' }],
  },
  {
    field: /^metadata\.ownerReferences$/,
    text: /^Invalid value: \[\{.*: Only one reference can have Controller set to true\. /s,
    becomes: twoOwners,
  },
  {
    field: /^metadata\.ownerReferences$/,
    text: /^Invalid value: \[\{.*: Only one reference can have Controller set to true\. /s,
    shows: '[]v1.OwnerReference',
  },
  {
    kind: 'Service',
    field: /^spec\.clusterIPs\[0\]$/,
    text: /: may not be set to 'None' for /,
    becomes: (fault) => [{ ...fault, field: 'spec.clusterIP' }],
  },
  { kind: 'Service', field: /^spec\.ports$/, text: /with mix protocols$/, shows: '[]core.ServicePort' },
  {
    kind: 'Service',
    field: /^metadata\.annotations\[service\.beta\.kubernetes\.io\/load-balancer-source-ranges\]$/,
    text: /^(Invalid value: .*): not a valid CIDR$/s,
    becomes: (fault) => [
      { ...fault, text: fault.text.replace(/not a valid CIDR$/, 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ') },
    ],
  },
  { kind: 'Secret', field: /^type$/, text: /: can not export service account secrets$/, shows: 'core.Secret' },
  { field: /dnsConfig\.(?:nameservers|searches)$/, text: /^Invalid value: \[/, shows: '[]string' },
  {
    kind: 'Pod',
    field: /^spec$/,
    text: /: must use a single hugepage size in a pod spec$/,
    becomes: (fault) => [
      {
        ...fault,
        text: fault.text.replace(
          /^Invalid value: \[(.*)\]:/,
          (_, names: string) => `Invalid value: sets.String{${names.replaceAll('","', '", "').replaceAll(/"(?=,|$)/g, '":sets.Empty{}')}}:`,
        ),
      },
    ],
  },
  {
    field: /volumeDevices\[\d+\]\.name$/,
    text: / or Ephemeral for block mode$/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(' or Ephemeral', '') }],
  },
  { kind: 'Node', field: /^status\.(?:capacity|allocatable)\./, text: /: may not have pre-allocated hugepages /, shows: 'resource.Quantity' },
  { kind: 'Node', field: /^spec\.podCIDRs$/, becomes: (fault) => [{ ...fault, field: 'spec.podCIDR' }] },
  {
    kind: 'PersistentVolume',
    field: /^nodeAffinity$/,
    text: /: field is immutable, except for updating from beta label to GA$/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/, except for .*$/, '') }],
  },
  { kind: 'Pod', field: /^status\.conditions\[\d+\]\.Type$/, becomes: (fault) => [{ ...fault, field: fault.field.replace('status', 'metadata') }] },
  {
    kind: 'CustomResourceDefinition',
    field: /\.labelSelectorPath$/,
    text: /: should be a json path under either \.spec or \.status$/,
    becomes: (fault) => [{ ...fault, text: fault.text.replace('either .spec or ', '') }],
  },
  {
    kind: 'ResourceQuota',
    field: /^spec\.scopeSelector\.matchExpressions$/,
    text: /^Invalid value: \{/,
    shows: 'core.ScopeSelector',
  },
  {
    kind: 'DaemonSet',
    field: /\.maxUnavailable$/,
    text: 'Required value: cannot be 0 when maxSurge is 0',
    becomes: (fault) => [
      { ...fault, text: 'Invalid value: intstr.IntOrString{Type:0, IntVal:0, StrVal:""}: cannot be 0', reason: 'FieldValueInvalid' },
    ],
  },
  {
    kind: 'PersistentVolume',
    field: /^spec\.nodeAffinity$/,
    text: 'Required value: Local volume requires node affinity',
    becomes: (fault) => [{ ...fault, field: 'metadata.annotations' }],
  },
  {
    kind: 'PersistentVolume',
    field: /^spec\.csi\.driver$/,
    text: /: a (?:DNS-1123|lowercase RFC 1123) subdomain must consist of /,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(/: a (?:DNS-1123|lowercase RFC 1123) subdomain .*$/s, () => `: ${driverForm}`) }],
  },
  {
    field: /^spec\.schedule$/,
    text: /: unrecognized descriptor: /,
    becomes: (fault) => [{ ...fault, text: fault.text.replace(': unrecognized descriptor: ', ': Unrecognized descriptor: ') }],
  },
  { kind: 'Job', field: /^spec\.template\.metadata\.labels\[.*\]$/, text: /^Invalid value: \{.*: must be '/, shows: 'map[string]string' },
  { kind: 'ResourceQuota', field: /^spec\.scopeSelector\.matchExpressions\.values$/, text: /^Invalid value: \[/, shows: '[]string' },
];
