/**
 * A node with the pods on it, summed up (scheduler/framework NodeInfo). The cache changes it in place between cycles and raises
 * `generation`; whatever was worked out from a NodeInfo holds as long as the generation does.
 */
import { assert } from '../../base/assert.ts';
import type { Node } from '../../api/core/v1/types.gen.ts';
import type { PodInfo } from './pod-info.ts';
import { addResources, noResources, parseResources, scaledQuantity, type ResourceList, type Resources } from './resources.ts';

export class NodeInfo {
  readonly name: string;
  /** Place of this node in the arrays of pod classes. */
  readonly slot: number;
  node: Node;
  generation = 0;
  /** Counts changes of pods that leave the generation alone. */
  refreshes = 0;
  readonly pods = new Map<string, PodInfo>();
  podsWithAffinity = 0;
  podsWithRequiredAntiAffinity = 0;
  requested: Resources = noResources();
  nonZeroRequested: Resources = noResources();
  allocatable: Resources;
  podsMax: number;
  /** Counts of `protocol/port` by address. */
  hostPorts: Map<string, Map<string, number>> | undefined;

  constructor(slot: number, node: Node, of?: NodeInfo) {
    this.slot = slot;
    this.name = node.metadata.name ?? '';
    this.node = node;
    this.allocatable = noResources();
    this.podsMax = 0;
    if (of === undefined) this.setNode(node);
    else this.#copy(of);
  }

  /** A newer version of a pod on the node that changes nothing of what is counted. */
  refreshPod(info: PodInfo): void {
    this.pods.set(info.uid, info);
    this.refreshes++;
  }

  setNode(node: Node): void {
    this.node = node;
    const list = node.status?.allocatable as ResourceList | undefined;
    this.allocatable = parseResources(list);
    this.podsMax = list?.['pods'] === undefined ? 0 : scaledQuantity(list['pods'], 1);
  }

  addPod(info: PodInfo): void {
    this.pods.set(info.uid, info);
    this.#count(info, 1);
  }

  removePod(uid: string): PodInfo | undefined {
    const info = this.pods.get(uid);
    if (info === undefined) return undefined;
    this.pods.delete(uid);
    this.#count(info, -1);
    return info;
  }

  /** A copy to try things on; it shares the PodInfos. */
  clone(): NodeInfo {
    return new NodeInfo(this.slot, this.node, this);
  }

  #copy(of: NodeInfo): void {
    this.allocatable = of.allocatable;
    this.podsMax = of.podsMax;
    for (const [uid, info] of of.pods) this.pods.set(uid, info);
    this.podsWithAffinity = of.podsWithAffinity;
    this.podsWithRequiredAntiAffinity = of.podsWithRequiredAntiAffinity;
    addResources(this.requested, of.requested, 1);
    addResources(this.nonZeroRequested, of.nonZeroRequested, 1);
    if (of.hostPorts !== undefined) this.hostPorts = new Map([...of.hostPorts].map(([ip, ports]) => [ip, new Map(ports)]));
  }

  #count(info: PodInfo, sign: 1 | -1): void {
    addResources(this.requested, info.requests, sign);
    addResources(this.nonZeroRequested, info.nonZeroRequests, sign);
    if (info.hasAffinity) this.podsWithAffinity += sign;
    if (info.requiredAntiAffinity.length > 0) this.podsWithRequiredAntiAffinity += sign;
    assert(this.podsWithAffinity >= 0 && this.podsWithRequiredAntiAffinity >= 0, 'a node counts down what it counted up');
    for (const { ip, protocol, port } of info.hostPorts) {
      this.hostPorts ??= new Map();
      let ports = this.hostPorts.get(ip);
      if (ports === undefined) this.hostPorts.set(ip, (ports = new Map()));
      const key = `${protocol}/${port}`;
      const count = (ports.get(key) ?? 0) + sign;
      assert(count >= 0, 'a port is freed as often as it was taken');
      if (count > 0) ports.set(key, count);
      else ports.delete(key);
    }
  }
}
