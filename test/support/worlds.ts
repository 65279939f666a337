/** Small worlds for the tests of checkers: objects put, changed and removed by somebody at some time. */
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { Change, StoredValue } from '../../engine/store/store.ts';
import type { Cluster } from '../../engine/cluster/cluster.ts';
import type { Checker } from '../simulation/checkers/checker.ts';
import { type Thing, World } from '../simulation/world.ts';

export interface Step {
  readonly key: string;
  /** Absent: removed. */
  readonly value?: object;
  readonly by?: string;
  /** Milliseconds since the step before. */
  readonly afterMs?: number;
  readonly causes?: readonly string[];
}

/** Runs changes past a checker, then asks it about the world as it is `restMs` later. */
export function judge(checker: Checker, steps: readonly Step[], restMs = 0, cluster = {} as Cluster): readonly string[] {
  const clock = { ms: Date.UTC(2026, 0, 1), nowMs: () => clock.ms };
  const world = new World(clock);
  const current = new Map<string, StoredValue<KubeObject>>();
  const found: string[] = [];
  let revision = 1;
  for (const { key, value, by = 'somebody', afterMs = 0, causes = ['input:1'] } of steps) {
    clock.ms += afterMs;
    revision++;
    const previous = current.get(key);
    const next = value === undefined ? undefined : stored(key, value, revision);
    if (next === undefined) current.delete(key);
    else current.set(key, next);
    const meta = { virtualMs: clock.ms, identity: by, causes };
    const change: Change<KubeObject> = { type: next === undefined ? 'delete' : 'put', revision, key, current: next, previous, meta };
    world.apply(change);
    found.push(...(checker.onChange?.(change, world) ?? []));
  }
  clock.ms += restMs;
  found.push(...(checker.inspect?.(world, cluster) ?? []), ...(checker.atRest?.(world) ?? []));
  return found;
}

/** A key from what the object itself says: `put('pods', {...})`. */
export function put(prefix: string, value: { readonly metadata: object; readonly [field: string]: unknown }, step: Partial<Step> = {}): Step {
  return { key: keyOf(prefix, value.metadata as Thing['metadata']), value: { kind: 'Thing', apiVersion: 'v1', ...value }, ...step };
}

export function remove(prefix: string, metadata: object, step: Partial<Step> = {}): Step {
  return { key: keyOf(prefix, metadata as Thing['metadata']), ...step };
}

function keyOf(prefix: string, { namespace, name }: Thing['metadata']): string {
  return `/registry/${prefix}/${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function stored(key: string, value: object, revision: number): StoredValue<KubeObject> {
  const object = value as KubeObject;
  const dated = { ...object, metadata: { resourceVersion: String(revision), ...object.metadata } };
  return { key, value: dated, createRevision: revision, modRevision: revision, version: 1, weight: 0, getEncoding: (_key, make) => make() };
}
