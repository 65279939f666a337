/** Refusals that release 1.13 put in other words. Mirrors its apimachinery pkg/util/validation and pkg/apis/core/validation. */
import type { Wording } from '../../../contracts/release.ts';

export const words: readonly Wording[] = [
  ['may not be in the loopback range (127.0.0.0/8, ::1/128)', 'may not be in the loopback range (127.0.0.0/8)'],
  ['may not be in the link-local range (169.254.0.0/16, fe80::/10)', 'may not be in the link-local range (169.254.0.0/16)'],
  ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)', 'may not be in the link-local multicast range (224.0.0.0/24)'],
  [/may not be unspecified \([^)]*\)/g, 'may not be unspecified (0.0.0.0)'],
  ['a lowercase RFC 1123 subdomain must', 'a DNS-1123 subdomain must'],
  ['a lowercase RFC 1123 label must', 'a DNS-1123 label must'],
  ['a valid label key must consist of', 'a qualified name must consist of'],
  ['must contain at least one letter (a-z)', 'must contain at least one letter or number (a-z, 0-9)'],
  ['in scheme "pkg/api/legacyscheme/scheme.go:30"', 'in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:29"'],
  [/(server does not recognize this encoded version) ([^"]*)$/g, '$1 "$2"'],
  [
    'Invalid value: {}: exactly one reference subfield',
    'Invalid value: core.NodeConfigSource{ConfigMap:(*core.ConfigMapNodeConfigSource)(nil)}: exactly one reference subfield',
  ],
  [/(status unknown for quota: [^,]+), resources: .*$/g, '$1'],
  [/must be no more than (\d+) bytes/g, 'must be no more than $1 characters'],
  [
    "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'",
    "'replicas', 'template', and 'updateStrategy'",
  ],
  [/(unable to parse requirement: )<nil>: Invalid value: (?="(?:[^"\\]|\\.)*": )/g, '$1invalid label key '],
  [/(unable to parse requirement: )values\[\d+\]\[[^\]]*\]: Invalid value: ("(?:[^"\\]|\\.)*": )/g, '$1invalid label value: $2'],
  [/(unable to parse requirement: )values\[\d+\]: Invalid value: "(?:[^"\\]|\\.)*": (?=for 'Gt', 'Lt')/g, '$1'],
  // Selectors that namespaces have for the nodes of their pods.
  [/^<nil>: Invalid value: (?="(?:[^"\\]|\\.)*": )/g, 'invalid label key '],
  [/^\[[^\]]*\]: Invalid value: (?="(?:[^"\\]|\\.)*": )/g, 'invalid label value: '],
  [/^Unable to convert to Table as requested: includeObject: Invalid value: ("(?:[^"\\]|\\.)*"): .*$/g, 'unrecognized includeObject value: $1'],
  ['expected: in, notin, =, ==, !=, gt, lt', "expected: '=', '!=', '==', 'in', notin'"],
  [
    'Invalid value: {}: empty selector is invalid for',
    'Invalid value: v1.LabelSelector{MatchLabels:map[string]string{}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for',
  ],
  [/(must be (?:less than or equal|equal) to \S+ limit) of [^,\]]+/g, '$1'],
  [/no relationship found between node '[^']*' and this object/g, 'no path found to object'],
  [/(?<=failed quota: .*) for: [^;]*; /g, ','],
  [/(?<=failed quota: .*) for: [^;]*$/g, ''],
  [/\b((?:minimum|maximum) \S+ usage per \S+ is [^,\]]+?, but (?:request|limit) is [^\s,\]]+)(?=[,\]]|$)/g, '$1.'],
  [/\b((?:minimum|maximum) \S+ usage per \S+ is [^,\]]+?\.  No (?:request|limit) is specified)(?=[,\]]|$)/g, '$1.'],
  [/(max limit to request ratio per \S+ is [^,\]]+?, but provided ratio is \d+\.\d+)(?=[,\]]|$)/g, '$1.'],
  [/Too long: may not be more than (\d+) bytes/g, 'Too long: must have at most $1 characters'],
  [
    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
    "must be 'Exist' only operator when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort and ResourceQuotaScopeNotBestEffort",
  ],
  [/","(?=[^\]]*\]: conflicting scopes)/g, '", "'],
  [/(?<=Invalid value: )\[([^\]]*)\](?=: conflicting scopes)/g, '[]core.ResourceQuotaScope{$1}'],
  [/(?<=Invalid value: )"null"(?=: conflicting scopes)/g, '[]core.ResourceQuotaScope(nil)'],
  ['into Go value of type jsonpatch.Operation', 'into Go value of type jsonpatch.operation'],
  ['metadata.resourceVersion: Invalid value: 0: must', 'metadata.resourceVersion: Invalid value: 0x0: must'],
  [
    /(?<=\(must be of type \w+\): )json: (cannot unmarshal (?:array|string|number|bool) into Go value of type )v\w+\.\w+/g,
    'couldn\'t get version/kind; json parse error: json: $1struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
  ],
];
