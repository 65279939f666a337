/** Pods whose logs stand for an object's: the pod itself, those that a workload or a Service selects, or those of a CronJob's Jobs. */
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { readOwned } from '../api/dependents.ts';
import type { AnyObject } from '../api/objects.ts';
import { ApiError, request } from '../api/request.ts';
import { collectionPath, findResource, parseRowId, type Resource } from '../api/resources.ts';

/** More would be read more slowly than anybody follows. */
export const podsMax = 20;
const cronJobs = 'cronjobs.batch';
const groups: readonly string[] = [
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  cronJobs,
  'replicationcontrollers',
  'services',
];

/** By row id. */
export function isGroup(id: string): boolean {
  return groups.includes(id.split('/')[0] ?? '');
}

export function hasLogs(id: string): boolean {
  return isGroup(id) || id.startsWith('pods/');
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
}

/** As a request and kubectl's `-l` take it; '' for what selects nothing. */
export function selectorOf({ spec }: AnyObject): string {
  const selector = spec?.['selector'];
  if (typeof selector !== 'object' || selector === null) return '';
  const { matchLabels, matchExpressions = [] } = selector as Selector;
  // Of Services and ReplicationControllers it is the labels themselves.
  const labels = matchLabels ?? (matchExpressions.length > 0 ? {} : (selector as Readonly<Record<string, string>>));
  const terms: Readonly<Record<string, (key: string, values: readonly string[]) => string>> = {
    In: (key, values) => `${key} in (${values.join(',')})`,
    NotIn: (key, values) => `${key} notin (${values.join(',')})`,
    Exists: (key) => key,
    DoesNotExist: (key) => `!${key}`,
  };
  return [
    ...Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values = [] }) => terms[operator]?.(key, values) ?? ''),
  ]
    .filter((term) => term !== '')
    .join(',');
}

export interface PodsRead {
  readonly pods: readonly AnyObject[];
  /** Pods that are left out. */
  readonly more: number;
  /** Of each object that selects pods: by what. */
  readonly selectors: ReadonlyMap<string, string>;
}

interface PodList {
  readonly items: readonly AnyObject[];
  readonly metadata: { readonly remainingItemCount?: number };
}

export async function readPods(resources: readonly Resource[], ids: readonly string[], signal: AbortSignal): Promise<PodsRead> {
  const found = new Map<string, AnyObject>();
  const selectors = new Map<string, string>();
  let more = 0;
  for (const id of ids) {
    const name = parseRowId(id);
    const resource = findResource(resources, name);
    if (!resource || !hasLogs(id)) continue;
    const object = await readOrNone(`${collectionPath(resource, name.namespace)}/${encodeURIComponent(name.name)}`, signal);
    if (!object) continue;
    if (!isGroup(id)) {
      found.set(object.metadata.uid ?? id, object);
      continue;
    }
    const selector = id.startsWith(`${cronJobs}/`) ? await selectorOfRuns(id, signal) : selectorOf(object);
    if (selector === '') continue;
    selectors.set(id, selector);
    const query = new URLSearchParams({ labelSelector: selector, limit: String(podsMax) });
    const path = `/api/v1/namespaces/${encodeURIComponent(name.namespace)}/pods?${query.toString()}`;
    const { items, metadata } = await request<PodList & KubeObject>(path, { signal, quiet: true });
    for (const pod of items) found.set(pod.metadata.uid ?? '', pod);
    more += metadata.remainingItemCount ?? 0;
  }
  const pods = [...found.values()];
  return { pods: pods.slice(0, podsMax), more: more + Math.max(0, pods.length - podsMax), selectors };
}

/** Jobs that a CronJob keeps are few; of one that keeps them all, those of which something happened last. */
const jobsMax = 50;

/** Of the pods of a CronJob's Jobs; '' while it has none. */
async function selectorOfRuns(id: string, signal: AbortSignal): Promise<string> {
  const names = (await readOwned(id, 'Job', jobsMax, signal)).map(({ name }) => name);
  // The label of the Job's own controller, which every release gives.
  return names.length === 0 ? '' : `job-name in (${names.toSorted().join(',')})`;
}

async function readOrNone(path: string, signal: AbortSignal): Promise<AnyObject | undefined> {
  try {
    return (await request(path, { signal, quiet: true })) as AnyObject;
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}
