/**
 * What the scheduler knows of nodes and the pods on them, assumed ones included (backend/cache). Cycles are synchronous, so the
 * cache itself is the snapshot of a cycle.
 *
 * C1  A NodeInfo changes its generation with everything that scheduling looks at, and stands in the change log then.
 * C2  `topologyVersion` changes when nodes come, go or move between zones; slots mean something only within one version.
 */
import { assert } from '../base/assert.ts';
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import { sameJson } from './framework/cluster-events.ts';
import { NodeInfo } from './framework/node-info.ts';
import { newPodInfo, type PodInfo } from './framework/pod-info.ts';
import type { Snapshot } from './framework/tally.ts';
import { NodeTree, type SavedTree } from './node-tree.ts';

const changesKept = 20_000;

interface Placed {
  readonly info: PodInfo;
  readonly node: string;
  readonly assumed: boolean;
}

export class SchedulerCache implements Snapshot {
  topologyVersion = 0;
  podsWithAffinity = 0;
  podsWithRequiredAntiAffinity = 0;
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #slots: (NodeInfo | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #tree = new NodeTree();
  readonly #pods = new Map<string, Placed>();
  /** Pods of nodes that are not known (yet, or any more). */
  readonly #homeless = new Map<string, Map<string, PodInfo>>();
  readonly #images = new Map<string, { readonly size: number; readonly on: Set<NodeInfo> }>();
  /** Pods on nodes that name a claim, by the claim's key. */
  readonly #claimUses = new Map<string, number>();
  #list: readonly NodeInfo[] | undefined;
  #order = new Int32Array(0);
  /** Of the NodeInfo in each slot: beside each other, so that a look at all nodes need not touch every one of them. */
  readonly generations: number[] = [];
  #generation = 0;
  #log: number[] = [];
  #logStart = 0;

  get nodes(): readonly NodeInfo[] {
    if (this.#list === undefined) {
      this.#list = this.#tree.list().map((name) => this.#nodes.get(name) as NodeInfo);
      this.#order = Int32Array.from(this.#list, ({ slot }) => slot);
    }
    return this.#list;
  }

