/** Makes the claims of pods' ephemeral volumes. Mirrors pkg/controller/volume/ephemeral/controller.go. */
import type { PersistentVolumeClaim, Pod, Volume } from '../../api/core/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { persistentVolumeClaims, pods } from '../../client/resources.ts';
import { claimNameOf } from '../../component-helpers/pod-references.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { isControlledBy, newControllerRef } from '../lib/controller-ref.ts';
import { podClaimIndex, podClaimKeys } from '../lib/pod-claims.ts';

class EphemeralVolumeController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<PersistentVolumeClaim>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(podClaimIndex, podClaimKeys, { ignoresStatus: true });
    this.#claims = environment.informer(persistentVolumeClaims);
  }

  /** A claim that went is made again for pods that have it. */
  keysOfClaim({ type, object }: InformerEvent<PersistentVolumeClaim>): readonly string[] {
    return type === 'delete' ? this.#pods.byIndex(podClaimIndex, keyOf(object)).map(keyOf) : [];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const pod = this.#pods.get(namespace, name);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
    for (const volume of pod.spec?.volumes ?? []) {
      const fault = volume.ephemeral === undefined ? undefined : await this.#ensure(context, pod, volume);
      if (fault === undefined) continue;
      this.#environment.recorder.event(pod, 'Warning', 'FailedBinding', `ephemeral volume ${volume.name}: ${fault}`, context.causes);
      throw new RetryError(`pod ${key}, ephemeral volume ${volume.name}: ${fault}`);
    }
  }

  /** Why the volume has no claim, if it has none. */
  async #ensure({ client }: ReconcileContext, pod: Pod, volume: Volume): Promise<string | undefined> {
    const name = claimNameOf(pod, volume) ?? '';
    const { namespace = '' } = pod.metadata;
    const known = this.#claims.get(namespace, name);
    if (known !== undefined)
      return isControlledBy(known, pod)
        ? undefined
        : `PVC ${namespace}/${name} was not created for pod ${namespace}/${pod.metadata.name ?? ''} (pod is not owner)`;
    const template = volume.ephemeral?.volumeClaimTemplate;
    const { labels, annotations } = template?.metadata ?? {};
    try {
      await client.create(persistentVolumeClaims, {
        kind: 'PersistentVolumeClaim',
        apiVersion: 'v1',
        metadata: {
          name,
          namespace,
          ...(labels === undefined ? {} : { labels }),
          ...(annotations === undefined ? {} : { annotations }),
          ownerReferences: [newControllerRef(pod, pods)],
        },
        spec: template?.spec ?? {},
      });
      return undefined;
    } catch (error) {
      if (error instanceof StatusError) return `create PVC ${name}: ${error.message}`;
      throw error;
    }
  }
}

function keysOfPod({ type, object }: InformerEvent<Pod>): readonly string[] {
  // The volumes of a pod never change.
  const isAsking = type === 'add' && object.metadata.deletionTimestamp === undefined;
  return isAsking && (object.spec?.volumes ?? []).some((volume) => volume.ephemeral !== undefined) ? [keyOf(object)] : [];
}

export const ephemeralVolumeController = defineController<EphemeralVolumeController>({
  name: 'ephemeral-volume-controller',
  aliases: ['ephemeral-volume'],
  serviceAccount: 'ephemeral-volume-controller',
  eventSource: 'ephemeral_volume',
  workers: (options) => options.concurrentEphemeralVolumeSyncs,
  watches: [
    watchOf(pods, keysOfPod),
    watchOf(persistentVolumeClaims, (event, controller: EphemeralVolumeController) => controller.keysOfClaim(event)),
  ],
  create: (environment) => new EphemeralVolumeController(environment),
});
