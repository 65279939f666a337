/** A Deployment goes back to the template of the revision before, as `kubectl rollout undo` does it. */
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { JsonValue } from '../../engine/base/json.ts';
import type { AnyObject } from '../api/objects.ts';
import { request } from '../api/request.ts';
import { texts } from '../texts/texts.ts';
import { type ActTarget, pathOf } from './act.ts';

const revisionAnnotation = 'deployment.kubernetes.io/revision';
const hashLabel = 'pod-template-hash';

interface Template {
  readonly metadata?: { readonly labels?: { readonly [name: string]: string } };
}
interface ReplicaSet extends KubeObject {
  readonly spec?: { readonly template?: Template };
}

export interface Previous {
  readonly revision: string;
  readonly template: JsonValue;
}

/** Undefined where there is none. */
export async function previousTemplate({ metadata, spec }: AnyObject): Promise<Previous | undefined> {
  const labels = (spec?.['selector'] as { matchLabels?: { [name: string]: string } } | undefined)?.matchLabels ?? {};
  const selector = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  const path = `/apis/apps/v1/namespaces/${metadata.namespace ?? ''}/replicasets?labelSelector=${encodeURIComponent(selector.join(','))}`;
  const { items } = await request<{ items: readonly ReplicaSet[] }>(path);
  const own = items
    .filter((set) => set.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) === true)
    .toSorted((a, b) => revisionOf(b) - revisionOf(a));
  const [, before] = own;
  if (before?.spec?.template === undefined) return undefined;
  const { template } = before.spec;
  const kept = Object.entries(template.metadata?.labels ?? {}).filter(([name]) => name !== hashLabel);
  return {
    revision: String(revisionOf(before)),
    template: { ...template, metadata: { ...template.metadata, labels: Object.fromEntries(kept) } } as unknown as JsonValue,
  };
}

function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[revisionAnnotation] ?? 0);
}

export async function undo(target: ActTarget, deployment: AnyObject): Promise<string> {
  if (deployment.spec?.['paused'] === true) throw new Error('A rollout that is paused cannot be rolled back: resume it first.');
  const before = await previousTemplate(deployment);
  if (before === undefined) throw new Error(texts.acts.forecast.noRevision);
  const body: JsonValue = [{ op: 'replace', path: '/spec/template', value: before.template }];
  await request(pathOf(target), { method: 'PATCH', body, contentType: 'application/json-patch+json' });
  return texts.acts.forecast.undo(before.revision);
}
