/**
 * Who owns whom, kept up to date by every change of every object at constant cost, and what each change asks to be looked at:
 * objects whose owners may be gone, owners that wait for their dependents. Mirrors
 * pkg/controller/garbagecollector/graph_builder.go.
 */
import { deepEqual } from '../../base/equal.ts';
import type { Cause } from '../../base/causes.ts';
import type { KubeObject, OwnerReference } from '../../apimachinery/object.ts';
import type { ResourceType } from '../../client/client.ts';
import type { InformerEvent } from '../../client/informer.ts';
import type { AbsentOwners } from './absent-owners.ts';
import {
  addDependent,
  alternateIdentity,
  deleteDependent,
  foregroundFinalizer,
  type GraphNode,
  hasFinalizer,
  type Identity,
  identityOf,
  identityOfOwner,
  matchesIdentity,
  nodeOf,
  orphanFinalizer,
  partition,
  sameIdentity,
  sortedNodes,
  virtualNode,
} from './node.ts';

export interface GraphHost {
  attemptToDelete(node: GraphNode, causes: readonly Cause[]): void;
  attemptToDeleteLater(node: GraphNode, causes: readonly Cause[]): void;
  attemptToOrphan(node: GraphNode, causes: readonly Cause[]): void;
  /** A dependent names an owner of another namespace. */
  reportInvalidNamespace(dependent: GraphNode, ownerUid: string, causes: readonly Cause[]): void;
}

const noOwners: readonly OwnerReference[] = [];

export class Graph {
  readonly #host: GraphHost;
  readonly #absent: AbsentOwners;
  readonly #nodes = new Map<string, GraphNode>();

  constructor(host: GraphHost, absent: AbsentOwners) {
    this.#host = host;
    this.#absent = absent;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** Puts an object that has been known for long into an empty graph; nobody is asked to look at anything. */
  load(type: ResourceType, object: KubeObject): void {
    const identity = identityOf(type, object);
    const known = this.#nodes.get(identity.uid);
    const node = nodeOf(identity, object.metadata);
    if (known !== undefined && !known.virtual) return;
    for (const dependent of known?.dependents ?? []) addDependent(node, dependent);
    this.#nodes.set(identity.uid, node);
    for (const reference of node.owners) {
      let owner = this.#nodes.get(reference.uid);
      if (owner === undefined) {
        owner = virtualNode(identityOfOwner(reference, identity.namespace));
        this.#nodes.set(reference.uid, owner);
      }
      addDependent(owner, node);
    }
  }

  apply(type: ResourceType, event: InformerEvent<KubeObject>): void {
    const { object, causes } = event;
    const { uid = '', deletionTimestamp, ownerReferences = noOwners } = object.metadata;
    const node = this.#nodes.get(uid);
    if (node?.virtual) this.#observe(node, identityOf(type, object), causes);
    if (event.type === 'delete') {
      if (node !== undefined) this.#remove(node, identityOf(type, object), causes);
      return;
    }
    const old = event.type === 'update' ? event.old : undefined;
    if (node === undefined) {
      const added = nodeOf(identityOf(type, object), object.metadata);
      this.#nodes.set(uid, added);
      this.#addToOwners(added, added.owners, causes);
      this.#processTransitions(added, old, object, causes);
      return;
    }
    if (node.owners !== ownerReferences) this.#changeOwners(node, ownerReferences, causes);
    if (deletionTimestamp === undefined) return;
    node.beingDeleted = true;
    this.#processTransitions(node, old, object, causes);
  }

  /** The API server says that there is no object of this identity. */
  applyAbsence(identity: Identity, causes: readonly Cause[]): void {
    const node = this.#nodes.get(identity.uid);
    if (node === undefined) return;
    if (!node.virtual && sameIdentity(node.identity, identity)) {
      this.#remove(node, identity, causes);
      return;
    }
    const { matching, other } = partition(node.dependents, identity);
    if (node.virtual && other.length === 0) {
      this.#remove(node, identity, causes);
      return;
    }
    if (matching.length > 0) {
      this.#absent.add(identity);
      for (const dependent of matching) this.#host.attemptToDelete(dependent, causes);
    }
    if (!node.virtual || !sameIdentity(node.identity, identity)) return;
    const alternate = alternateIdentity(other, identity);
    if (alternate === undefined) return;
    node.identity = alternate;
    this.#host.attemptToDeleteLater(node, causes);
  }

  #observe(node: GraphNode, identity: Identity, causes: readonly Cause[]): void {
    node.virtual = false;
    if (sameIdentity(node.identity, identity)) return;
    for (const dependent of partition(node.dependents, identity).other) {
      if (identity.namespace !== '' && dependent.identity.namespace !== identity.namespace)
        this.#host.reportInvalidNamespace(dependent, identity.uid, causes);
      this.#host.attemptToDelete(dependent, causes);
    }
    node.identity = identity;
  }

