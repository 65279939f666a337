/** Keeps claims that a pod on a node uses from being removed. Mirrors pkg/controller/volume/pvcprotection/pvc_protection_controller.go. */
import type { PersistentVolumeClaim, Pod } from '../../api/core/v1/types.gen.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { persistentVolumeClaims, pods } from '../../client/resources.ts';
import { claimNameOf } from '../../component-helpers/pod-references.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { podClaimIndex, podClaimKeys } from '../lib/pod-claims.ts';
import { claimProtection, isDeletionCandidate, needsFinalizer, withFinalizer, withoutFinalizer } from '../lib/protection.ts';

class ClaimProtectionController implements Controller {
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #pods: Informer<Pod>;
  readonly #adds: boolean;

  constructor(environment: ControllerEnvironment) {
    this.#claims = environment.informer(persistentVolumeClaims);
    this.#pods = environment.informer(pods);
    this.#adds = environment.options.protectsStorage;
    this.#pods.addIndex(podClaimIndex, podClaimKeys, { ignoresStatus: true });
  }

  /** Claims of a pod that went, ended or was cut loose may be free now. */
  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    const { object } = event;
    const freed = event.type === 'delete' || isShutDown(object) || object.spec?.nodeName === undefined;
    return freed || (event.type === 'update' && event.old.metadata.uid !== object.metadata.uid)
      ? podClaimKeys(event.type === 'update' ? event.old : object).filter((key) => this.#waits(key))
      : [];
  }

  #waits(key: string): boolean {
    const { namespace, name } = splitKey(key);
    const claim = this.#claims.get(namespace, name);
    return claim !== undefined && isDeletionCandidate(claim, claimProtection);
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const claim = this.#claims.get(namespace, name);
    if (claim === undefined) return;
    if (isDeletionCandidate(claim, claimProtection)) {
      if (this.#pods.byIndex(podClaimIndex, key).some((pod) => uses(pod, claim))) return;
      // The cache may not know of a pod that was just bound.
      const live = await client.list(pods, namespace);
      if (!live.items.some((pod) => uses(pod, claim))) await client.update(persistentVolumeClaims, withoutFinalizer(claim, claimProtection));
    } else if (this.#adds && needsFinalizer(claim, claimProtection)) {
      await client.update(persistentVolumeClaims, withFinalizer(claim, claimProtection));
    }
  }
}

/** Only pods with a node count: a kubelet starts none whose claim is being deleted. */
function uses(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (!pod.spec?.nodeName) return false;
  return (pod.spec.volumes ?? []).some((volume) => {
    if (claimNameOf(pod, volume) !== claim.metadata.name) return false;
    if (volume.ephemeral === undefined) return true;
    return (
      !isShutDown(pod) && claim.metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === pod.metadata.uid) === true
    );
  });
}

function isShutDown({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}

function keysOfClaim({ type, object }: InformerEvent<PersistentVolumeClaim>): readonly string[] {
  if (type === 'delete') return [];
  return needsFinalizer(object, claimProtection) || isDeletionCandidate(object, claimProtection) ? [keyOf(object)] : [];
}

export const persistentVolumeClaimProtectionController = defineController<ClaimProtectionController>({
  name: 'persistentvolumeclaim-protection-controller',
  aliases: ['pvc-protection'],
  serviceAccount: 'pvc-protection-controller',
  eventSource: 'pvc-protection-controller',
  workers: () => 1,
  watches: [
    watchOf(persistentVolumeClaims, keysOfClaim),
    watchOf(pods, (event, controller: ClaimProtectionController) => controller.keysOfPod(event)),
  ],
  create: (environment) => new ClaimProtectionController(environment),
});
