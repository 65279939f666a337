/**
 * Release 1.13 without taint based evictions: pods of a node that has been down for the eviction timeout are deleted by the controller
 * itself, whatever they tolerate. Mirrors doEvictionPass of its pkg/controller/nodelifecycle and DeletePods of its pkg/controller/util/node.
 */
import type { DaemonSet } from '../../api/apps/v1/types.gen.ts';
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import { isConflict } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Cause } from '../../base/causes.ts';
import { number, record, text } from '../../base/codecs.ts';
import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import { daemonSets, pods } from '../../client/resources.ts';
import { getNodeCondition, nodeZoneKey } from '../../component-helpers/node.ts';
import type { ControllerEnvironment } from '../controller.ts';
import { isEmptySelector, toMatcher } from '../lib/label-selector.ts';
import { podNodeIndex } from '../lib/pod-node-index.ts';
import type { Health } from './health.ts';
import type { Taken } from './zone-queue.ts';
import type { Zones } from './zones.ts';

const lostReason = 'NodeLost';

/** When the readiness of a node was last seen to turn, and what it then said of the time. */
interface Turn {
  readonly said: string;
  readonly seenMs: number;
}

export class PodEvictions {
  readonly #environment: ControllerEnvironment;
  readonly #pods: Informer<Pod>;
  readonly #daemonSets: Informer<DaemonSet>;
  readonly #turns: Map<string, Turn>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#pods = environment.informer(pods);
    this.#daemonSets = environment.informer(daemonSets);
    this.#turns = environment.slots.map('turns', record<Turn>({ said: text, seenMs: number }));
  }

  /** Takes note of a node whose `heartbeat` may be another than `before`: a turn shows with one alone. */
  observe(node: Node, before: Health | undefined, nowMs: number): void {
    const { name = '' } = node.metadata;
    const ready = getNodeCondition(node, 'Ready');
    const known = this.#turns.get(name);
    const said = ready?.lastTransitionTime ?? '';
    if (known !== undefined && (before?.heartbeat === (ready?.lastHeartbeatTime ?? '') || known.said === said)) return;
    this.#turns.set(name, { said, seenMs: nowMs });
  }

  forget(node: string): void {
    this.#turns.delete(node);
  }

  /** Somebody is ready again after nobody was: all times begin anew. */
  restart(nowMs: number): void {
    for (const [node, turn] of this.#turns) this.#turns.set(node, { ...turn, seenMs: nowMs });
  }

  /** Has a node wait for its turn where it has been down for so long that its pods are to go; false before that. `status` is False or Unknown. */
  queue(zones: Zones, node: Node, status: string, health: Health | undefined, causes: readonly Cause[]): boolean {
    const { name = '' } = node.metadata;
    const nowMs = this.#environment.nowMs();
    const sinceMs = (status === 'Unknown' ? health?.probeMs : this.#turns.get(name)?.seenMs) ?? nowMs;
    if (nowMs <= sinceMs + this.#environment.options.podEvictionTimeoutMs) return false;
    zones.add(nodeZoneKey(node), name, nowMs, causes);
    return true;
  }

  /** Deletes the pods of a node whose turn it is. Undefined when done; else how long to wait before the next attempt. */
  async evict({ node, causes }: Taken, uid: string): Promise<number | undefined> {
    const own = this.#pods.byIndex(podNodeIndex, node);
    const reference = { kind: 'Node', apiVersion: 'v1', metadata: { name: node, uid } };
    const message = `Node ${node} event: Deleting all Pods from Node ${node}.`;
    if (own.length > 0) this.#environment.recorder.event(reference, 'Normal', 'DeletingAllPods', message, causes);
    return (await this.#evictAll(this.#environment.client.because(causes), node, own, causes)) ? undefined : 0;
  }

  /** False where something could not be written and all is to be tried again. */
  async #evictAll(client: Client, node: string, own: readonly Pod[], causes: readonly Cause[]): Promise<boolean> {
    let isDone = true;
    for (const pod of own) {
      try {
        if (!(await this.#markLost(client, node, pod))) isDone = false;
        else if (pod.metadata.deletionGracePeriodSeconds === undefined && !this.#isDaemon(pod)) await this.#delete(client, node, pod, causes);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        return false;
      }
    }
    return isDone;
  }

  async #delete(client: Client, node: string, pod: Pod, causes: readonly Cause[]): Promise<void> {
    const { name = '', namespace } = pod.metadata;
    const message = `Marking for deletion Pod ${name} from Node ${node}`;
    this.#environment.recorder.event(pod, 'Normal', 'NodeControllerEviction', message, causes);
    await client.delete(pods, namespace, name);
  }

  /** False after a conflict; that it cannot be written for another reason keeps nobody from the deletion. */
  async #markLost(client: Client, node: string, pod: Pod): Promise<boolean> {
    if (pod.status?.reason === lostReason) return true;
    const message = `Node ${node} which was running pod ${pod.metadata.name} is unresponsive`;
    try {
      await client.updateStatus(pods, { ...pod, status: { ...pod.status, reason: lostReason, message } });
      return true;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return !isConflict(error);
    }
  }

  /** Some DaemonSet selects it, whoever made it. */
  #isDaemon({ metadata: { namespace, labels = {} } }: Pod): boolean {
    return this.#daemonSets.list(namespace).some(({ spec }) => !isEmptySelector(spec?.selector) && toMatcher(spec?.selector)(labels));
  }
}
