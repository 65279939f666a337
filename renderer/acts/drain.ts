/** Asks the pods of a node to leave, as `kubectl drain` does in one round; says before which budgets will refuse some. */
import type { Node, Pod } from '../../engine/api/core/v1/types.gen.ts';
import { fieldSelector } from '../lib/field-selector.ts';
import { ApiError, messageOf, request, UnansweredError } from '../api/request.ts';
import { findResource, useResources } from '../api/resources.ts';
import { texts } from '../texts/texts.ts';
import { type Budget, forecastOf, isLeaving, isOver } from './drain-forecast.ts';

interface Leaving {
  readonly go: readonly Pod[];
  readonly ignored: number;
}

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** Releases before 1.21 have the older one alone. */
function policyVersion(): string {
  return findResource(useResources.getState().resources, { resource: 'poddisruptionbudgets', group: 'policy' })?.version ?? 'v1';
}

async function leaving(node: string): Promise<Leaving> {
  const { items } = await request<{ items: readonly Pod[] }>(
    `/api/v1/pods?fieldSelector=${encodeURIComponent(fieldSelector({ 'spec.nodeName': node }))}`,
  );
  const own = items.filter((pod) => pod.metadata.annotations?.[mirrorAnnotation] === undefined);
  const sets = new Set(own.flatMap((pod) => (isOver(pod) ? [] : (daemonSetOf(pod) ?? []))));
  const there = new Set<string>();
  for (const path of sets) if (await exists(path)) there.add(path);
  const go = own.filter((pod) => isOver(pod) || !there.has(daemonSetOf(pod) ?? ''));
  return { go, ignored: items.length - go.length };
}

/** Where the DaemonSet that controls the pod would be. */
function daemonSetOf({ metadata }: Pod): string | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner?.kind !== 'DaemonSet' || owner.apiVersion !== 'apps/v1') return undefined;
  return `/apis/apps/v1/namespaces/${metadata.namespace ?? ''}/daemonsets/${encodeURIComponent(owner.name ?? '')}`;
}

async function exists(path: string): Promise<boolean> {
  try {
    await request(path);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return false;
    throw error;
  }
}

export async function drainForecast(names: readonly string[]): Promise<readonly string[]> {
  const parts = await Promise.all(names.map(leaving));
  const nodes = await Promise.all(names.map((name) => request<Node>(`/api/v1/nodes/${encodeURIComponent(name)}`)));
  const version = policyVersion();
  const { items } = await request<{ items: readonly Budget[] }>(`/apis/policy/${version}/poddisruptionbudgets`);
  return forecastOf({
    nodes: names.length,
    silent: nodes.filter(isSilent).map(({ metadata }) => metadata.name ?? ''),
    go: parts.flatMap((part) => part.go),
    ignored: parts.reduce((sum, part) => sum + part.ignored, 0),
    budgets: items,
    asksAboutAll: version === 'v1beta1',
  });
}

function isSilent({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'Unknown') === true;
}

/** One eviction after the other, so that each budget sees the one before. Throws when some do not leave, and says which and why. */
export async function drain(node: string): Promise<string> {
  const { go } = await leaving(node);
  const refusals = new Map<string, string[]>();
  let refused = 0;
  for (const pod of go) {
    const { namespace = '', name = '' } = pod.metadata;
    const body = { apiVersion: `policy/${policyVersion()}`, kind: 'Eviction', metadata: { namespace, name } };
    try {
      await request(`/api/v1/namespaces/${namespace}/pods/${encodeURIComponent(name)}/eviction`, { method: 'POST', body });
    } catch (error) {
      if (error instanceof UnansweredError) throw error;
      if (goesAllTheSame(pod, error)) continue;
      refused++;
      const why = whyOf(error);
      refusals.set(why, [...(refusals.get(why) ?? []), `${namespace}/${name}`]);
    }
  }
  const said = texts.acts.drained(go.length - refused, refused);
  if (refused === 0) return said;
  throw new Error(
    [said, ...[...refusals].map(([why, pods]) => texts.acts.notDrained(why, pods.slice(0, namesMax), pods.length - namesMax))].join(' '),
  );
}

const namesMax = 3;

/** It has gone meanwhile, or its namespace goes and takes it along. */
function goesAllTheSame(pod: Pod, error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 404 || (error.code === 403 && isLeaving(pod) && error.causes.some(({ reason }) => reason === 'NamespaceTerminating'));
}

/** Which budget it was, and what that lacks, stands in the causes. */
function whyOf(error: unknown): string {
  const causes = error instanceof ApiError ? error.causes.flatMap(({ message }) => (message ? [`${message}.`] : [])) : [];
  return [messageOf(error), ...causes].join(' ');
}
