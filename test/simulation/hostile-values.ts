/** Values that a field's type allows and that nobody writes on a good day. */
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../../engine/apimachinery/schema.ts';
import type { JsonValue } from '../../engine/base/json.ts';
import type { RandomStream } from '../../engine/base/random.ts';

const texts = [
  ...['', 'a', '-1', '0', '100%', '-5%', '1e999', '1Gi', '9223372036854775807', '0.0000000001', '__proto__', 'constructor', 'NaN', 'Infinity'],
  ...['9999999h', '-1s', '1ns', '2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '10.0.0.1', '::1', '0.0.0.0/0', '::/0'],
  ...['ü', '\u0000', '\ud800', '語'.repeat(20), 'x'.repeat(253), 'default', 'kube-system', 'node-0', 'web', 'Pod', 'apps/v1', 'a/b/c', '*', '/../..'],
  ...['$(A)', '$(', '${A}', '((((', '[', 'a in (b', 'RollingUpdate', 'OnDelete', 'Always', 'Never', 'OnFailure', 'True', 'Unknown', 'Failed'],
  ...['Running', 'Terminated', 'foregroundDeletion', 'orphan', 'kubernetes.io/hostname', 'NoExecute', 'Exists', 'In', 'Gt', 'DoNotSchedule'],
  ...[
    '@yearly',
    '0 0 31 2 *',
    '59 23 29 2 *',
    'TZ=UTC * * * * *',
    'Europe/Berlin',
    'cpu',
    'memory',
    'nginx:1.27',
    'system-node-critical',
    'standard',
  ],
  ...['ReadWriteOncePod', 'WaitForFirstConsumer', 'Recycle', 'LoadBalancer', 'ExternalName', 'None', 'SCTP', 'true', 'null', '1.5', 'P1D', '.5s'],
  ...['[].all(x, true)', '.status.phase', '.[', '{{ .', '{{ range . }}{{ end }}', '{{ index .a 5 }}'],
];
const keys = ['a', 'app', '__proto__', 'constructor', 'cpu', 'memory', 'pods', 'storage', 'hugepages-2Mi', 'count/pods', 'x'.repeat(63), ''];
const int64 = [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, 9_007_199_254_740_993n];
const integers: readonly JsonValue[] = [0, 1, -1, 2, 80, 65_536, 2_147_483_647, -2_147_483_648, ...int64, 600, 31];

const scalars: { readonly [type: string]: readonly JsonValue[] } = {
  int32: integers,
  int64: integers,
  bool: [true, false],
  double: [0, -1, 1e308, 0.1, 1e-300],
  bytes: ['', 'Yg==', 'AAAA', '/w==', '!!'],
  quantity: ['0', '1', '-1', '100m', '1e999', '9223372036854775808', '1n', '999999Ei', '1e-1000', 5],
  intOrString: [0, 1, -1, '50%', '0%', 'http', '', 2_147_483_647, '2147483648%', 'a%'],
  time: ['2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-06-30T23:59:60Z', '2200-01-01T00:00:00+14:00', null],
  duration: ['0s', '-1h', '1ns', '2562047h47m16s', null],
  json: [{}, null, 'x', [], { a: { b: [1, null, '__proto__'] } }, { kind: 'Pod', apiVersion: 'v1' }],
};
const others: { readonly [type: string]: string } = { microTime: 'time', rawExtension: 'json' };

/** How often a field of a message is given, and how often it is null. */
const given = 0.35;
const nulled = 0.05;

export class HostileValues {
  readonly #random: RandomStream;
  readonly #schemas: SchemaRegistry;

  constructor(random: RandomStream, schemas: SchemaRegistry) {
    this.#random = random;
    this.#schemas = schemas;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.#random.integer(from.length)] as T;
  }

  /** Messages nest no deeper than `depth`. */
  of(field: FieldSchema, depth: number): JsonValue {
    if (this.#random.next() < nulled) return null;
    const one = (): JsonValue => this.#one(field, depth);
    if (field.card === 'list') return Array.from({ length: this.#random.integer(3) }, one);
    if (field.card === 'mapOfLists') return { [this.pick(keys)]: [one()] };
    if (field.card === 'map') return Object.fromEntries(Array.from({ length: this.#random.integer(3) }, () => [this.pick(keys), one()]));
    return one();
  }

  #one({ type }: FieldSchema, depth: number): JsonValue {
    if (typeof type !== 'string') return this.#message(this.#schemas.get(type.message), depth - 1);
    return this.pick<JsonValue>(scalars[others[type] ?? type] ?? texts);
  }

  #message(schema: MessageSchema | undefined, depth: number): JsonValue {
    if (schema === undefined || depth <= 0) return {};
    const entries = schema.fields.flatMap((field): [string, JsonValue][] => {
      if (field.inline === true && typeof field.type !== 'string')
        return Object.entries(this.#message(this.#schemas.get(field.type.message), depth) as { readonly [key: string]: JsonValue });
      return this.#random.next() < given ? [[field.name, this.of(field, depth)]] : [];
    });
    return Object.fromEntries(entries);
  }
}
