/**
 * Tells pods that share a volume with different SELinux labels or policies: on one node only one of them could use it. Mirrors
 * pkg/controller/volume/selinuxwarning. Only volumes of CSI drivers can be mounted with a label, so only those count.
 */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core/v1/types.gen.ts';
import type { CSIDriver } from '../../api/storage/v1/types.gen.ts';
import type { Cause } from '../../base/causes.ts';
import { data } from '../../base/codecs.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { csiDrivers, persistentVolumeClaims, persistentVolumes, pods } from '../../client/resources.ts';
import { claimNameOf } from '../../component-helpers/pod-references.ts';
import { type Controller, type ControllerMetric, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { isPodTerminal } from '../lib/pod.ts';
import { podClaimIndex, podClaimKeys } from '../lib/pod-claims.ts';
import { type Conflict, conflictMessage, conflictsOf, mountLabels, type Use, type UsedVolume } from './volume-labels.ts';

const name = 'selinux-warning-controller';
const mountOption = 'MountOption';
const recursive = 'Recursive';

interface FoundVolume {
  readonly id: string;
  readonly driver: string;
}

class SELinuxWarningController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #drivers: Informer<CSIDriver>;
  /** By driver and handle. */
  readonly #used: Map<string, UsedVolume>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#used = environment.slots.map('used', data<UsedVolume>());
    this.#pods = environment.informer(pods);
    this.#claims = environment.informer(persistentVolumeClaims);
    this.#volumes = environment.informer(persistentVolumes);
    this.#drivers = environment.informer(csiDrivers);
    this.#pods.addIndex(podClaimIndex, podClaimKeys);
  }

  keysOfUsers(claim: string): readonly string[] {
    return this.#pods.byIndex(podClaimIndex, claim).map(keyOf);
  }

  keysOfDriver(event: InformerEvent<CSIDriver>): readonly string[] {
    const { type, object } = event;
    const hasChanged = type === 'update' ? mounts(event.old) !== mounts(object) : type === 'add' || mounts(object);
    if (!hasChanged) return [];
    const ofDriver = [...this.#used.values()].filter(({ driver }) => driver === object.metadata.name);
    return [...new Set(ofDriver.flatMap(({ uses }) => uses.map(({ pod }) => pod)))];
  }

  async reconcile({ causes }: ReconcileContext, key: string): Promise<void> {
    const { namespace, name: podName } = splitKey(key);
    const pod = this.#pods.get(namespace, podName);
    if (pod === undefined || isPodTerminal(pod)) this.#forget(key);
    else this.#sync(pod, causes);
  }

  /** All conflicts there are now, both ways. */
  metrics(): readonly ControllerMetric[] {
    const conflicts = [...this.#used.values()].flatMap(({ uses }) => uses.flatMap((use, index) => conflictsOf(use, uses.slice(index + 1))));
    return [
      {
        name: 'selinux_warning_controller_selinux_volume_conflict',
        type: 'gauge',
        help: '[ALPHA] Conflict between two Pods using the same volume',
        samples: conflicts.map((conflict) => [labelsOf(conflict), 1]),
      },
    ];
  }

  #sync(pod: Pod, causes: readonly Cause[]): void {
    const problems: string[] = [];
    for (const [mount, labels] of mountLabels(pod)) {
      const volume = this.#find(pod, mount);
      if (volume === undefined) continue;
      if (labels.size > 1) {
        const message = `Volume "${mount}" is mounted twice with different SELinux labels inside this pod`;
        this.#environment.recorder.event(pod, 'Warning', 'MultipleSELinuxLabels', message, causes);
        problems.push(`multiple SELinux labels found: ${[...labels].join(',')}`);
      } else this.#use(volume, this.#useOf(pod, volume, labels), causes);
    }
    if (problems.length > 0) throw new RetryError(problems.join(', '));
  }

  #useOf(pod: Pod, { driver }: FoundVolume, labels: ReadonlySet<string>): Use {
    const found = this.#drivers.get(undefined, driver);
    const wanted = pod.spec?.securityContext?.seLinuxChangePolicy ?? mountOption;
    const canMount = found !== undefined && mounts(found);
    const [given = ''] = labels;
    const label = canMount && wanted !== recursive ? given : '';
    return { pod: keyOf(pod), label, policy: canMount && label !== '' ? wanted : recursive };
  }

  #use({ id, driver }: FoundVolume, use: Use, causes: readonly Cause[]): void {
    const used = this.#used.get(id) ?? { driver, uses: [] };
    const old = used.uses.find(({ pod }) => pod === use.pod);
    if (old !== undefined && old.label === use.label && old.policy === use.policy) return;
    const others = used.uses.filter(({ pod }) => pod !== use.pod);
    this.#used.set(id, { ...used, uses: [...others, use] });
    for (const conflict of conflictsOf(use, others)) {
      const { namespace, name: podName } = splitKey(conflict.pod);
      const told = this.#pods.get(namespace, podName);
      if (told === undefined) return;
      this.#environment.recorder.event(told, 'Normal', `${conflict.property}Conflict`, conflictMessage(conflict), causes);
    }
  }

  #find(pod: Pod, mount: string): FoundVolume | undefined {
    const volume = pod.spec?.volumes?.find((one) => one.name === mount);
    const claimName = volume === undefined ? undefined : claimNameOf(pod, volume);
    const claim = claimName === undefined ? undefined : this.#claims.get(pod.metadata.namespace, claimName);
    const bound = claim?.spec?.volumeName ? this.#volumes.get(undefined, claim.spec.volumeName) : undefined;
    const csi = bound?.spec?.csi;
    return csi === undefined ? undefined : { id: `${csi.driver}^${csi.volumeHandle}`, driver: csi.driver };
  }

  #forget(pod: string): void {
    for (const [id, used] of this.#used) {
      const uses = used.uses.filter((use) => use.pod !== pod);
      if (uses.length === 0) this.#used.delete(id);
      else if (uses.length < used.uses.length) this.#used.set(id, { ...used, uses });
    }
  }
}

