/** Asks the pods of a node to leave, as `kubectl drain` does in one round; says before which budgets will refuse some. */
import { fieldSelector } from '../lib/field-selector.ts';
import type { Pod } from '../../engine/api/core/v1/types.gen.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { messageOf, request } from '../api/request.ts';
import { findResource, useResources } from '../api/resources.ts';
import { texts } from '../texts/texts.ts';

interface Budget extends KubeObject {
  readonly spec?: { readonly selector?: Selector };
  readonly status?: { readonly disruptionsAllowed?: number };
}
interface Selector {
  readonly matchLabels?: { readonly [name: string]: string };
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
}
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
  const go = items.filter((pod) => pod.metadata.annotations?.[mirrorAnnotation] === undefined && !(isOfDaemonSet(pod) && !isOver(pod)));
  return { go, ignored: items.length - go.length };
}

function isOfDaemonSet({ metadata }: Pod): boolean {
  return (
    metadata.ownerReferences?.some(({ kind, apiVersion, controller }) => controller === true && kind === 'DaemonSet' && apiVersion === 'apps/v1') ===
    true
  );
}

/** What has finished is taken away also of DaemonSets, and breaks no budget. */
function isOver({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Of several nodes a budget counts the pods of all. */
export async function drainForecast(nodes: readonly string[]): Promise<readonly string[]> {
  const parts = await Promise.all(nodes.map(leaving));
  const go = parts.flatMap((part) => part.go);
  const ignored = parts.reduce((sum, part) => sum + part.ignored, 0);
  const words = texts.acts.forecast;
  const unowned = go.filter(({ metadata }) => (metadata.ownerReferences ?? []).length === 0).length;
  const said = [words.drain(nodes.length, go.length, ignored)];
  if (unowned > 0) said.push(words.unowned(unowned));
  const { items } = await request<{ items: readonly Budget[] }>(`/apis/policy/${policyVersion()}/poddisruptionbudgets`);
  for (const { metadata, spec, status } of items) {
    const matching = go.filter(
      (pod) => !isOver(pod) && pod.metadata.namespace === metadata.namespace && selects(spec?.selector, pod.metadata.labels ?? {}),
    ).length;
    const allowed = status?.disruptionsAllowed ?? 0;
    if (matching > allowed) said.push(words.budget(`${metadata.namespace ?? ''}/${metadata.name ?? ''}`, allowed, matching, nodes.length));
  }
  return said;
}

/** An absent selector of a budget selects nothing, an empty one everything. */
function selects(selector: Selector | undefined, labels: { readonly [name: string]: string }): boolean {
  if (selector === undefined) return false;
  const own = new Map(Object.entries(labels));
  const isEqual = Object.entries(selector.matchLabels ?? {}).every(([name, value]) => own.get(name) === value);
  return isEqual && (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => meets(own.get(key), operator, values));
}

function meets(value: string | undefined, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}

/** One eviction after the other, so that each budget sees the one before. Throws when none could leave. */
export async function drain(node: string): Promise<string> {
  const { go } = await leaving(node);
  const refusals: string[] = [];
  for (const { metadata } of go) {
    const { namespace = '', name = '' } = metadata;
    const body = { apiVersion: `policy/${policyVersion()}`, kind: 'Eviction', metadata: { namespace, name } };
    try {
      await request(`/api/v1/namespaces/${namespace}/pods/${encodeURIComponent(name)}/eviction`, { method: 'POST', body });
    } catch (error) {
      refusals.push(`${namespace}/${name}: ${messageOf(error)}`);
    }
  }
  const said = texts.acts.drained(go.length - refusals.length, refusals.length);
  if (refusals.length === 0) return said;
  throw new Error(`${said}. ${refusals[0]}`);
}
