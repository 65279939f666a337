/**
 * Empties a released volume by a pod that mounts it, and gives it back. Mirrors recycleVolumeOperation of pv_controller.go and
 * pkg/volume/util/recyclerclient. Which volumes are being recycled is remembered; a pod that nobody remembers is an old one.
 */
import type { PersistentVolume, Pod } from '../../api/core/v1/types.gen.ts';
import { isAlreadyExists, isNotFound } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { quantityValue } from '../../apimachinery/quantity.ts';
import { text } from '../../base/codecs.ts';
import { pods } from '../../client/resources.ts';
import { volumeCapacity } from '../../component-helpers/storage.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import type { Binder } from './binder.ts';
import { volumeKey } from './keys.ts';
import { recyclableSource } from './plugins.ts';

const podNamespace = 'default';
const podPrefix = 'recycler-for-';
const image = 'registry.k8s.io/build-image/debian-base:bookworm-v1.0.6';
const script = 'test -e /scrub && find /scrub -mindepth 1 -delete && test -z "$(ls -A /scrub)" || exit 1';
const gib = 1024 ** 3;

export class Recycler {
  readonly #binder: Binder;
  /** Uids of volumes that are being recycled, by name. */
  readonly #running: Map<string, string>;

  constructor(binder: Binder) {
    this.#binder = binder;
    this.#running = binder.environment.slots.map('recycling', text);
  }

  /** Keys of the volume that a recycler's pod is at work on, once that ended or went. */
  keysOf(pod: Pod, isGone: boolean): readonly string[] {
    const { namespace, name = '' } = pod.metadata;
    if (namespace !== podNamespace || !name.startsWith(podPrefix) || !(isGone || hasEnded(pod))) return [];
    const volume = name.slice(podPrefix.length);
    return this.#running.has(volume) ? [volumeKey(volume)] : [];
  }

  /** One step: a pod is made, or what became of it is taken up. */
  async recycle(context: ReconcileContext, volume: PersistentVolume): Promise<void> {
    const { name = '', uid = '' } = volume.metadata;
    if (this.#running.get(name) === uid) {
      await this.#continue(context, volume);
      return;
    }
    this.#running.delete(name);
    if (this.#isUsed(context, volume)) return;
    const source = recyclableSource(volume);
    if (source === undefined) {
      await this.#binder.failVolume(context, volume, 'VolumeFailedRecycle', 'No recycler plugin found for the volume!');
      return;
    }
    try {
      await context.client.create(pods, this.#recyclerPod(volume, source));
      this.#running.set(name, uid);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const old = isAlreadyExists(error);
      if (old) await this.#removePod(context, name);
      await this.#failed(
        context,
        volume,
        old ? 'old recycler pod found, will retry later' : `unexpected error creating recycler pod:  ${error.message}`,
      );
    }
  }

  async #continue(context: ReconcileContext, volume: PersistentVolume): Promise<void> {
    const { name = '' } = volume.metadata;
    const pod = this.#binder.pod(podNamespace, podPrefix + name) ?? (await this.#livePod(context, name));
    if (pod !== undefined && !hasEnded(pod)) return;
    this.#running.delete(name);
    if (pod !== undefined) await this.#removePod(context, name);
    if (pod?.status?.phase === 'Succeeded') {
      this.#binder.event(context, volume, 'Normal', 'VolumeRecycled', 'Volume recycled');
      await this.#binder.unbind(context, volume);
      return;
    }
    const why = pod === undefined ? 'recycler pod was deleted' : (pod.status?.message ?? 'pod failed, pod.Status.Message unknown');
    await this.#failed(context, volume, `failed to recycle volume: ${why}`);
  }

  async #failed(context: ReconcileContext, volume: PersistentVolume, why: string): Promise<void> {
    await this.#binder.failVolume(context, volume, 'VolumeFailedRecycle', `Recycle failed: ${why}`);
  }

  /** Pods that outlive the claim keep the volume. */
  #isUsed(context: ReconcileContext, volume: PersistentVolume): boolean {
    const { namespace = '', name = '' } = volume.spec?.claimRef ?? {};
    const users = this.#binder.podsOf({ metadata: { namespace, name } }).map((pod) => `${namespace}/${pod.metadata.name ?? ''}`);
    if (users.length === 0 || this.#binder.claims.get(namespace, name) !== undefined) return false;
    this.#binder.event(context, volume, 'Normal', 'VolumeFailedRecycle', `Volume is used by pods: ${users.join()}`);
    return true;
  }

  async #livePod({ client }: ReconcileContext, volume: string): Promise<Pod | undefined> {
    try {
      return await client.get(pods, podNamespace, podPrefix + volume);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #removePod({ client }: ReconcileContext, volume: string): Promise<void> {
    try {
      await client.delete(pods, podNamespace, podPrefix + volume);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #recyclerPod(volume: PersistentVolume, source: object): Pod {
    const { options } = this.#binder.environment;
    const { minimumSeconds, secondsPerGib } = volume.spec?.hostPath === undefined ? options.recyclerNfs : options.recyclerHostPath;
    const activeDeadlineSeconds = Math.max(minimumSeconds, Math.trunc(quantityValue(volumeCapacity(volume)) / gib) * secondsPerGib);
    return {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: `${podPrefix}${volume.metadata.name ?? ''}`, namespace: podNamespace },
      spec: {
        volumes: [{ name: 'vol', ...source }],
        containers: [
          { name: 'pv-recycler', image, command: ['/bin/sh'], args: ['-c', script], volumeMounts: [{ name: 'vol', mountPath: '/scrub' }] },
        ],
        restartPolicy: 'Never',
        activeDeadlineSeconds,
      },
    };
  }
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
