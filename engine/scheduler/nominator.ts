/** Pods that were promised a node whose victims are still leaving (backend/queue/nominator.go). */
import { assert } from '../base/assert.ts';
import type { PodInfo } from './framework/pod-info.ts';

/** What a node was promised for. */
interface Promised {
  readonly pods: Map<string, PodInfo>;
  /** Another one after each change; no other node ever has it. */
  version: number;
}

export class Nominator {
  readonly #byNode = new Map<string, Promised>();
  #versions = 0;
  readonly #nodeOf = new Map<string, string>();

  /** `node` overrides what the pod's status says; `''` means none. */
  set(info: PodInfo, node: string | undefined): void {
    this.delete(info.uid);
    const target = node ?? info.pod.status?.nominatedNodeName ?? '';
    if (target === '') return;
    let promised = this.#byNode.get(target);
    if (promised === undefined) this.#byNode.set(target, (promised = { pods: new Map(), version: 0 }));
    promised.pods.set(info.uid, info);
    promised.version = ++this.#versions;
    this.#nodeOf.set(info.uid, target);
  }

  /** A newer version of the pod; it keeps the node it was promised unless its status says another. */
  update(info: PodInfo): void {
    const node = info.pod.status?.nominatedNodeName;
    this.set(info, node || this.#nodeOf.get(info.uid));
  }

  delete(uid: string): void {
    const node = this.#nodeOf.get(uid);
    if (node === undefined) return;
    this.#nodeOf.delete(uid);
    const promised = this.#byNode.get(node);
    assert(promised?.pods.delete(uid) === true, 'pods and nodes agree on what was promised');
    promised.version = ++this.#versions;
    if (promised.pods.size === 0) this.#byNode.delete(node);
  }

  get isEmpty(): boolean {
    return this.#byNode.size === 0;
  }

  /** Undefined for the many nodes that are promised to nobody. */
  on(node: string): { readonly pods: ReadonlyMap<string, PodInfo>; readonly version: number } | undefined {
    return this.#byNode.get(node);
  }

  save(): readonly (readonly [uid: string, node: string])[] {
    return [...this.#nodeOf];
  }
}
