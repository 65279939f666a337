/**
 * The revisions of one owner: found, adopted, made, counted up, forgotten. Mirrors pkg/controller/history/controller_history.go.
 */
import type { ControllerRevision } from '../../api/apps/v1/types.gen.ts';
import type { PodTemplateSpec } from '../../api/core/v1/types.gen.ts';
import { isAlreadyExists, isNotFound } from '../../apimachinery/errors.ts';
import { compactInt64 } from '../../base/int64.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { Client, ResourceType } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import { controllerRevisions } from '../../client/resources.ts';
import { claim, controllerIndex, newControllerRef, orphansOf } from './controller-ref.ts';
import { nonEmptyMap } from './json.ts';
import type { LabelMatcher } from './label-selector.ts';
import { sortedMap, withMeta } from '../../component-helpers/meta.ts';
import { patchData, type RevisionData } from './revision-data.ts';
import { revisionHash } from './template-hash.ts';

/** Label of a revision that `createRevision` makes, with its first hash. */
const hashLabel = 'controller.kubernetes.io/hash';
/** Label of pods with the name or hash of their revision, and of a DaemonSet's revisions with their hash. */
export const revisionLabel = 'controller-revision-hash';
const prefixLengthMax = 223;

export interface RevisionOwner {
  readonly object: KubeObject;
  readonly type: ResourceType;
  readonly matches: LabelMatcher;
}

/** Oldest first; Go's order of equal ones too. */
export function byRevision(a: ControllerRevision, b: ControllerRevision): number {
  const [left, right] = [BigInt(a.revision ?? 0), BigInt(b.revision ?? 0)];
  if (left !== right) return left < right ? -1 : 1;
  const [born, otherBorn] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  if (born !== otherBorn) return born < otherBorn ? -1 : 1;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}

/** Revisions that the owner controls or that nobody does, of those its selector matches, oldest first. */
export function listRevisions(cache: Informer<ControllerRevision>, owner: RevisionOwner): readonly ControllerRevision[] {
  return candidateRevisions(cache, owner)
    .filter(({ metadata }) => owner.matches(metadata.labels))
    .sort(byRevision);
}

/** Revisions that the owner controls, and those of nobody that its selector matches. */
export function candidateRevisions(cache: Informer<ControllerRevision>, { object, matches }: RevisionOwner): readonly ControllerRevision[] {
  const { uid = '', namespace } = object.metadata;
  const orphans = cache.byIndex(controllerIndex, orphansOf(namespace)).filter(({ metadata }) => matches(metadata.labels));
  return [...cache.byIndex(controllerIndex, uid), ...orphans];
}

/** Those of the candidates that the owner controls after adopting what matches and releasing what matches no more. `evenGoing`: an owner that goes adopts too. */
export function claimRevisions(
  client: Client,
  { object, type, matches }: RevisionOwner,
  candidates: readonly ControllerRevision[],
  evenGoing = false,
): Promise<readonly ControllerRevision[]> {
  return claim({ client, owner: object, ownerType: type, type: controllerRevisions, matches, evenGoing }, candidates);
}

/** A revision that is not made yet, named after its hash, which `label` holds; with the owner's annotations. */
export function draftRevision(
  { object, type }: RevisionOwner,
  template: PodTemplateSpec | undefined,
  { revision, hash, label, patch }: { readonly revision: bigint; readonly hash: string; readonly label: string; readonly patch: string },
): ControllerRevision {
  const { name = '', namespace, annotations = {} } = object.metadata;
  return {
    kind: 'ControllerRevision',
    apiVersion: 'apps/v1',
    metadata: withMeta(
      {},
      {
        name: revisionName(name, hash),
        namespace,
        labels: sortedMap({ ...template?.metadata?.labels, [label]: hash }),
        annotations: nonEmptyMap(annotations),
        ownerReferences: [newControllerRef(object, type)],
      },
    ),
    data: patchData(patch),
    revision: compactInt64(revision),
  };
}

function revisionName(prefix: string, hash: string): string {
  return `${prefix.slice(0, prefixLengthMax)}-${hash}`;
}

/** Makes the revision of a template; another one of that name makes the hash count up. Returns the count too. */
export async function createRevision(
  client: Client,
  data: RevisionData,
  owner: RevisionOwner,
  template: PodTemplateSpec | undefined,
  next: { readonly revision: bigint; readonly collisionCount: number },
): Promise<{ readonly revision: ControllerRevision; readonly collisionCount: number }> {
  const patch = data.patchOf(template);
  const first = draftRevision(owner, template, { revision: next.revision, hash: revisionHash(patch, next.collisionCount), label: hashLabel, patch });
  const { namespace, name: ownerName = '' } = owner.object.metadata;
  for (let collisionCount = next.collisionCount; ; collisionCount++) {
    const name = revisionName(ownerName, revisionHash(patch, collisionCount));
    try {
      // Only the name counts up, as upstream's: the label keeps the first hash.
      const revision = await client.create(controllerRevisions, { ...first, metadata: { ...first.metadata, name } });
      return { revision, collisionCount };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const existing = await client.get(controllerRevisions, namespace, name);
    if (data.textOf(existing) === patch) return { revision: existing, collisionCount };
  }
}

/** The revision with another number, e.g. when an old template is the newest again. */
export function renumber(client: Client, revision: ControllerRevision, number: bigint): Promise<ControllerRevision> {
  return client.update(controllerRevisions, { ...revision, revision: compactInt64(number) });
}

/** Deletes the revisions; one that is gone is no error. */
export async function forgetRevisions(client: Client, revisions: readonly ControllerRevision[]): Promise<void> {
  for (const { metadata } of revisions) {
    try {
      await client.delete(controllerRevisions, metadata.namespace, metadata.name ?? '');
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** One more than the newest, 1 without any; it overflows as Go's numbers do. */
export function nextNumber(sorted: readonly ControllerRevision[]): bigint {
  return BigInt.asIntN(64, BigInt(sorted.at(-1)?.revision ?? 0) + 1n);
}
