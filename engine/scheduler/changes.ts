/** What changes of nodes and pods mean for the cache and for the pods that wait (eventhandlers.go). */
import type { Cause } from '../base/causes.ts';
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import type { InformerEvent } from '../client/informer.ts';
import { Action, nodeChanges, podChanges, sameJson } from './framework/cluster-events.ts';
import { newPodInfo } from './framework/pod-info.ts';
import { podRequests } from './framework/resources.ts';
import { isAssigned, isTerminal, type SchedulerParts } from './parts.ts';
import type { Profile } from './profile.ts';

export class Changes {
  readonly #parts: SchedulerParts;
  readonly #profiles: ReadonlyMap<string, Profile>;

  readonly #rejects: (uid: string) => boolean;

  /** `rejects` ends the wait of a pod that goes while it waits for plugins; false for one that does not. */
  constructor(parts: SchedulerParts, profiles: ReadonlyMap<string, Profile>, rejects: (uid: string) => boolean) {
    this.#parts = parts;
    this.#profiles = profiles;
    this.#rejects = rejects;
  }

  onNode(event: InformerEvent<Node>): void {
    const { object: node, causes } = event;
    if (event.type === 'add') {
      this.#parts.cache.addNode(node);
      this.#parts.queue.move({ resource: 'Node', action: Action.add, new: node }, causes);
    } else if (event.type === 'update') {
      this.#parts.cache.updateNode(node);
      const action = nodeChanges(event.old, node);
      if (action !== 0) this.#parts.queue.move({ resource: 'Node', action, old: event.old, new: node }, causes);
    } else {
      this.#parts.queue.move({ resource: 'Node', action: Action.delete, old: node }, causes);
      this.#parts.cache.removeNode(node);
    }
  }

  /** Pods that have ended are gone for the scheduler: its informer upstream does not list them. */
  onPod(event: InformerEvent<Pod>): void {
    const { object: pod, causes } = event;
    const uid = pod.metadata.uid ?? '';
    if (event.type === 'delete' || isTerminal(pod)) {
      if (event.type === 'update' && isTerminal(event.old)) return;
      this.#podGone(pod, causes);
      return;
    }
    const old = event.type === 'update' ? event.old : undefined;
    if (this.belongs(pod)) this.#parts.groups?.add(pod);
    if (isAssigned(pod)) {
      this.#parts.cache.setPod(pod);
      this.#parts.queue.delete(uid);
      this.#parts.nominator.delete(uid);
      if (old === undefined || !isAssigned(old)) this.#parts.queue.move({ resource: 'Pod', action: Action.add, new: pod }, causes);
      else this.#parts.queue.move({ resource: 'Pod', action: podChanges(old, pod, asksForLess(old, pod)), old, new: pod }, causes);
      return;
    }
    const profile = this.#profiles.get(pod.spec?.schedulerName ?? 'default-scheduler');
    if (profile === undefined) return;
    if (this.#parts.cache.isAssumed(uid)) {
      if (pod.metadata.deletionTimestamp !== undefined) this.forget(pod, causes);
      return;
    }
    const info = newPodInfo(pod);
    this.#parts.nominator.update(info);
    if (this.#parts.queue.get(uid) === undefined) this.#added(pod, profile, causes);
    else if (
      old !== undefined &&
      (this.#parts.options.policy === undefined || !sameJson(old.spec, pod.spec) || !sameJson(old.metadata.labels, pod.metadata.labels))
    )
      this.#parts.queue.update(pod, { resource: 'Pod', action: podChanges(old, pod, asksForLess(old, pod)), old, new: pod }, causes);
    if (old?.status?.nominatedNodeName && old.status.nominatedNodeName !== pod.status?.nominatedNodeName) this.placeFreed(pod, causes, info.priority);
  }

  /** Whether a pod is one of those that this scheduler knows: on a node, or its to place. */
  belongs(pod: Pod): boolean {
    return isAssigned(pod) || this.#profiles.has(pod.spec?.schedulerName ?? 'default-scheduler');
  }

  #added(pod: Pod, profile: Profile, causes: readonly Cause[]): void {
    this.#parts.queue.add(pod, profile, causes);
    if (this.#parts.options.gangs) this.#parts.queue.move({ resource: 'Pod', action: Action.add, new: pod }, causes);
  }

  #podGone(pod: Pod, causes: readonly Cause[]): void {
    const uid = pod.metadata.uid ?? '';
    this.#parts.groups?.delete(pod);
    this.#rejects(uid);
    const wasNominated = Boolean(pod.status?.nominatedNodeName);
    const placed = this.#parts.cache.nodeOf(uid) !== undefined;
    this.#parts.queue.delete(uid);
    this.#parts.nominator.delete(uid);
    this.#parts.cache.removePod(uid);
    if (placed) this.placeFreed(pod, causes);
    else if (wasNominated) this.placeFreed(pod, causes, pod.spec?.priority ?? 0);
  }

  forget(pod: Pod, causes: readonly Cause[]): void {
    const uid = pod.metadata.uid ?? '';
    if (!this.#rejects(uid)) this.#parts.cache.forget(uid);
    this.placeFreed(pod, causes);
  }

  /** As if a pod had been deleted from a node; `priorityMax` spares the pods above. */
  placeFreed(pod: Pod, causes: readonly Cause[], priorityMax = Number.POSITIVE_INFINITY): void {
    const old = isAssigned(pod) ? pod : { ...pod, spec: { ...pod.spec, nodeName: '-' } as NonNullable<Pod['spec']> };
    this.#parts.queue.move(
      { resource: 'Pod', action: Action.delete, old },
      causes,
      ({ priority, uid }) => priority <= priorityMax && uid !== pod.metadata.uid,
    );
  }
}

function asksForLess(old: Pod, next: Pod): boolean {
  if (old.spec?.containers === next.spec?.containers && old.status?.containerStatuses === next.status?.containerStatuses) return false;
  const [before, after] = [podRequests(old), podRequests(next)];
  return after.milliCpu < before.milliCpu || after.memory < before.memory;
}
