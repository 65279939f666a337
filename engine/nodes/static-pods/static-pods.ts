/**
 * Static pods: what the manifests of a machine say runs on it, with or without an API server. Each has an image in the API, its mirror
 * pod, which is made again when somebody deletes it and goes with the manifest. Mirrors pkg/kubelet/config/file.go, pod/mirror_client.go
 * and tryReconcileMirrorPods of kubelet.go; manifests are those of the machine's pool.
 */
import type { NodePool } from '../../api/sim/v1alpha1/node-pool.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../../apimachinery/errors.ts';
import { type Cause, writeCause } from '../../base/causes.ts';
import { deepEqual } from '../../base/equal.ts';
import type { Slots } from '../../base/slots.ts';
import type { Informer } from '../../client/informer.ts';
import { pods } from '../../client/resources.ts';
import { isMirrorPod } from '../../component-helpers/pod.ts';
import { KeyedWorkers } from '../../controller-runtime/keyed-workers.ts';
import { componentName, type NodesContext } from '../context.ts';
import type { PodWorker } from '../kubelet/worker.ts';
import { hearsApi, isHeard, type Machine, worksOnPods } from '../machine.ts';
import { clockAt } from '../machine-clock.ts';
import { housekeepingMs, podResyncMs } from '../physics.ts';
import type { PodWorkers } from '../pod-workers.ts';
import { nanoText } from '../timestamps.ts';
import { isMirrorOf, toMirrorPod, toStaticPod } from './manifest.ts';

/** Timers of the queue of mirror pods. */
export const mirrorTimer = 'mirror-pods';

export class StaticPods {
  readonly #context: NodesContext;
  readonly #workers: PodWorkers;
  readonly #pools: Informer<NodePool>;
  /** One coroutine for each name that has, or had, a static pod: `node/namespace/name`. */
  readonly #mirrors: KeyedWorkers;

