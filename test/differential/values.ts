/** Values for the fields of any schema, good and bad, from a stream of chance. */
import type { FieldSchema, MessageSchema, ScalarType, SchemaRegistry } from '../../engine/apimachinery/schema.ts';
import type { RandomStream } from '../../engine/base/random.ts';
import type { JsonValue } from '../../engine/base/json.ts';

export function pick<T>(random: RandomStream, from: readonly T[]): T {
  const chosen = from[random.integer(from.length)];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return chosen;
}

const strings = [
  '', 'a', 'A', 'Bad_Name!', 'a b', '-a', 'a.b', 'a/b', 'a/b/c', 'x'.repeat(64), 'x'.repeat(254), 'Bogus', 'ü', ' ', '1', 'http://x.example.com', '/abs',
  '../x', '10.0.0.1', 'fd00::1', '010.0.0.1', 'example.com/x', '10.0.0.0/8', '10.0.0.1/8', '$(X)', 'a\nb', 'Always', 'None', 'kubernetes.io/x',
]; // biome-ignore format: a table
const words: Readonly<Record<string, readonly string[]>> = {
  restartPolicy: ['Always', 'OnFailure', 'Never'], dnsPolicy: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'], protocol: ['TCP', 'UDP', 'SCTP', 'tcp'],
  imagePullPolicy: ['Always', 'Never', 'IfNotPresent'], terminationMessagePolicy: ['File', 'FallbackToLogsOnError'], operator: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Equal'],
  effect: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], whenUnsatisfiable: ['DoNotSchedule', 'ScheduleAnyway'], nodeAffinityPolicy: ['Honor', 'Ignore'], nodeTaintsPolicy: ['Honor', 'Ignore'],
  type: ['RollingUpdate', 'Recreate', 'OnDelete', 'ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName', 'Opaque', 'Localhost', 'RuntimeDefault', 'Directory', 'Resource', 'Utilization', 'Pods', 'Container'],
  scheme: ['HTTP', 'HTTPS', 'http'], mountPropagation: ['None', 'HostToContainer', 'Bidirectional'], volumeMode: ['Filesystem', 'Block'], accessModes: ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'],
  sessionAffinity: ['None', 'ClientIP'], externalTrafficPolicy: ['Cluster', 'Local'], internalTrafficPolicy: ['Cluster', 'Local'], ipFamilyPolicy: ['SingleStack', 'PreferDualStack', 'RequireDualStack'], ipFamilies: ['IPv4', 'IPv6'],
  concurrencyPolicy: ['Allow', 'Forbid', 'Replace'], completionMode: ['Indexed', 'NonIndexed'], podReplacementPolicy: ['Failed', 'TerminatingOrFailed'], podManagementPolicy: ['OrderedReady', 'Parallel'],
  persistentVolumeReclaimPolicy: ['Retain', 'Delete', 'Recycle'], reclaimPolicy: ['Retain', 'Delete'], volumeBindingMode: ['Immediate', 'WaitForFirstConsumer'], pathType: ['Exact', 'Prefix', 'ImplementationSpecific'],
  policyTypes: ['Ingress', 'Egress'], whenDeleted: ['Retain', 'Delete'], whenScaled: ['Retain', 'Delete'], preemptionPolicy: ['Never', 'PreemptLowerPriority'], schedule: ['* * * * *', '@daily', '60 * * * *', 'TZ=UTC 0 0 * * *', '0 0 * *'],
  failurePolicy: ['Fail', 'Ignore'], sideEffects: ['None', 'NoneOnDryRun', 'Some'], matchPolicy: ['Exact', 'Equivalent'], reinvocationPolicy: ['Never', 'IfNeeded'], scope: ['Cluster', 'Namespaced', '*'], operations: ['CREATE', '*', 'UPDATE'],
  kind: ['User', 'Group', 'ServiceAccount', 'Pod', 'Deployment', 'Role', 'ClusterRole'], apiGroup: ['rbac.authorization.k8s.io', 'apps', ''], apiVersion: ['v1', 'apps/v1', 'a/b/c'], verbs: ['get', '*'], usages: ['client auth', 'server auth', 'digital signature'],
  fsGroupChangePolicy: ['OnRootMismatch', 'Always'], fsGroupPolicy: ['None', 'File', 'ReadWriteOnceWithFSType'], volumeLifecycleModes: ['Persistent', 'Ephemeral'], unhealthyPodEvictionPolicy: ['IfHealthyBudget', 'AlwaysAllow'],
  resource: ['limits.cpu', 'requests.memory', 'pods'], fieldPath: ['metadata.name', 'status.podIP', 'spec.nodeName', "metadata.labels['a']", 'metadata.foo'], scopes: ['Terminating', 'BestEffort', 'NotBestEffort', 'PriorityClass'], addressType: ['IPv4', 'IPv6', 'FQDN'],
  allocationMode: ['ExactCount', 'All'], action: ['FailJob', 'Ignore', 'Count', 'FailIndex'], medium: ['', 'Memory', 'HugePages'], timeZone: ['Etc/UTC', 'Local', 'Nowhere/X'], procMount: ['Default', 'Unmasked'], add: ['NET_ADMIN', 'CAP_X'], name: ['cpu', 'memory', 'a'],
  cachingMode: ['None', 'ReadOnly'], scaleDown: [], metricName: ['x'], selectPolicy: ['Max', 'Min', 'Disabled'], resizePolicy: [], restartPolicyRules: [], path: ['/a', 'a/..', '../a', '/a//b', 'a'], topologyKey: ['kubernetes.io/hostname', 'a b', ''],
}; // biome-ignore format: a table
const scalars: { readonly [type in ScalarType]: readonly JsonValue[] } = {
  string: strings,
  bool: [true, false],
  int32: [0, -1, 1, 2, 65535, 65536, 2147483647, 2147483648, 1.5],
  int64: [0, -1, 1, 2, 3600, 9007199254740991, 1.5],
  uint32: [0, 1, -1],
  uint64: [0, 1, -1],
  double: [0, 1, -1, 1.5],
  bytes: ['', 'YQ==', '!!', 'YQ'],
  quantity: ['0', '1', '-1', '1x', '100m', '0.5m', '1Gi', '', 1.5, 1, '1e3', '1500m', '0.1'],
  intOrString: [0, 1, -1, 65536, '50%', '150%', 'abc', '-5%', '0', 'http', '', '%', 'x'.repeat(20)],
  time: ['2026-01-01T00:00:00Z', '2026-01-01', '', '2026-01-01T00:00:00+02:00', 'now'],
  microTime: ['2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00Z', 'now', ''],
  duration: ['1s', '-1s', 'x', '', '1h30m', '0s'],
  fieldsV1: [{}, { 'f:a': {} }, 1],
  rawExtension: [{ apiVersion: 'v1', kind: 'X' }, {}, 'x', null],
  json: [{}, 1, 'a', [1], null],
  jsonSchemaOrBool: [true, false, { type: 'string' }],
  jsonSchemaOrArray: [{ type: 'string' }],
  jsonSchemaOrStrings: [['a']],
};
const keys = [
  'a',
  'a',
  'cpu',
  'memory',
  'example.com/x',
  'bad key!',
  '',
  'x'.repeat(64),
  'a/b/c',
  '-a',
  'kubernetes.io/os',
  'requests.storage',
  'hugepages-2Mi',
  'A.b_c',
];
const wrongs: readonly JsonValue[] = ['str', 1, true, {}, [], ['a'], { a: 'b' }, 1.5, [1], [null], -1];