  #remove(node: GraphNode, identity: Identity, causes: readonly Cause[]): void {
    this.#nodes.delete(node.identity.uid);
    for (const { uid } of node.owners) deleteDependent(this.#nodes.get(uid), node);
    if (node.dependents.size > 0) this.#absent.add(identity);
    for (const dependent of sortedNodes(node.dependents)) this.#host.attemptToDelete(dependent, causes);
    for (const { uid } of node.owners) {
      const owner = this.#nodes.get(uid);
      if (owner?.deletingDependents) this.#host.attemptToDelete(owner, causes);
    }
  }

  #changeOwners(node: GraphNode, owners: readonly OwnerReference[], causes: readonly Cause[]): void {
    const added = owners.filter(({ uid }) => !node.owners.some((old) => old.uid === uid));
    const removed = node.owners.filter(({ uid }) => !owners.some((next) => next.uid === uid));
    for (const old of node.owners) {
      const next = owners.find(({ uid }) => uid === old.uid);
      if (!old.blockOwnerDeletion || (next !== undefined && (next.blockOwnerDeletion || deepEqual(old, next)))) continue;
      const owner = this.#nodes.get(old.uid);
      if (owner !== undefined) this.#host.attemptToDelete(owner, causes);
    }
    node.owners = owners;
    if (added.length > 0) this.#addToOwners(node, added, causes);
    for (const { uid } of removed) deleteDependent(this.#nodes.get(uid), node);
  }

  #addToOwners(node: GraphNode, owners: readonly OwnerReference[], causes: readonly Cause[]): void {
    let doubtful = false;
    for (const reference of owners) {
      const owner = this.#nodes.get(reference.uid);
      if (owner === undefined) {
        const added = virtualNode(identityOfOwner(reference, node.identity.namespace));
        this.#nodes.set(reference.uid, added);
        addDependent(added, node);
        this.#host.attemptToDelete(added, causes);
        continue;
      }
      addDependent(owner, node);
      if (!doubtful) doubtful = this.#isDoubtful(node, reference, owner, causes);
    }
    if (doubtful) this.#host.attemptToDelete(node, causes);
  }

  /** The reference and what is known of the owner do not fit together. */
  #isDoubtful(node: GraphNode, reference: OwnerReference, owner: GraphNode, causes: readonly Cause[]): boolean {
    const { namespace } = owner.identity;
    if (namespace !== '' && namespace !== node.identity.namespace) {
      if (!owner.virtual) this.#host.reportInvalidNamespace(node, reference.uid, causes);
      return true;
    }
    if (!matchesIdentity(reference, owner.identity)) return true;
    return namespace === '' && node.identity.namespace !== '' && owner.virtual;
  }

  #processTransitions(node: GraphNode, old: KubeObject | undefined, object: KubeObject, causes: readonly Cause[]): void {
    if (startsDeletionWith(orphanFinalizer, old, object)) {
      this.#host.attemptToOrphan(node, causes);
      return;
    }
    if (!startsDeletionWith(foregroundFinalizer, old, object)) return;
    node.deletingDependents = true;
    for (const dependent of sortedNodes(node.dependents)) this.#host.attemptToDelete(dependent, causes);
    this.#host.attemptToDelete(node, causes);
  }
}

function startsDeletionWith(finalizer: string, old: KubeObject | undefined, object: KubeObject): boolean {
  if (object.metadata.deletionTimestamp === undefined || !hasFinalizer(object.metadata, finalizer)) return false;
  return old === undefined || old.metadata.deletionTimestamp === undefined || !hasFinalizer(old.metadata, finalizer);
}
