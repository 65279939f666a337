/**
 * What the garbage collector asks of the API server: live objects, deletions with preconditions, references and finalizers taken
 * away by patches. Mirrors operations.go and patch.go of pkg/controller/garbagecollector.
 */
import { deepEqual } from '../../base/equal.ts';
import { isConflict, isNotFound, isUnsupportedMediaType } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { JsonValue } from '../../base/json.ts';
import type { Client, ResourceType } from '../../client/client.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import type { GraphNode, Identity } from './node.ts';
import { identityText } from './node.ts';

const conflictRetriesMax = 4;

/** A cluster-scoped object cannot have an owner in a namespace; no retry will help. */
export class InvalidScope extends Error {
  constructor() {
    super('cluster-scoped objects cannot refer to namespaced owners');
    this.name = 'InvalidScope';
  }
}

export class Operations {
  readonly #types: () => readonly ResourceType[];

  constructor(types: () => readonly ResourceType[]) {
    this.#types = types;
  }

  /** The resource of a kind; throws to be retried when there is none (yet). */
  typeOf(apiVersion: string, kind: string): ResourceType {
    const slash = apiVersion.indexOf('/');
    const group = slash < 0 ? '' : apiVersion.slice(0, slash);
    const version = apiVersion.slice(slash + 1);
    const types = this.#types().filter((type) => type.kind === kind && type.group === group);
    const found = types.find((type) => type.version === version) ?? types[0];
    if (found === undefined) throw new RetryError(`unable to get REST mapping for ${apiVersion}/${kind}.`);
    return found;
  }

  get(client: Client, identity: Identity): Promise<KubeObject> {
    const type = this.typeOf(identity.apiVersion, identity.kind);
    if (type.namespaced && identity.namespace === '') throw new InvalidScope();
    return client.get(type, type.namespaced ? identity.namespace : undefined, identity.name);
  }

  /** Deletes the object if it is still the one that was looked at; an unrelated change does not hinder it. */
  async delete(client: Client, identity: Identity, latest: KubeObject, propagationPolicy: string): Promise<void> {
    const type = this.typeOf(identity.apiVersion, identity.kind);
    const namespace = type.namespaced ? identity.namespace : undefined;
    const { uid } = identity;
    const { resourceVersion = '', ownerReferences } = latest.metadata;
    try {
      await client.delete(type, namespace, identity.name, { preconditions: { uid, resourceVersion }, propagationPolicy });
    } catch (error) {
      if (!isConflict(error)) throw error;
      const live = await client.get(type, namespace, identity.name);
      const unrelated =
        live.metadata.uid === uid &&
        live.metadata.resourceVersion !== resourceVersion &&
        deepEqual(live.metadata.ownerReferences ?? [], ownerReferences ?? []);
      if (!unrelated) throw error;
      await client.delete(type, namespace, identity.name, { preconditions: { uid }, propagationPolicy });
    }
  }

  async removeOwners(client: Client, node: GraphNode, uids: readonly string[]): Promise<void> {
    const patch = { metadata: { uid: node.identity.uid, ownerReferences: uids.map((uid) => ({ $patch: 'delete', uid })) } };
    await this.#patch(client, node, patch, ({ metadata }) => {
      const left = (metadata.ownerReferences ?? []).filter(({ uid }) => !uids.includes(uid));
      return {
        metadata: { resourceVersion: metadata.resourceVersion ?? '', ownerReferences: left.length > 0 ? left.map((owner) => ({ ...owner })) : null },
      };
    });
  }

  /** Owners need not wait for this object any more. */
  async unblockOwners(client: Client, node: GraphNode): Promise<void> {
    const blocking = node.owners.filter((owner) => owner.blockOwnerDeletion).map((owner) => ({ ...owner, blockOwnerDeletion: false }));
    const patch = { metadata: { uid: node.identity.uid, ownerReferences: blocking } };
    await this.#patch(client, node, patch, ({ metadata }) => {
      const ownerReferences = node.owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
      return { metadata: { resourceVersion: metadata.resourceVersion ?? '', ownerReferences } };
    });
  }

  async removeFinalizer(client: Client, identity: Identity, finalizer: string): Promise<void> {
    const type = this.typeOf(identity.apiVersion, identity.kind);
    const namespace = type.namespaced ? identity.namespace : undefined;
    for (let attempts = 0; attempts < conflictRetriesMax; attempts++) {
      try {
        const { metadata } = await this.get(client, identity);
        const { finalizers = [], resourceVersion = '' } = metadata;
        if (!finalizers.includes(finalizer)) return;
        const left = finalizers.filter((other) => other !== finalizer);
        await client.patch(type, namespace, identity.name, 'merge', { metadata: { resourceVersion, finalizers: left.length > 0 ? left : null } });
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error)) throw error;
      }
    }
    throw new RetryError(
      `updateMaxRetries(${conflictRetriesMax}) has reached. The garbage collector will retry later for owner ${identityText(identity)}`,
    );
  }

  /** Custom resources know no strategic merge; they get a merge patch of the live object. */
  async #patch(client: Client, { identity }: GraphNode, strategic: JsonValue, merge: (live: KubeObject) => JsonValue): Promise<void> {
    const type = this.typeOf(identity.apiVersion, identity.kind);
    const namespace = type.namespaced ? identity.namespace : undefined;
    try {
      await client.patch(type, namespace, identity.name, 'strategic', strategic);
    } catch (error) {
      if (!isUnsupportedMediaType(error)) throw error;
      await client.patch(type, namespace, identity.name, 'merge', merge(await client.get(type, namespace, identity.name)));
    }
  }
}
