/** Types that stand in expressions as values. */
import { bool, bytes, type CelType, double, duration, dyn, int, listOf, mapOf, optionalOf, string, timestamp, uint } from './types.ts';

const opaque = (name: string): readonly [string, CelType] => [name, { kind: 'opaque', name }];

/** What types are called in expressions, and by their values. */
export const typeNames: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ...[bool, int, uint, double, string, bytes].map((type): [string, CelType] => [type.kind, type]),
  ['list', listOf(dyn)],
  ['map', mapOf(dyn, dyn)],
  ['null_type', { kind: 'null' }],
  ['type', { kind: 'type' }],
  ['optional_type', optionalOf(dyn)],
  ['google.protobuf.Timestamp', timestamp],
  ['google.protobuf.Duration', duration],
  ...['kubernetes.URL', 'kubernetes.Quantity', 'kubernetes.Semver', 'net.IP', 'net.CIDR'].map(opaque),
]);
