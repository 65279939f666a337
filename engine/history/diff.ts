/**
 * What changed between two versions of an object, in one line a person would write. Unchanged subtrees are shared by reference and
 * cost nothing; what only says that time has passed (heartbeats, bookkeeping of the server) does not count.
 */
import { ownText } from '../base/text.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { type HiddenPaths, hiddenPaths, hiddenText, isHidden } from './hidden-values.ts';

export interface ObjectDiff {
  /** Spec, metadata and other fields than the status. */
  readonly update: string;
  readonly status: string;
  readonly conditions: string;
  readonly restarts: string;
}

type Plain = { readonly [key: string]: unknown };

/** Of some kinds all of it may be absent. */
interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
}

interface ContainerStatus {
  readonly name: string;
  readonly restartCount?: number;
  readonly containerID?: string;
  readonly lastState?: { readonly terminated?: { readonly exitCode?: number; readonly reason?: string } };
}

/** What only says that time has passed, or that something was written. */
export const quiet: ReadonlySet<string> = new Set([
  'resourceVersion',
  'managedFields',
  'generation',
  'uid',
  'creationTimestamp',
  'selfLink',
  'observedGeneration',
  'lastHeartbeatTime',
  'lastTransitionTime',
  'lastProbeTime',
  'lastUpdateTime',
]);
const statusKeysApart: ReadonlySet<string> = new Set(['conditions', 'containerStatuses']);
const factsMax = 3;
const textMax = 60;

export function diffObjects(old: KubeObject, next: KubeObject): ObjectDiff {
  const facts: string[] = [];
  const hidden = hiddenPaths(next);
  const before = old as unknown as Plain;
  const after = next as unknown as Plain;
  for (const key of keysOf(before, after)) if (key !== 'status') compare(before[key], after[key], key, facts, hidden);
  const status: string[] = [];
  const oldStatus = plain(before['status']);
  const newStatus = plain(after['status']);
  if (oldStatus === newStatus) return { update: join(facts), status: '', conditions: '', restarts: '' };
  for (const key of keysOf(oldStatus, newStatus)) {
    if (!quiet.has(key) && !statusKeysApart.has(key)) compare(oldStatus[key], newStatus[key], `status.${key}`, status, hidden);
  }
  return {
    update: join(facts),
    status: join(status),
    conditions: diffConditions(oldStatus['conditions'], newStatus['conditions']),
    restarts: diffRestarts(oldStatus['containerStatuses'], newStatus['containerStatuses']),
  };
}

/** The parts of a difference, the most telling first. */
export function factsOf({ update, status, conditions, restarts }: ObjectDiff): readonly string[] {
  return [update, restarts, status, conditions].filter((text) => text !== '');
}

const none: Plain = {};

function plain(value: unknown): Plain {
  return typeof value === 'object' && value !== null ? (value as Plain) : none;
}

export function keysOf(before: Plain, after: Plain): readonly string[] {
  const keys = Object.keys(after);
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) keys.push(key);
  return keys;
}

const nothing: readonly unknown[] = [];

function compare(before: unknown, after: unknown, path: string, facts: string[], hidden: HiddenPaths): void {
  if (before === after || facts.length > factsMax) return;
  const [old, next] = [asList(before), asList(after)];
  if (old !== undefined && next !== undefined) {
    compareLists(old, next, path, facts, hidden);
    return;
  }
  if (isMap(before) && isMap(after)) {
    for (const key of keysOf(before, after)) if (!quiet.has(key)) compare(before[key], after[key], `${path}.${key}`, facts, hidden);
    return;
  }
  const shown = hidden.length > 0 && isHidden(path, hidden) ? showHidden : show;
  facts.push(`${path}: ${shown(before)} → ${shown(after)}`);
}

/** A list that is null or absent is empty; what is no list is none. */
function asList(value: unknown): readonly unknown[] | undefined {
  if (value === undefined || value === null) return nothing;
  return Array.isArray(value) ? value : undefined;
}

function compareLists(before: readonly unknown[], after: readonly unknown[], path: string, facts: string[], hidden: HiddenPaths): void {
  const old = new Map(before.map((item, index) => [nameOf(item, index), item]));
  const next = new Map(after.map((item, index) => [nameOf(item, index), item]));
  const added = [...next.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !next.has(name));
  if (added.length > 0) facts.push(`${path}: + ${cut(added.join(', '))}`);
  if (removed.length > 0) facts.push(`${path}: − ${cut(removed.join(', '))}`);
  for (const [name, item] of next) if (old.has(name)) compare(old.get(name), item, `${path}[${name}]`, facts, hidden);
}

/** A list's item by what tells it from the others. */
export function nameOf(item: unknown, index: number): string {
  if (!isMap(item)) return String(item);
  const name = item['name'] ?? item['key'] ?? item['type'] ?? item['uid'] ?? firstText(item);
  if (typeof name !== 'string') return String(index);
  return typeof item['effect'] === 'string' ? `${name}:${item['effect']}` : name;
}

function firstText(item: Plain): unknown {
  const [first] = Object.values(item);
  return Array.isArray(first) ? (first as readonly unknown[])[0] : first;
}

function isMap(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  if (value === undefined || value === null || value === '') return '(none)';
  return typeof value === 'object' ? `{${cut(Object.keys(value).join(', '))}}` : cut(String(value));
}

/** Maps by their keys; of a value only that it is there. */
function showHidden(value: unknown): string {
  return typeof value === 'object' || value === undefined || value === '' ? show(value) : hiddenText;
}

function cut(text: string): string {
  return text.length <= textMax ? text : `${ownText(text.slice(0, textMax - 1))}…`;
}

function join(facts: readonly string[]): string {
  return facts.length <= factsMax ? facts.join(', ') : `${facts.slice(0, factsMax).join(', ')} …`;
}

/** Of what others define a list may be anything, and hold anything. */
function mapsOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value.filter(isMap) as unknown as readonly T[]) : [];
}

function diffConditions(before: unknown, after: unknown): string {
  if (before === after) return '';
  const old = mapsOf<Condition>(before);
  const facts: string[] = [];
  for (const { type, status, reason } of mapsOf<Condition>(after)) {
    const was = old.find((one) => one.type === type);
    if (was !== undefined && was.status === status && (was.reason ?? '') === (reason ?? '')) continue;
    const why = reason ? ` (${show(reason)})` : '';
    facts.push(was === undefined ? `${show(type)}: ${show(status)}${why}` : `${show(type)}: ${show(was.status)} → ${show(status)}${why}`);
  }
  return facts.join(', ');
}

function diffRestarts(before: unknown, after: unknown): string {
  if (before === after) return '';
  const old = mapsOf<ContainerStatus>(before);
  const facts: string[] = [];
  for (const { name, restartCount = 0, containerID = '', lastState } of mapsOf<ContainerStatus>(after)) {
    const before = old.find((one) => one.name === name);
    // A count that has an end does not rise with every restart.
    const isAnother = restartCount > 0 && containerID !== '' && (before?.containerID ?? containerID) !== containerID;
    if (restartCount <= (before?.restartCount ?? 0) && !isAnother) continue;
    const { exitCode, reason } = lastState?.terminated ?? {};
    facts.push(
      `container ${name} restarted (restart ${restartCount}${exitCode === undefined ? '' : `, exit code ${exitCode}`}${reason ? `, ${reason}` : ''})`,
    );
  }
  return facts.join(', ');
}
