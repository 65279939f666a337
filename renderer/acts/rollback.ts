/**
 * A workload goes back to the template of the revision before, as `kubectl rollout undo` does it: a Deployment to that of its ReplicaSet, a
 * StatefulSet or DaemonSet to what its ControllerRevision keeps.
 */
import type { ControllerRevision } from '../../engine/api/apps/v1/types.gen.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { isObject, type JsonObject, type JsonValue } from '../../engine/base/json.ts';
import type { AnyObject } from '../api/objects.ts';
import { request } from '../api/request.ts';
import { texts } from '../texts/texts.ts';
import { type ActTarget, pathOf } from './act.ts';
import { differingFields } from './differing-fields.ts';

const revisionAnnotation = 'deployment.kubernetes.io/revision';
const hashLabel = 'pod-template-hash';
const words = texts.acts;

interface Template extends JsonObject {
  readonly metadata?: { readonly labels?: { readonly [name: string]: string } };
}
interface ReplicaSet extends KubeObject {
  readonly spec?: { readonly template?: Template };
}

export interface Previous {
  readonly revision: string;
  readonly template: JsonObject;
  /** What is sent, and as what. */
  readonly body: JsonValue;
  readonly contentType: string;
}

/** Undefined where there is none. */
async function previousOf(workload: AnyObject): Promise<Previous | undefined> {
  return workload.kind === 'Deployment' ? previousOfDeployment(workload) : previousByRevisions(workload);
}

async function previousOfDeployment(deployment: AnyObject): Promise<Previous | undefined> {
  const own = (await ownedBy<ReplicaSet>(deployment, 'replicasets')).toSorted((a, b) => revisionOf(b) - revisionOf(a));
  const [, before] = own;
  if (before?.spec?.template === undefined) return undefined;
  const { template: kept } = before.spec;
  const labels = Object.fromEntries(Object.entries(kept.metadata?.labels ?? {}).filter(([name]) => name !== hashLabel));
  const template: JsonObject = { ...kept, metadata: { ...kept.metadata, labels } };
  const body = [
    { op: 'replace', path: '/spec/template', value: template },
    { op: 'replace', path: '/metadata/annotations', value: annotationsAt(deployment, before) },
  ];
  return { revision: String(revisionOf(before)), template, body, contentType: 'application/json-patch+json' };
}

/** What a Deployment keeps of its own whatever it goes back to; the others (`kubernetes.io/change-cause`) go back with its template. */
const keptAnnotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deprecated.deployment.rollback.to',
]);

function annotationsAt({ metadata: own }: AnyObject, { metadata: then }: ReplicaSet): JsonObject {
  const kept = Object.entries(own.annotations ?? {}).filter(([name]) => keptAnnotations.has(name));
  const back = Object.entries(then.annotations ?? {}).filter(([name]) => !keptAnnotations.has(name));
  return Object.fromEntries([...kept, ...back]);
}

function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[revisionAnnotation] ?? 0);
}

/** What a revision keeps is a patch that puts its template in the place of another. */
async function previousByRevisions(workload: AnyObject): Promise<Previous | undefined> {
  const own = (await ownedBy<ControllerRevision & KubeObject>(workload, 'controllerrevisions')).toSorted(
    (a, b) => Number(b.revision) - Number(a.revision),
  );
  const [, before] = own;
  const spec = before?.data?.['spec'];
  const template = isObject(spec) ? spec['template'] : undefined;
  if (!before?.data || !isObject(template)) return undefined;
  return { revision: String(before.revision), template, body: before.data, contentType: 'application/strategic-merge-patch+json' };
}

async function ownedBy<T extends KubeObject>({ metadata, spec }: AnyObject, resource: string): Promise<readonly T[]> {
  const labels = (spec?.['selector'] as { matchLabels?: { [name: string]: string } } | undefined)?.matchLabels ?? {};
  const selector = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  const path = `/apis/apps/v1/namespaces/${metadata.namespace ?? ''}/${resource}?labelSelector=${encodeURIComponent(selector.join(','))}`;
  const { items } = await request<{ items: readonly T[] }>(path);
  return items.filter((one) => one.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) === true);
}

const othersShown = 5;

/** Which revision it would be, the images that it brings, and what else it changes. */
export async function undoForecast(workload: AnyObject): Promise<readonly string[]> {
  const before = await previousOf(workload);
  if (before === undefined) return [words.forecast.noRevision];
  const template = isObject(workload.spec?.['template'] as JsonValue) ? (workload.spec?.['template'] as JsonObject) : {};
  const [then, now] = [imagesOf(before.template), imagesOf(template)];
  const changed = [...then].filter(([name, image]) => now.get(name) !== image);
  const told = new Set(changed.map(([name]) => `spec.containers[${name}].image`));
  const others = differingFields(template, before.template).filter((path) => !told.has(path) && path !== '$patch' && !path.endsWith(`.${hashLabel}`));
  return [
    words.forecast.undo(before.revision),
    ...changed.map(([name, image]) => words.forecast.image(name, now.get(name) ?? '', image)),
    ...(others.length === 0 ? [] : [words.forecast.others(others.slice(0, othersShown), others.length - othersShown)]),
  ];
}

function imagesOf(template: JsonObject): ReadonlyMap<string, string> {
  const spec = isObject(template['spec']) ? template['spec'] : {};
  const containers = (spec['containers'] ?? []) as readonly { readonly name?: string; readonly image?: string }[];
  return new Map(containers.map(({ name = '', image = '' }) => [name, image]));
}

export async function undo(target: ActTarget, workload: AnyObject): Promise<string> {
  if (workload.spec?.['paused'] === true) throw new Error(words.undoPaused);
  const before = await previousOf(workload);
  if (before === undefined) throw new Error(words.forecast.noRevision);
  await request(pathOf(target), { method: 'PATCH', body: before.body, contentType: before.contentType });
  return words.forecast.undo(before.revision);
}