  constructor(context: NodesContext, pools: Informer<NodePool>, workers: PodWorkers, slots: Slots) {
    this.#context = context;
    this.#pools = pools;
    this.#workers = workers;
    this.#mirrors = new KeyedWorkers({
      loop: context.loop,
      component: componentName,
      timer: mirrorTimer,
      slots,
      // The next sync of the pod tries again.
      backoff: { baseMs: podResyncMs, maxMs: podResyncMs },
      work: (key, causes) => this.#reconcile(key, causes),
      describe: (key) => `mirror pod ${key}`,
    });
    pools.addHandler((event) => {
      const { type, object } = event;
      if (type === 'delete' || (type === 'update' && deepEqual(object.spec?.staticPods, event.old.spec?.staticPods))) return;
      for (const machine of context.machines.values()) if (machine.pool === object.metadata.name) this.bring(machine);
    });
    workers.onMirror = (mirror, machine, isDeleted) => this.#mirrorSeen(mirror, machine, isDeleted);
    workers.onForgotten = (worker, machine) => {
      if (worker.isStatic) this.#ended(worker, machine);
    };
  }

  onTimer(key: string | null): void {
    this.#mirrors.onTimer(key);
  }

  /** Starts what the manifests say and ends what they say no more. What has a name that still ends waits for it. */
  bring(machine: Machine): void {
    if (!worksOnPods(machine)) return;
    const pool = this.#pools.get(undefined, machine.pool);
    const manifests = pool?.spec?.staticPods ?? [];
    const running = this.#staticOn(machine);
    if (pool === undefined || (manifests.length === 0 && running.length === 0)) return;
    const seenText = nanoText(clockAt(machine, this.#context.loop.nowMs()));
    const wanted = manifests.map((manifest) => toStaticPod(manifest, machine.name, seenText));
    const causes = [writeCause(Number(pool.metadata.resourceVersion))];
    const uids = new Set(wanted.map(({ metadata }) => metadata.uid));
    for (const worker of running) if (!worker.gone && !uids.has(worker.uid)) this.#workers.retire(worker, causes);
    for (const pod of wanted) {
      const { namespace, name, uid = '' } = pod.metadata;
      const isTaken = this.#staticOn(machine).some((worker) => worker.namespace === namespace && worker.name === name);
      if (!isTaken && !this.#context.workers.has(uid)) this.#workers.addStatic(pod, machine, causes);
    }
    this.tellMirrors(machine, causes);
  }

  /** The Node is there: its static pods can be shown. */
  tellMirrors(machine: Machine, causes: readonly Cause[]): void {
    for (const { namespace, name } of this.#staticOn(machine)) this.#mirrors.queue.add(keyOf(machine, namespace, name), causes);
  }

  #staticOn(machine: Machine): readonly PodWorker[] {
    return this.#workers.on(machine).filter((worker) => worker.isStatic);
  }

  #mirrorSeen(mirror: Pod, machine: Machine, isDeleted: boolean): void {
    const { namespace = '', name = '', uid, deletionTimestamp, resourceVersion } = mirror.metadata;
    const worker = this.#staticOn(machine).find((one) => one.namespace === namespace && one.name === name && !one.gone);
    const isWanted = !isDeleted && worker !== undefined && deletionTimestamp === undefined && isMirrorOf(mirror, worker.pod);
    if (isWanted) this.#workers.showAs(worker, mirror);
    else if (worker?.mirror?.metadata.uid === uid && worker !== undefined && isDeleted) worker.mirror = null;
    if (!isWanted) this.#mirrors.queue.add(keyOf(machine, namespace, name), [writeCause(Number(resourceVersion))]);
  }

  /** Nothing of it runs any more: a new version may start, or the image goes with the next housekeeping. */
  #ended({ namespace, name, causes }: PodWorker, machine: Machine): void {
    this.bring(machine);
    this.#mirrors.queue.addAfter(keyOf(machine, namespace, name), housekeepingMs, causes);
  }

  /** Brings the API to what runs: no image, or one of the pod as it is. */
  async #reconcile(key: string, causes: readonly Cause[]): Promise<void> {
    const [node = '', namespace = '', name = ''] = key.split('/');
    const machine = this.#context.machines.get(node);
    if (machine === undefined || !isHeard(machine) || !hearsApi(machine) || !machine.registered) return;
    const own = this.#staticOn(machine).filter((worker) => worker.namespace === namespace && worker.name === name);
    const worker = own.find(({ gone }) => !gone);
    // It is shown until it has ended.
    if (worker === undefined && own.length > 0) return;
    const known = this.#workers.known(namespace, name);
    const mirror = known !== undefined && isMirrorPod(known) && known.spec?.nodeName === node ? known : undefined;
    const isCurrent =
      mirror !== undefined && worker !== undefined && mirror.metadata.deletionTimestamp === undefined && isMirrorOf(mirror, worker.pod);
    if (isCurrent || (mirror !== undefined && !(await this.#delete(mirror, node, causes)))) return;
    if (worker !== undefined) await this.#create(worker, node, causes);
  }

  /** Whether it was this call that deleted it. */
  async #delete({ metadata: { namespace = '', name = '', uid = '' } }: Pod, node: string, causes: readonly Cause[]): Promise<boolean> {
    try {
      const client = this.#context.clientFor(node).because(causes);
      await client.delete(pods, namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
      return true;
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
      return false;
    }
  }

  async #create({ pod }: PodWorker, node: string, causes: readonly Cause[]): Promise<void> {
    const { metadata } = this.#context.nodeInformer.get(undefined, node) ?? {};
    if (metadata?.uid === undefined || metadata.deletionTimestamp !== undefined) return;
    try {
      await this.#context
        .clientFor(node)
        .because(causes)
        .create(pods, toMirrorPod(pod, node, metadata.uid));
    } catch (error) {
      // The watch tells of what is there.
      if (!isAlreadyExists(error)) throw error;
    }
  }
}

function keyOf({ name: node }: Machine, namespace: string, name: string): string {
  return `${node}/${namespace}/${name}`;
}
