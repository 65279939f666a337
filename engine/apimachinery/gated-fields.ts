/**
 * Fields that are there with a feature gate only: a write that says one while the gate is off loses it, unless the object had the feature in use before.
 * Kinds say them as data (`gatedFields`), and the registry drops them before the kind prepares a write. Mirrors the `dropDisabled…` functions of upstream's
 * strategies.
 */
import { withField } from '../base/plain.ts';
import type { KubeObject } from './object.ts';

/** Fields that are dropped from what is written unless each of the gates is on, or what is there uses one of them already. */
export interface GatedFields {
  readonly gates: readonly string[];
  /** Paths below the object, as `spec.requests.*.capacity`; `*` is each element of a list or each value of a map. */
  readonly fields: readonly string[];
  /** Where its use shows, if not in these fields themselves. */
  readonly usedBy?: readonly string[];
  /** What holds nothing else goes with them. */
  readonly leavesNothing?: true;
  /** What stands in their place, whatever was there before. */
  readonly becomes?: string;
}

interface Gates {
  featureEnabled(gate: string): boolean;
}

interface Plain {
  readonly [key: string]: unknown;
}

/** The object without what its gates forbid; the same one when nothing goes. */
export function dropGated<T extends object>(next: T, old: object | undefined, rules: readonly GatedFields[], gates: Gates): T {
  let kept: unknown = next;
  for (const { gates: needed, fields, usedBy = fields, leavesNothing = false, becomes } of rules) {
    const isInUse = old !== undefined && becomes === undefined && usedBy.some((field) => isUsed(old, field.split('.'), 0));
    if (isInUse || needed.every((gate) => gates.featureEnabled(gate))) continue;
    for (const field of fields) kept = without(kept, field.split('.'), 0, leavesNothing, becomes);
  }
  return kept as T;
}

/** As `dropGated`, where a kind has such fields. */
export function allowedFields(next: KubeObject, old: KubeObject | undefined, rules: readonly GatedFields[] | undefined, gates: Gates): KubeObject {
  return rules === undefined ? next : dropGated(next, old, rules, gates);
}

/** Empty lists and maps say nothing. */
function isUsed(value: unknown, path: readonly string[], depth: number): boolean {
  if (value === undefined || value === null) return false;
  if (depth === path.length) return typeof value !== 'object' || Object.keys(value).length > 0;
  if (typeof value !== 'object') return false;
  const key = path[depth] as string;
  if (key === '*') return Object.values(value).some((one) => isUsed(one, path, depth + 1));
  return Object.hasOwn(value, key) && isUsed((value as Plain)[key], path, depth + 1);
}

function without(value: unknown, path: readonly string[], depth: number, leavesNothing: boolean, becomes?: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const key = path[depth] as string;
  const inner = (one: unknown): unknown => without(one, path, depth + 1, leavesNothing, becomes);
  if (key === '*') return Array.isArray(value) ? mapList(value, inner) : mapValues(value as Plain, inner);
  if (!Object.hasOwn(value, key)) return value;
  if (depth === path.length - 1) return becomes !== undefined && (value as Plain)[key] === null ? value : withField(value, key, becomes);
  const before = (value as Plain)[key];
  const after = inner(before);
  if (after === before) return value;
  return leavesNothing && Object.keys(after as object).length === 0 ? withField(value, key, undefined) : { ...value, [key]: after };
}

function mapList(list: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.every((one, index) => one === list[index]) ? list : changed;
}

function mapValues(map: Plain, change: (value: unknown) => unknown): Plain {
  const entries = Object.entries(map).map(([key, value]) => [key, value, change(value)] as const);
  return entries.every(([, before, after]) => before === after) ? map : Object.fromEntries(entries.map(([key, , after]) => [key, after]));
}
