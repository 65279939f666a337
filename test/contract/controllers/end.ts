/** What a cluster holds at the end, in a normal form: without times, uids, revisions and drawn names. Two runs that end alike have the same lines. */
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import type { Cluster } from '../../../engine/cluster/cluster.ts';
import { canonical, hidden } from '../../situations/facts.ts';

/** Signs of life, and Events: these may be told again or lost with the process that would have told them. */
const fleeting = /^\/registry\/(events|leases|masterleases)\//;
/** Lists whose order upstream takes from maps, or from the order in which things came to be so. */
const unordered = new Set(['endpoints', 'addresses', 'notReadyAddresses', 'finalizers', 'ownerReferences', 'conditions']);
/** What the API server or a signer draws, and times that upstream forgets when the write of them fails. */
const forgotten = ['endpoints.kubernetes.io/last-change-trigger-time', 'lastScaleTime'];
const drawn = new Set(['podIP', 'podIPs', 'hostIP', 'hostIPs', 'certificate', ...forgotten]);
/** Workloads and PodGroups of Jobs are named after the Jobs' uids. */
const gangNames = /(?<=\bwork)-[b-z2-9]{6,10}(-work-pgt-0|(?="|\s\{))/g;
const groupNames = /(-<hash>-work-pgt-0)-[b-z2-9]{6,10}/g;
/** The mark of the other writer. */
export const touchedBy = 'contract.test/touched';

/** What there is, by key. */
export type Beginning = ReadonlyMap<string, KubeObject>;

export function beginningOf(cluster: Cluster): Beginning {
  return new Map(cluster.store.range({ prefix: '/registry/' }).items.map(({ key, value }) => [key, value]));
}

export function endOf(cluster: Cluster, namespace: string, beginning: Beginning): readonly string[] {
  const lines: string[] = [];
  const { store } = cluster;
  const lineOf = (key: string, value: KubeObject): string =>
    (hidden(`${key.replace(/^\/registry\//, '')} ${canonical(bare(hidden(uncounted(value), namespace)))}`, namespace) as string)
      .replaceAll(gangNames, '-<hash>$1')
      .replaceAll(groupNames, '$1-<hash>');
  for (const { key, value } of store.range({ prefix: '/registry/' }).items) {
    const before = beginning.get(key);
    if (fleeting.test(key) || before === value) continue;
    const line = lineOf(key, value);
    // What was there and is as it was has nothing to tell.
    if (before === undefined || lineOf(key, before) !== line) lines.push(line);
  }
  return lines.toSorted();
}

/** `-` is in the first and not in the second, `+` the other way round. */
export function differencesOfEnds(wanted: readonly string[], there: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of wanted) left.set(line, (left.get(line) ?? 0) + 1);
  const more: string[] = [];
  for (const line of there) {
    const count = left.get(line) ?? 0;
    if (count === 0) more.push(`+ ${line}`);
    else left.set(line, count - 1);
  }
  return [...[...left].flatMap(([line, count]) => Array.from({ length: count }, () => `- ${line}`)), ...more];
}

/**
 * The end apart from what the names of others leave behind, in upstream too. A Deployment whose ReplicaSet has the name of somebody else's
 * counts that and takes another name; a revision of equal data is taken for one's own whosoever it is, and its going tells no set of it.
 */
export function withoutCollisions(lines: readonly string[]): readonly string[] {
  const hashes = new Set(lines.flatMap((line) => [...line.matchAll(/"pod-template-hash":"([a-z0-9]+)"/g)].map(([, hash = '']) => hash)));
  const bareOf = (line: string): string => [...hashes].reduce((text, hash) => text.replaceAll(hash, '<hash>'), line);
  return lines
    .filter((line) => !line.startsWith('controllerrevisions/'))
    .map((line) => bareOf(line.replace(/"collisionCount":\d+,?/, '')))
    .toSorted();
}

/** How many steps it took is told by no number; whether the last was seen is. */
function uncounted(object: KubeObject): object {
  const { metadata, ...rest } = object as KubeObject & { readonly status?: { readonly observedGeneration?: number } };
  const { generation, ...meta } = metadata;
  const { status } = rest;
  if (status?.observedGeneration === undefined) return { metadata: meta, ...rest };
  return {
    metadata: meta,
    ...rest,
    status: { ...status, observedGeneration: status.observedGeneration === generation ? 'the last' : 'an older one' },
  };
}

function bare(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => bare(item));
    return unordered.has(field) ? items.toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1)) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as KubeObject).filter(([name]) => name !== touchedBy && !drawn.has(name));
  return Object.fromEntries(entries.map(([name, child]) => [name, bare(child, name)] as const).filter(([name, child]) => !isNothing(name, child)));
}

/** What is left of labels or annotations when only the mark of the other writer was there. */
function isNothing(name: string, value: unknown): boolean {
  return (name === 'annotations' || name === 'labels') && Object.keys(value as object).length === 0;
}
