/** Keeps claims that a pod on a node uses from being removed. Mirrors pkg/controller/volume/pvcprotection/pvc_protection_controller.go. */
import type { PersistentVolumeClaim, PersistentVolumeClaimCondition, Pod } from '../../api/core/v1/types.gen.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { Client } from '../../client/client.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { persistentVolumeClaims, pods } from '../../client/resources.ts';
import { claimNameOf } from '../../component-helpers/pod-references.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { podClaimIndex, podClaimKeys } from '../lib/pod-claims.ts';
import { claimProtection, isDeletionCandidate, needsFinalizer, withFinalizer, withoutFinalizer } from '../lib/protection.ts';

const unused = 'Unused';

class ClaimProtectionController implements Controller {
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #pods: Informer<Pod>;
  readonly #adds: boolean;
  readonly #tellsUnused: boolean;
  readonly #nowMs: () => number;

  constructor(environment: ControllerEnvironment) {
    this.#claims = environment.informer(persistentVolumeClaims);
    this.#pods = environment.informer(pods);
    this.#adds = environment.options.protectsStorage;
    this.#tellsUnused = environment.options.tellsUnusedClaims;
    this.#nowMs = () => environment.nowMs();
    this.#pods.addIndex(podClaimIndex, podClaimKeys, { ignoresStatus: true });
  }

  /** Claims of a pod that went, ended or was cut loose may be free now; where their use is told, all of its claims are looked at. */
  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    const { object } = event;
    if (this.#tellsUnused) {
      const replaced = event.type === 'update' && event.old.metadata.uid !== object.metadata.uid ? podClaimKeys(event.old) : [];
      return [...podClaimKeys(object), ...replaced];
    }
    const freed = event.type === 'delete' || isShutDown(object) || object.spec?.nodeName === undefined;
    return freed || (event.type === 'update' && event.old.metadata.uid !== object.metadata.uid)
      ? podClaimKeys(event.type === 'update' ? event.old : object).filter((key) => this.#waits(key))
      : [];
  }

  keysOfClaim({ type, object }: InformerEvent<PersistentVolumeClaim>): readonly string[] {
    if (type === 'delete') return [];
    const isUntold = this.#tellsUnused && unusedCondition(object) === undefined;
    return isUntold || needsFinalizer(object, claimProtection) || isDeletionCandidate(object, claimProtection) ? [keyOf(object)] : [];
  }

  /** Says since when a pod refers to the claim, or none does. */
  async #tellUse(client: Client, claim: PersistentVolumeClaim, key: string): Promise<void> {
    const isUsed =
      this.#pods.byIndex(podClaimIndex, key).some((pod) => refersTo(pod, claim)) ||
      (await client.list(pods, claim.metadata.namespace)).items.some((pod) => refersTo(pod, claim));
    const before = unusedCondition(claim);
    if (before?.status === (isUsed ? 'False' : 'True') || (isUsed && before !== undefined && before.status !== 'True')) return;
    const told = isUsed
      ? { status: 'False', reason: 'PodUsingPVC', message: 'A pod is currently referencing this PVC' }
      : { status: 'True', reason: 'NoPodsUsingPVC', message: 'No pods are currently referencing this PVC' };
    const condition = { type: unused, ...told, lastTransitionTime: formatTime(this.#nowMs()) } as PersistentVolumeClaimCondition;
    const conditions = claim.status?.conditions ?? [];
    const next = before === undefined ? [...conditions, condition] : conditions.map((one) => (one === before ? condition : one));
    await client.updateStatus(persistentVolumeClaims, { ...claim, status: { ...claim.status, conditions: next } });
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
    if (this.#tellsUnused && claim.metadata.deletionTimestamp === undefined) await this.#tellUse(client, claim, key);
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

/** A pod that has not ended counts, whether it has a node or not. */
function refersTo(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (hasEnded(pod)) return false;
  return (pod.spec?.volumes ?? []).some(
    (volume) => claimNameOf(pod, volume) === claim.metadata.name && (volume.ephemeral === undefined || isOwn(pod, claim)),
  );
}

function hasEnded({ metadata, status }: Pod): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return true;
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? []), ...(status?.ephemeralContainerStatuses ?? [])];
  const isQuiet = all.every(({ state }) => state?.terminated !== undefined || state?.waiting !== undefined);
  return metadata.deletionTimestamp !== undefined && isQuiet;
}

function isOwn(pod: Pod, { metadata }: PersistentVolumeClaim): boolean {
  return metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === pod.metadata.uid) === true;
}

function unusedCondition({ status }: PersistentVolumeClaim): PersistentVolumeClaimCondition | undefined {
  return status?.conditions?.find(({ type }) => type === unused);
}

/** Only pods with a node count: a kubelet starts none whose claim is being deleted. */
function uses(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (!pod.spec?.nodeName) return false;
  return (pod.spec.volumes ?? []).some((volume) => {
    if (claimNameOf(pod, volume) !== claim.metadata.name) return false;
    if (volume.ephemeral === undefined) return true;
    return !isShutDown(pod) && isOwn(pod, claim);
  });
}

function isShutDown({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}

export const persistentVolumeClaimProtectionController = defineController<ClaimProtectionController>({
  name: 'persistentvolumeclaim-protection-controller',
  aliases: ['pvc-protection'],
  serviceAccount: 'pvc-protection-controller',
  eventSource: 'pvc-protection-controller',
  workers: () => 1,
  watches: [
    watchOf(persistentVolumeClaims, (event, controller: ClaimProtectionController) => controller.keysOfClaim(event)),
    watchOf(pods, (event, controller: ClaimProtectionController) => controller.keysOfPod(event)),
  ],
  create: (environment) => new ClaimProtectionController(environment),
});
