/**
 * Deletes what has lost its owners, lets owners wait for their dependents, and sets dependents free. Mirrors
 * pkg/controller/garbagecollector/garbagecollector.go. The graph is derived from the informers and is built anew after a restore.
 */
import type { Cause } from '../../base/causes.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import type { KubeObject, OwnerReference } from '../../apimachinery/object.ts';
import type { Client } from '../../client/client.ts';
import type { Controller, ReconcileContext } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { MonitoredKinds } from '../lib/monitored-kinds.ts';
import { AbsentOwners } from './absent-owners.ts';
import { Graph } from './graph.ts';
import { foregroundFinalizer, type GraphNode, hasFinalizer, identityOfOwner, identityText, orphanFinalizer, sortedNodes } from './node.ts';
import { InvalidScope, Operations } from './operations.ts';

/** How often new kinds are looked for. */
const syncPeriodMs = 30_000;
const deletePrefix = 'delete/';
const orphanPrefix = 'orphan/';

interface Classified {
  readonly solid: OwnerReference[];
  readonly dangling: string[];
  /** Owners that are being deleted in the foreground. */
  readonly waiting: string[];
}

class GarbageCollector implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #absent: AbsentOwners;
  readonly #operations: Operations;
  readonly #monitored: MonitoredKinds;
  #graph: Graph;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#absent = new AbsentOwners(environment.slots);
    // The caches were filled without telling. The graph is built from them now: the first event must find it as it was before.
    environment.slots.onRestored(() => this.#load());
    this.#operations = new Operations(() => environment.deletableResources());
    this.#graph = this.#newGraph();
    this.#monitored = new MonitoredKinds(
      environment,
      ({ resource }) => resource !== 'events',
      (type, event) => this.#graph.apply(type, event),
    );
  }

  start(): void {
    this.#environment.setTimer(syncPeriodMs, 'sync');
  }

  onTimer(): void {
    this.#monitored.look();
    this.#environment.setTimer(syncPeriodMs, 'sync');
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const node = this.#graph.get(key.slice(deletePrefix.length));
    if (node === undefined) return;
    try {
      if (key.startsWith(orphanPrefix)) await this.#orphan(context.client, node);
      else await this.#attemptToDelete(context, node);
    } catch (error) {
      if (!(error instanceof InvalidScope)) throw error;
    }
  }

  #newGraph(): Graph {
    const { enqueue, enqueueRateLimited } = this.#environment;
    return new Graph(
      {
        attemptToDelete: (node, causes) => enqueue(deletePrefix + node.identity.uid, causes),
        attemptToDeleteLater: (node, causes) => enqueueRateLimited(deletePrefix + node.identity.uid, causes),
        attemptToOrphan: (node, causes) => enqueue(orphanPrefix + node.identity.uid, causes),
        reportInvalidNamespace: (dependent, uid, causes) => this.#report(dependent, uid, causes),
      },
      this.#absent,
    );
  }

  #load(): void {
    this.#graph = this.#newGraph();
    for (const type of this.#monitored.types()) for (const object of this.#environment.informer(type).list()) this.#graph.load(type, object);
  }

  #report(dependent: GraphNode, ownerUid: string, causes: readonly Cause[]): void {
    const reference = dependent.owners.find(({ uid }) => uid === ownerUid);
    if (reference === undefined) return;
    const { apiVersion, kind, namespace, name, uid } = dependent.identity;
    const message = `ownerRef ${identityText(identityOfOwner(reference, namespace))} does not exist in namespace ${goQuote(namespace)}`;
    const object = { kind, apiVersion, metadata: { ...(namespace === '' ? {} : { namespace }), name, uid } };
    this.#environment.recorder.event(object, 'Warning', 'OwnerRefInvalidNamespace', message, causes);
  }

  async #attemptToDelete(context: ReconcileContext, node: GraphNode): Promise<void> {
    if (node.beingDeleted && !node.deletingDependents) return;
    const { client, causes } = context;
    const { identity } = node;
    try {
      const latest = await this.#operations.get(client, identity);
      if (latest.metadata.uid !== identity.uid) {
        this.#graph.applyAbsence(identity, causes);
        return;
      }
      if (node.deletingDependents) await this.#processDeletingDependents(context, node);
      else await this.#collect(client, node, latest);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#graph.applyAbsence(identity, causes);
      return;
    }
    if (node.virtual) throw new RetryError(`${identityText(identity)} hasn't been observed via informer yet`);
  }

  async #processDeletingDependents({ client, causes }: ReconcileContext, node: GraphNode): Promise<void> {
    const { uid } = node.identity;
    const blocking = sortedNodes(node.dependents).filter(({ owners }) => owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion));
    if (blocking.length === 0) {
      await this.#operations.removeFinalizer(client, node.identity, foregroundFinalizer);
      return;
    }
    for (const dependent of blocking) {
      if (!dependent.deletingDependents) this.#environment.enqueue(deletePrefix + dependent.identity.uid, causes);
    }
  }

  /** Decides by the owners that the live object has. */
  async #collect(client: Client, node: GraphNode, latest: KubeObject): Promise<void> {
    const references = latest.metadata.ownerReferences ?? [];
    if (references.length === 0) return;
    const { solid, dangling, waiting } = await this.#classify(client, node, references);
    if (solid.length > 0) {
      if (dangling.length + waiting.length > 0) await this.#operations.removeOwners(client, node, [...dangling, ...waiting]);
      return;
    }
    if (waiting.length > 0 && node.dependents.size > 0) {
      // Two that wait for each other would wait for ever.
      if (sortedNodes(node.dependents).some((dependent) => dependent.deletingDependents)) await this.#operations.unblockOwners(client, node);
      await this.#operations.delete(client, node.identity, latest, 'Foreground');
      return;
    }
    const { metadata } = latest;
    const policy = hasFinalizer(metadata, orphanFinalizer) ? 'Orphan' : hasFinalizer(metadata, foregroundFinalizer) ? 'Foreground' : 'Background';
    await this.#operations.delete(client, node.identity, latest, policy);
  }

  async #classify(client: Client, node: GraphNode, references: readonly OwnerReference[]): Promise<Classified> {
    const classified: Classified = { solid: [], dangling: [], waiting: [] };
    for (const reference of references) {
      const owner = await this.#findOwner(client, node, reference);
      if (owner === undefined) classified.dangling.push(reference.uid);
      else if (owner.metadata.deletionTimestamp !== undefined && hasFinalizer(owner.metadata, foregroundFinalizer))
        classified.waiting.push(reference.uid);
      else classified.solid.push(reference);
    }
    return classified;
  }

  /** The live owner; undefined when there is none. */
  async #findOwner(client: Client, { identity }: GraphNode, reference: OwnerReference): Promise<KubeObject | undefined> {
    if (this.#absent.has(identityOfOwner(reference, '')) || this.#absent.has(identityOfOwner(reference, identity.namespace))) return undefined;
    const { namespaced } = this.#operations.typeOf(reference.apiVersion, reference.kind);
    if (namespaced && identity.namespace === '') throw new InvalidScope();
    const wanted = identityOfOwner(reference, namespaced ? identity.namespace : '');
    try {
      const owner = await this.#operations.get(client, wanted);
      if (owner.metadata.uid === reference.uid) return owner;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#absent.add(wanted);
    return undefined;
  }

  /** Sets all dependents free, at the same time, then lets the owner go. */
  async #orphan(client: Client, node: GraphNode): Promise<void> {
    const { uid } = node.identity;
    const dependents = sortedNodes(node.dependents);
    const failures: string[] = [];
    await Promise.all(
      dependents.map(async (dependent) => {
        try {
          await this.#operations.removeOwners(client, dependent, [uid]);
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          if (!isNotFound(error)) failures.push(`orphaning ${identityText(dependent.identity)} failed, ${error.message}`);
        }
      }),
    );
    if (failures.length > 0)
      throw new RetryError(`failed to orphan dependents of owner ${identityText(node.identity)}, got errors: ${failures.join(', ')}`);
    await this.#operations.removeFinalizer(client, node.identity, orphanFinalizer);
  }
}

export const garbageCollectorController = defineController<GarbageCollector>({
  name: 'garbage-collector-controller',
  aliases: ['garbagecollector'],
  switchedBy: 'enable-garbage-collector',
  clientShare: { qps: 2, burst: 2 },
  serviceAccount: 'generic-garbage-collector',
  eventSource: 'garbage-collector-controller',
  workers: (options) => options.concurrentGcSyncs,
  watches: [],
  create: (environment) => new GarbageCollector(environment),
});
