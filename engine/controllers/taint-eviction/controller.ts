/**
 * Deletes pods that do not tolerate the NoExecute taints of their node, at once or when their tolerance ends. Mirrors
 * pkg/controller/tainteviction. A scheduled deletion remembers what put the taint there, so that history can name it.
 */
import { deepEqual } from '../../base/equal.ts';
import { type Cause, mergeCauses, timerCause } from '../../base/causes.ts';
import { nullable, number, record } from '../../base/codecs.ts';
import { causesCodec } from '../../base/slots.ts';
import type { Node, Pod, Taint } from '../../api/core/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import type { JsonValue } from '../../base/json.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Client } from '../../client/client.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { nodes, pods } from '../../client/resources.ts';
import { toleratedMs } from '../../component-helpers/tolerations.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { podNodeIndex, podNodeIndexValues } from '../lib/pod-node-index.ts';
import { disruptionTarget, patchPodStatus } from '../lib/pod-status.ts';

const name = 'taint-eviction-controller';
const message = 'Taint manager: deleting due to NoExecute taint';
/** Attempts at one deletion, ten milliseconds apart. */
const attemptsMax = 5;

/** A deletion to come; `timer` is null once it is under way. */
interface Work {
  readonly createdMs: number;
  readonly timer: number | null;
  readonly causes: readonly Cause[];
}

const workCodec = record<Work>({ createdMs: number, timer: nullable(number), causes: causesCodec });

class TaintEvictionController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #work: Map<string, Work>;
  /** What put the present NoExecute taints on a node. */
  readonly #taintCauses: Map<string, readonly Cause[]>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#work = environment.slots.map('work', workCodec);
    this.#taintCauses = environment.slots.map('taintCauses', causesCodec);
    this.#nodes = environment.informer(nodes);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(podNodeIndex, podNodeIndexValues, { ignoresStatus: true });
  }

  keysOfNode(event: InformerEvent<Node>): readonly string[] {
    const { name: node = '' } = event.object.metadata;
    if (event.type === 'delete') {
      this.#taintCauses.delete(node);
      return [];
    }
    const taints = noExecuteTaints(event.object);
    if (event.type === 'update' ? deepEqual(noExecuteTaints(event.old), taints) : taints.length === 0) return [];
    if (taints.length === 0) this.#taintCauses.delete(node);
    else this.#taintCauses.set(node, event.causes);
    for (const pod of this.#pods.byIndex(podNodeIndex, node)) {
      if (taints.length === 0) this.#cancel(keyOf(pod), event.causes);
      else this.#process(pod, taints, event.causes);
    }
    return [];
  }

  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    const { object, causes } = event;
    if (event.type === 'delete') {
      this.#cancel(keyOf(object), causes);
      return [];
    }
    const nodeName = object.spec?.nodeName ?? '';
    if (nodeName === '') return [];
    if (event.type === 'update' && event.old.spec?.nodeName === nodeName && deepEqual(event.old.spec.tolerations, object.spec?.tolerations))
      return [];
    const node = this.#nodes.get(undefined, nodeName);
    const taints = node === undefined ? [] : noExecuteTaints(node);
    if (taints.length > 0) this.#process(object, taints, mergeCauses(this.#taintCauses.get(nodeName) ?? [], causes));
    return [];
  }

  onTimer(_name: string, payload: JsonValue): void {
    const key = payload as string;
    const work = this.#work.get(key);
    if (work === undefined) return;
    this.#work.set(key, { ...work, timer: null });
    this.#environment.enqueue(key, [...work.causes, timerCause(`controller/${name}`, 'evict')]);
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    if (this.#environment.retries(key) === 0) this.#tell('Marking for deletion Pod', key, context.causes);
    try {
      await this.#delete(context, key);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (!isNotFound(error) && this.#environment.retries(key) < attemptsMax - 1) throw error;
    }
    this.#work.delete(key);
  }

  #process(pod: Pod, taints: readonly Taint[], causes: readonly Cause[]): void {
    const key = keyOf(pod);
    const toleranceMs = toleratedMs(taints, pod.spec?.tolerations ?? []);
    const nowMs = this.#environment.nowMs();
    if (toleranceMs === undefined) {
      this.#cancel(key, causes);
      this.#schedule(key, nowMs, 0, causes);
      return;
    }
    if (toleranceMs === Infinity) {
      this.#cancel(key, causes);
      return;
    }
    const scheduled = this.#work.get(key);
    if (scheduled !== undefined && scheduled.timer !== null) {
      // What was scheduled earlier stays, even if the tolerance has changed since.
      if (scheduled.createdMs < nowMs) return;
      this.#cancel(key, causes);
    }
    this.#schedule(key, nowMs, toleranceMs, causes);
  }

  #schedule(key: string, createdMs: number, delayMs: number, causes: readonly Cause[]): void {
    if (this.#work.has(key)) return;
    const timer = delayMs > 0 ? this.#environment.setTimer(delayMs, 'evict', key) : null;
    this.#work.set(key, { createdMs, timer, causes });
    if (timer === null) this.#environment.enqueue(key, causes);
  }

  #cancel(key: string, causes: readonly Cause[]): void {
    const work = this.#work.get(key);
    if (work === undefined) return;
    this.#work.delete(key);
    if (work.timer === null) return;
    this.#environment.cancelTimer(work.timer);
    this.#tell('Cancelling deletion of Pod', key, causes);
  }

  async #delete({ client }: ReconcileContext, key: string): Promise<void> {
    const { namespace, name: podName } = splitKey(key);
    const pod = await client.get(pods, namespace, podName);
    if (this.#environment.options.traits.marksDisruptions) await this.#mark(client, pod);
    await client.delete(pods, namespace, podName);
  }

  async #mark(client: Client, pod: Pod): Promise<void> {
    const condition = disruptionTarget(pod, 'DeletionByTaintManager', message, this.#environment.nowMs());
    const old = pod.status?.conditions?.find(({ type }) => type === condition.type);
    if (old?.status !== 'True' || old.reason !== condition.reason || old.message !== condition.message) await patchPodStatus(client, pod, condition);
  }

  #tell(what: string, key: string, causes: readonly Cause[]): void {
    const { namespace = '', name: podName } = splitKey(key);
    const reference = { kind: 'Pod', apiVersion: 'v1', metadata: { name: podName, namespace } };
    this.#environment.recorder.event(reference, 'Normal', 'TaintManagerEviction', `${what} ${key}`, causes);
  }
}

function noExecuteTaints({ spec }: Node): readonly Taint[] {
  return spec?.taints?.filter(({ effect }) => effect === 'NoExecute') ?? [];
}

export const taintEvictionController = defineController<TaintEvictionController>({
  name,
  aliases: [],
  switchedBy: 'enable-taint-manager',
  serviceAccount: 'node-controller',
  eventSource: name,
  eventSourceBy: (options) => options.traits.taintEventSource,
  workers: () => 8,
  backoff: { baseMs: 10, maxMs: 10 },
  watches: [
    watchOf(pods, (event, controller: TaintEvictionController) => controller.keysOfPod(event)),
    watchOf(nodes, (event, controller: TaintEvictionController) => controller.keysOfNode(event)),
  ],
  create: (environment) => new TaintEvictionController(environment),
});