/** A value of the field's type, good or bad. */
export function valueFor(random: RandomStream, field: FieldSchema, schemas: SchemaRegistry, depth = 0): JsonValue {
  const count = random.next() < 0.1 ? 0 : random.next() < 0.8 ? 1 : 2;
  if (field.card === 'one') return oneFor(random, field, schemas, depth);
  if (field.card === 'list') return Array.from({ length: count }, () => oneFor(random, field, schemas, depth));
  return Object.fromEntries(
    Array.from({ length: count }, () => {
      const inner = oneFor(random, field, schemas, depth);
      return [pick(random, keys), field.card === 'mapOfLists' ? [inner] : inner];
    }),
  );
}

function oneFor(random: RandomStream, field: FieldSchema, schemas: SchemaRegistry, depth: number): JsonValue {
  const { type, name } = field;
  if (typeof type === 'string') {
    const known = words[name] ?? [];
    return type === 'string' && known.length > 0 && random.next() < 0.6 ? pick(random, known) : pick(random, scalars[type]);
  }
  return messageFor(random, schemas.mustGet(type.message), schemas, depth + 1);
}

/** What the schema asks for and now and then something more; goes no deeper than four messages. */
function messageFor(random: RandomStream, schema: MessageSchema, schemas: SchemaRegistry, depth: number): JsonValue {
  const optional = flatFields(schema, schemas).filter(({ required }) => required !== true);
  const chosen = new Set(optional.length === 0 || depth > 4 ? [] : Array.from({ length: random.integer(3) }, () => pick(random, optional).name));
  const fields = flatFields(schema, schemas).filter(
    ({ required, name }) => chosen.has(name) || (required === true && depth <= 5 && random.next() < 0.9),
  );
  return Object.fromEntries(fields.map((field) => [field.name, valueFor(random, field, schemas, depth)]));
}

/** With the fields that Go lays into the object from messages of their own. */
export function flatFields(schema: MessageSchema, schemas: SchemaRegistry): readonly FieldSchema[] {
  return schema.fields.flatMap((field) =>
    field.inline === true && typeof field.type !== 'string' ? flatFields(schemas.mustGet(field.type.message), schemas) : [field],
  );
}

export function wrongValue(random: RandomStream): JsonValue {
  return pick(random, wrongs);
}

export function mapKey(random: RandomStream): string {
  return pick(random, keys);
}
