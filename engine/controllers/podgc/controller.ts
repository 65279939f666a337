/**
 * Deletes pods that nobody else will: too many finished ones, those of nodes that are gone or out of service, and terminating
 * ones that never had a node. Mirrors pkg/controller/podgc/gc_controller.go.
 */
import { type Cause, timerCause } from '../../base/causes.ts';
import { number } from '../../base/codecs.ts';
import { causesCodec } from '../../base/slots.ts';
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { nodes, pods } from '../../client/resources.ts';
import { isNodeReady } from '../../component-helpers/node.ts';
import { type Controller, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { isPodTerminal } from '../lib/pod.ts';
import { podNodeIndex, podNodeIndexValues } from '../lib/pod-node-index.ts';
import { disruptionTarget, patchPodStatus } from '../lib/pod-status.ts';

const name = 'pod-garbage-collector-controller';
const periodMs = 20_000;
const outOfServiceTaint = 'node.kubernetes.io/out-of-service';
const livingPhases: readonly (string | undefined)[] = ['Pending', 'Running', 'Unknown'];
/** Of thousands of pods few are any business of it: a pass looks at these alone. */
const endingIndex = 'ending';

function endingIndexValues({ metadata, status }: Pod): readonly string[] {
  return [...(livingPhases.includes(status?.phase) ? [] : ['terminated']), ...(metadata.deletionTimestamp === undefined ? [] : ['terminating'])];
}

interface Pass {
  readonly terminated: readonly Pod[];
  readonly outOfService: readonly Pod[];
  readonly onMissingNode: readonly Pod[];
  readonly unscheduled: readonly Pod[];
}

class PodGarbageCollector implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  /** Missing nodes, and when to believe it. */
  readonly #quarantine: Map<string, number>;
  /** What made a node vanish. */
  readonly #vanished: Map<string, readonly Cause[]>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#quarantine = environment.slots.map('quarantine', number);
    this.#vanished = environment.slots.map('vanished', causesCodec);
    this.#pods = environment.informer(pods);
    this.#nodes = environment.informer(nodes);
    this.#pods.addIndex(podNodeIndex, podNodeIndexValues, { ignoresStatus: true });
    this.#pods.addIndex(endingIndex, endingIndexValues);
  }

  start(): void {
    this.#environment.setTimer(0, 'gc');
  }

  async onTimer(): Promise<void> {
    await this.#collect();
    this.#environment.setTimer(periodMs, 'gc');
  }

  async reconcile(): Promise<void> {
    // All work is done in passes; no key is ever queued.
  }

  keysOfNode({ type, object, causes }: InformerEvent<Node>): readonly string[] {
    const { name: node = '' } = object.metadata;
    if (type === 'delete') this.#vanished.set(node, causes);
    else this.#vanished.delete(node);
    return [];
  }

  async #collect(): Promise<void> {
    const pass = this.#sort();
    const threshold = this.#environment.options.terminatedPodGcThreshold;
    const surplus = threshold > 0 ? pass.terminated.length - threshold : 0;
    if (surplus > 0) await this.#deleteAll(pass.terminated.toSorted(evictedAndOldFirst).slice(0, surplus));
    if (pass.outOfService.length > 0) await this.#deleteAll(pass.outOfService.toSorted(evictedAndOldFirst));
    await this.#collectOrphans(pass.onMissingNode);
    for (const pod of pass.unscheduled) await this.#delete(pod);
  }

  #sort(): Pass {
    const { heedsOutOfService } = this.#environment.options.traits;
    const terminating = this.#pods.byIndex(endingIndex, 'terminating');
    const isOnLostNode = ({ spec }: Pod): boolean => {
      const node = this.#nodes.get(undefined, spec?.nodeName ?? '');
      return node !== undefined && isOutOfService(node);
    };
    return {
      terminated: this.#pods.byIndex(endingIndex, 'terminated'),
      outOfService: heedsOutOfService ? terminating.filter(isOnLostNode) : [],
      onMissingNode: this.#pods
        .indexValues(podNodeIndex)
        .flatMap((node) => (this.#nodes.get(undefined, node) === undefined ? this.#pods.byIndex(podNodeIndex, node) : [])),
      unscheduled: terminating.filter(({ spec }) => (spec?.nodeName ?? '') === ''),
    };
  }

  async #collectOrphans(candidates: readonly Pod[]): Promise<void> {
    const nowMs = this.#environment.nowMs();
    for (const { spec } of candidates) {
      const node = spec?.nodeName ?? '';
      if (!this.#quarantine.has(node)) this.#quarantine.set(node, nowMs + this.#environment.options.traits.orphanQuarantineMs);
    }
    const gone = await this.#confirmGone(nowMs);
    for (const pod of candidates) {
      const node = pod.spec?.nodeName ?? '';
      if (gone.has(node)) await this.#delete(pod, 'PodGC: node no longer exists', this.#vanished.get(node));
    }
    for (const node of gone) this.#vanished.delete(node);
  }

  async #confirmGone(nowMs: number): Promise<ReadonlySet<string>> {
    const gone = new Set<string>();
    for (const [node, dueMs] of [...this.#quarantine]) {
      if (dueMs > nowMs) continue;
      this.#quarantine.delete(node);
      if (this.#nodes.get(undefined, node) !== undefined) continue;
      try {
        await this.#environment.client.get(nodes, undefined, node);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        // Any other failure leaves the node to the next quarantine.
        if (isNotFound(error)) gone.add(node);
      }
    }
    return gone;
  }

  async #deleteAll(list: readonly Pod[]): Promise<void> {
    await Promise.all(list.map((pod) => this.#delete(pod)));
  }

  /** Marks the pod as failed where nobody else can, then deletes it at once. What fails comes again with the next pass. */
  async #delete(pod: Pod, disruption?: string, causes: readonly Cause[] = []): Promise<void> {
    const client = this.#environment.client.because([...causes, timerCause(`controller/${name}`, 'gc')]);
    const { namespace, name: podName = '' } = pod.metadata;
    try {
      if (!isPodTerminal(pod) && this.#environment.options.traits.marksDisruptions) {
        const condition = disruption === undefined ? undefined : disruptionTarget(pod, 'DeletionByPodGC', disruption, this.#environment.nowMs());
        await patchPodStatus(client, pod, condition, 'Failed');
      }
      await client.delete(pods, namespace, podName, { gracePeriodSeconds: 0 });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
    }
  }
}

function isOutOfService(node: Node): boolean {
  return !isNodeReady(node) && (node.spec?.taints ?? []).some(({ key }) => key === outOfServiceTaint);
}

function evictedAndOldFirst(a: Pod, b: Pod): number {
  const left = isEvicted(a);
  if (left !== isEvicted(b)) return left ? -1 : 1;
  const { creationTimestamp: createdA = '', name: nameA = '' } = a.metadata;
  const { creationTimestamp: createdB = '', name: nameB = '' } = b.metadata;
  if (createdA !== createdB) return createdA < createdB ? -1 : 1;
  return nameA < nameB ? -1 : nameA > nameB ? 1 : 0;
}

function isEvicted({ status }: Pod): boolean {
  return status?.phase === 'Failed' && status.reason === 'Evicted';
}

export const podGarbageCollectorController = defineController<PodGarbageCollector>({
  name,
  aliases: ['podgc'],
  serviceAccount: 'pod-garbage-collector',
  eventSource: name,
  workers: () => 1,
  watches: [watchOf(pods, () => []), watchOf(nodes, (event, controller: PodGarbageCollector) => controller.keysOfNode(event))],
  create: (environment) => new PodGarbageCollector(environment),
});
