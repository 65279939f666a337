/** What the graph knows of one object. Mirrors pkg/controller/garbagecollector/graph.go. */
import type { KubeObject, ObjectMeta, OwnerReference } from '../../apimachinery/object.ts';
import type { ResourceType } from '../../client/client.ts';

export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface GraphNode {
  identity: Identity;
  /** Most own nothing: those share one empty set. `addDependent` and `deleteDependent` change it. */
  dependents: ReadonlySet<GraphNode>;
  owners: readonly OwnerReference[];
  deletingDependents: boolean;
  beingDeleted: boolean;
  /** Known from a reference only, not seen yet. */
  virtual: boolean;
}

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

const noDependents: ReadonlySet<GraphNode> = new Set();

export function identityOf(type: ResourceType, { metadata }: KubeObject): Identity {
  const { namespace = '', name = '', uid = '' } = metadata;
  return { apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`, kind: type.kind, namespace, name, uid };
}

export function identityOfOwner({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): Identity {
  return { apiVersion, kind, namespace, name, uid };
}

export function nodeOf(identity: Identity, metadata: ObjectMeta): GraphNode {
  const beingDeleted = metadata.deletionTimestamp !== undefined;
  const deletingDependents = beingDeleted && hasFinalizer(metadata, foregroundFinalizer);
  return { identity, dependents: noDependents, owners: metadata.ownerReferences ?? [], deletingDependents, beingDeleted, virtual: false };
}

export function virtualNode(identity: Identity): GraphNode {
  return { identity, dependents: noDependents, owners: [], deletingDependents: false, beingDeleted: false, virtual: true };
}

export function addDependent(owner: GraphNode, dependent: GraphNode): void {
  if (owner.dependents === noDependents) owner.dependents = new Set([dependent]);
  else (owner.dependents as Set<GraphNode>).add(dependent);
}

export function deleteDependent(owner: GraphNode | undefined, dependent: GraphNode): void {
  if (owner !== undefined && owner.dependents !== noDependents) (owner.dependents as Set<GraphNode>).delete(dependent);
}

export function hasFinalizer({ finalizers }: ObjectMeta, finalizer: string): boolean {
  return finalizers?.includes(finalizer) ?? false;
}

export function sameIdentity(a: Identity, b: Identity): boolean {
  return a.uid === b.uid && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion && a.namespace === b.namespace;
}

export function matchesIdentity(reference: OwnerReference, identity: Identity): boolean {
  return (
    reference.uid === identity.uid &&
    reference.name === identity.name &&
    reference.kind === identity.kind &&
    reference.apiVersion === identity.apiVersion
  );
}

export function identityText({ apiVersion, kind, namespace, name, uid }: Identity): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}

/** In upstream's order of references, so that what is done for all does not depend on how the graph came about. */
export function sortedNodes(nodes: Iterable<GraphNode>): readonly GraphNode[] {
  return [...nodes].sort((a, b) => compareIdentity(a.identity, b.identity));
}

function compareIdentity(a: Identity, b: Identity): number {
  for (const field of ['kind', 'apiVersion', 'namespace', 'name', 'uid'] as const) {
    if (a[field] !== b[field]) return a[field] < b[field] ? -1 : 1;
  }
  return 0;
}

/** Dependents whose references to the identity are right, and those with a wrong one. One may be among both. */
export function partition(
  dependents: Iterable<GraphNode>,
  identity: Identity,
): { readonly matching: readonly GraphNode[]; readonly other: readonly GraphNode[] } {
  const matching: GraphNode[] = [];
  const other: GraphNode[] = [];
  for (const dependent of sortedNodes(dependents)) {
    const foreign = identity.namespace !== '' && identity.namespace !== dependent.identity.namespace;
    const references = dependent.owners.filter(({ uid }) => uid === identity.uid);
    if (!foreign && references.some((reference) => matchesIdentity(reference, identity))) matching.push(dependent);
    if (foreign || references.some((reference) => !matchesIdentity(reference, identity))) other.push(dependent);
  }
  return { matching, other };
}

/** Another identity under which dependents know an owner that is absent under this one. */
export function alternateIdentity(dependents: readonly GraphNode[], absent: Identity): Identity | undefined {
  const candidates: Identity[] = [];
  for (const dependent of dependents) {
    for (const reference of dependent.owners) {
      if (reference.uid !== absent.uid) continue;
      const { namespace } = dependent.identity;
      if (matchesIdentity(reference, absent) && (absent.namespace === '' || absent.namespace === namespace)) continue;
      const clusterScoped = absent.namespace === '' && reference.apiVersion === absent.apiVersion && reference.kind === absent.kind;
      const candidate = identityOfOwner(reference, clusterScoped ? '' : namespace);
      if (!sameIdentity(candidate, absent)) candidates.push(candidate);
    }
  }
  candidates.sort(compareIdentity);
  return candidates.find((candidate) => compareIdentity(absent, candidate) < 0) ?? candidates[0];
}