  /** The slots of `nodes`, in their order. */
  get order(): Int32Array {
    assert(this.#order.length === this.nodes.length, 'every node has a place');
    return this.#order;
  }

  get slots(): number {
    return this.#slots.length;
  }

  get changes(): number {
    return this.#logStart + this.#log.length;
  }

  changesSince(position: number): readonly number[] | undefined {
    return position < this.#logStart ? undefined : this.#log.slice(position - this.#logStart);
  }

  get(name: string): NodeInfo | undefined {
    return this.#nodes.get(name);
  }

  claimUses(claim: string): number {
    return this.#claimUses.get(claim) ?? 0;
  }

  bySlot(slot: number): NodeInfo | undefined {
    return this.#slots[slot];
  }

  addNode(node: Node): void {
    const name = node.metadata.name ?? '';
    if (this.#nodes.has(name)) {
      this.updateNode(node);
      return;
    }
    const info = new NodeInfo(this.#free.pop() ?? this.#slots.length, node);
    assert(this.#slots[info.slot] === undefined, 'a slot holds one node');
    this.#slots[info.slot] = info;
    this.#nodes.set(name, info);
    this.#tree.add(node);
    this.#topologyChanged();
    this.#putImages(info, node);
    for (const pod of this.#homeless.get(name)?.values() ?? []) this.#put(info, pod);
    this.#homeless.delete(name);
    this.#touch(info);
  }

  updateNode(node: Node): void {
    const info = this.#nodes.get(node.metadata.name ?? '');
    if (info === undefined) {
      this.addNode(node);
      return;
    }
    const old = info.node;
    if (this.#tree.update(old, node)) this.#topologyChanged();
    if (!sameJson(old.status?.images, node.status?.images)) {
      this.#dropImages(info);
      this.#putImages(info, node);
    }
    const matters =
      !sameJson(old.spec, node.spec) ||
      !sameJson(old.metadata.labels, node.metadata.labels) ||
      !sameJson(old.status?.declaredFeatures, node.status?.declaredFeatures) ||
      !sameJson(old.status?.allocatable, node.status?.allocatable);
    if (matters) {
      info.setNode(node);
      this.#touch(info);
    } else info.node = node;
  }

  removeNode(node: Node): void {
    const name = node.metadata.name ?? '';
    const info = this.#nodes.get(name);
    if (info === undefined) return;
    assert(this.#slots[info.slot] === info, 'a node stands in its own slot');
    const left = new Map(info.pods);
    for (const uid of left.keys()) this.#take(info, uid);
    if (left.size > 0) this.#homeless.set(name, left);
    this.#dropImages(info);
    this.#tree.remove(info.node);
    this.#nodes.delete(name);
    this.#slots[info.slot] = undefined;
    this.#free.push(info.slot);
    this.#topologyChanged();
  }

  isAssumed(uid: string): boolean {
    return this.#pods.get(uid)?.assumed ?? false;
  }

  /** The node that a pod is on, or is assumed to be on. */
  nodeOf(uid: string): string | undefined {
    return this.#pods.get(uid)?.node;
  }

  assume(info: PodInfo, node: string): void {
    this.#place(info, node, true);
  }

  forget(uid: string): void {
    if (this.isAssumed(uid)) this.removePod(uid);
  }

  /** Adds or updates a pod that the API server says is on a node. */
  setPod(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    const node = pod.spec?.nodeName ?? '';
    assert(uid !== '' && node !== '', 'only a pod that has a node is placed');
    const known = this.#pods.get(uid);
    if (known !== undefined && known.node === node && !matters(known.info.pod, pod)) {
      const info = { ...known.info, pod };
      this.#pods.set(uid, { info, node, assumed: false });
      this.#nodes.get(node)?.refreshPod(info);
      this.#homeless.get(node)?.set(uid, info);
      return;
    }
    if (known !== undefined) this.removePod(uid);
    this.#place(newPodInfo(pod), node, false);
  }

  removePod(uid: string): void {
    const known = this.#pods.get(uid);
    if (known === undefined) return;
    this.#pods.delete(uid);
    const info = this.#nodes.get(known.node);
    if (info === undefined) this.#homeless.get(known.node)?.delete(uid);
    else {
      this.#take(info, uid);
      this.#touch(info);
    }
  }

  /** Takes a pod away for a trial; what is returned puts it back. */
  lift(uid: string): () => void {
    const known = this.#pods.get(uid);
    if (known === undefined) return () => {};
    this.removePod(uid);
    return () => this.#place(known.info, known.node, known.assumed);
  }

  image(name: string): { readonly size: number; readonly nodes: number } | undefined {
    const image = this.#images.get(name);
    return image === undefined ? undefined : { size: image.size, nodes: image.on.size };
  }

  hasImage(node: NodeInfo, image: string): boolean {
    return this.#images.get(image)?.on.has(node) ?? false;
  }

  save(): SavedTree {
    return this.#tree.save();
  }

  /** Empties the cache; nodes added next keep the saved order. */
  reset(saved: SavedTree): void {
    for (const info of [...this.#nodes.values()]) this.removeNode(info.node);
    this.#pods.clear();
    this.#homeless.clear();
    this.#tree.restore(saved);
  }

  #place(info: PodInfo, node: string, assumed: boolean): void {
    this.#pods.set(info.uid, { info, node, assumed });
    const target = this.#nodes.get(node);
    if (target === undefined) {
      let homeless = this.#homeless.get(node);
      if (homeless === undefined) this.#homeless.set(node, (homeless = new Map()));
      homeless.set(info.uid, info);
      return;
    }
    this.#put(target, info);
    this.#touch(target);
  }

  #put(node: NodeInfo, info: PodInfo): void {
    assert(!node.pods.has(info.uid), 'a pod counts once on its node');
    node.addPod(info);
    if (info.hasAffinity) this.podsWithAffinity++;
    if (info.requiredAntiAffinity.length > 0) this.podsWithRequiredAntiAffinity++;
    for (const claim of info.claims) this.#claimUses.set(claim, this.claimUses(claim) + 1);
  }

  #take(node: NodeInfo, uid: string): void {
    const info = node.removePod(uid);
    if (info?.hasAffinity) this.podsWithAffinity--;
    if (info !== undefined && info.requiredAntiAffinity.length > 0) this.podsWithRequiredAntiAffinity--;
    for (const claim of info?.claims ?? []) {
      const uses = this.claimUses(claim) - 1;
      if (uses > 0) this.#claimUses.set(claim, uses);
      else this.#claimUses.delete(claim);
    }
    assert(this.podsWithAffinity >= 0 && this.podsWithRequiredAntiAffinity >= 0, 'choosy pods are counted down as they were counted up');
  }

  #touch(info: NodeInfo): void {
    info.generation = ++this.#generation;
    this.generations[info.slot] = info.generation;
    this.#log.push(info.slot);
    if (this.#log.length < 2 * changesKept) return;
    this.#logStart += changesKept;
    this.#log = this.#log.slice(changesKept);
  }

  #topologyChanged(): void {
    this.topologyVersion++;
    this.#list = undefined;
    this.#logStart = this.changes + 1;
    this.#log = [];
  }

  #putImages(info: NodeInfo, node: Node): void {
    for (const { names = [], sizeBytes = 0 } of node.status?.images ?? []) {
      for (const name of names ?? []) {
        let image = this.#images.get(name);
        if (image === undefined) this.#images.set(name, (image = { size: Number(sizeBytes), on: new Set() }));
        image.on.add(info);
      }
    }
  }

  #dropImages(info: NodeInfo): void {
    for (const { names = [] } of info.node.status?.images ?? []) {
      for (const name of names ?? []) {
        const image = this.#images.get(name);
        image?.on.delete(info);
        if (image?.on.size === 0) this.#images.delete(name);
      }
    }
  }
}

/** Whether an update of a placed pod changes anything that scheduling counts. */
function matters(old: Pod, next: Pod): boolean {
  const [a, b] = [old.spec, next.spec];
  if ((old.metadata.deletionTimestamp === undefined) !== (next.metadata.deletionTimestamp === undefined)) return true;
  if (!sameJson(old.metadata.labels, next.metadata.labels) || a?.priority !== b?.priority) return true;
  if (a !== b && !(sameJson(a?.containers, b?.containers) && sameJson(a?.initContainers, b?.initContainers) && sameJson(a?.affinity, b?.affinity)))
    return true;
  if (!sameJson(a?.overhead, b?.overhead) || !sameJson(a?.resources, b?.resources)) return true;
  return !sameJson(allocated(old), allocated(next));
}

function allocated(pod: Pod): unknown {
  return (pod.status?.containerStatuses ?? []).map((status) => status.allocatedResources);
}