function mounts({ spec }: CSIDriver): boolean {
  return spec.seLinuxMount === true;
}

function labelsOf({ property, pod, value, otherPod, otherValue }: Conflict): Readonly<Record<string, string>> {
  const one = splitKey(pod);
  const other = splitKey(otherPod);
  return {
    property,
    pod1_namespace: one.namespace ?? '',
    pod1_name: one.name,
    pod1_value: value,
    pod2_namespace: other.namespace ?? '',
    pod2_name: other.name,
    pod2_value: otherValue,
  };
}

/** Of a pod nothing that matters here changes but its end. */
function keysOfPod(event: InformerEvent<Pod>): readonly string[] {
  const { object } = event;
  if (event.type === 'update' && (event.old.status?.phase === object.status?.phase || !isPodTerminal(object))) return [];
  return [keyOf(object)];
}

function keyOfBoundClaim(event: InformerEvent<PersistentVolumeClaim>): readonly string[] {
  const { type, object } = event;
  const before = event.type === 'update' ? (event.old.spec?.volumeName ?? '') : '';
  const now = object.spec?.volumeName ?? '';
  return type === 'delete' || now === before ? [] : [keyOf(object)];
}

function keyOfClaimRef(event: InformerEvent<PersistentVolume>): readonly string[] {
  const claim = event.object.spec?.claimRef;
  const before = event.type === 'update' ? event.old.spec?.claimRef?.uid : undefined;
  return event.type === 'delete' || claim?.uid === undefined || claim.uid === before ? [] : [`${claim.namespace}/${claim.name}`];
}

export const seLinuxWarningController = defineController<SELinuxWarningController>({
  name,
  aliases: [],
  onByDefault: false,
  gates: ['SELinuxChangePolicy'],
  serviceAccount: name,
  eventSource: 'selinux_warning',
  workers: () => 1,
  watches: [
    watchOf(pods, keysOfPod),
    watchOf(persistentVolumeClaims, (event, controller: SELinuxWarningController) =>
      keyOfBoundClaim(event).flatMap((claim) => controller.keysOfUsers(claim)),
    ),
    watchOf(persistentVolumes, (event, controller: SELinuxWarningController) =>
      keyOfClaimRef(event).flatMap((claim) => controller.keysOfUsers(claim)),
    ),
    watchOf(csiDrivers, (event, controller: SELinuxWarningController) => controller.keysOfDriver(event)),
  ],
  create: (environment) => new SELinuxWarningController(environment),
});
