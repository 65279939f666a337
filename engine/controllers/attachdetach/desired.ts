/** Which volumes pods want on which nodes: upstream's desired state of the world, worked out from the caches. */
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core/v1/types.gen.ts';
import type { CSIDriver } from '../../api/storage/v1/types.gen.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { Informer } from '../../client/informer.ts';
import { csiDrivers, nodes, persistentVolumeClaims, persistentVolumes, pods } from '../../client/resources.ts';
import { podClaimNames } from '../../component-helpers/pod-references.ts';
import { uniqueVolumeName } from '../../component-helpers/storage.ts';
import type { ControllerEnvironment } from '../controller.ts';
import { isTerminated, podClaimIndex, podClaimKeys } from '../lib/pod-claims.ts';

const uniqueIndex = 'unique';
/** Set by kubelets that leave attaching to the controller. */
const managedAnnotation = 'volumes.kubernetes.io/controller-managed-attach-detach';

export class DesiredAttachments {
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #drivers: Informer<CSIDriver>;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;

  constructor(environment: ControllerEnvironment) {
    this.#claims = environment.informer(persistentVolumeClaims);
    this.#volumes = environment.informer(persistentVolumes);
    this.#volumes.addIndex(uniqueIndex, (volume) => uniqueNameOf(volume) ?? []);
    this.#drivers = environment.informer(csiDrivers);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(podClaimIndex, podClaimKeys, { ignoresStatus: true });
    this.#nodes = environment.informer(nodes);
  }

  volume(unique: string): PersistentVolume | undefined {
    return this.#volumes.byIndex(uniqueIndex, unique)[0];
  }

  /** The pods on each node that want the volume there, by node, in the order of their names. */
  podsByNode(volume: PersistentVolume): ReadonlyMap<string, readonly Pod[]> {
    const wanted = new Map<string, Pod[]>();
    const { namespace = '', name = '', uid } = volume.spec?.claimRef ?? {};
    const claim = this.#claims.get(namespace, name);
    const isBound = claim?.status?.phase === 'Bound' && claim.metadata.uid === uid && claim.spec?.volumeName === volume.metadata.name;
    if (!isBound || !this.#isAttached(volume)) return wanted;
    for (const pod of this.#pods.byIndex(podClaimIndex, `${namespace}/${name}`)) {
      const node = pod.spec?.nodeName ?? '';
      if (node === '' || isTerminated(pod) || !this.#isManaged(node)) continue;
      const known = wanted.get(node);
      if (known === undefined) wanted.set(node, [pod]);
      else known.push(pod);
    }
    return wanted;
  }

  /** Keys of the volumes of a pod's claims. */
  ofPod(pod: Pod): readonly string[] {
    const { namespace = '' } = pod.metadata;
    return podClaimNames(pod).flatMap((name) => this.ofClaim(this.#claims.get(namespace, name)));
  }

  ofClaim(claim: PersistentVolumeClaim | undefined): readonly string[] {
    return this.ofVolume(claim?.spec?.volumeName ?? '');
  }

  ofVolume(name: string): readonly string[] {
    const volume = this.#volumes.get(undefined, name);
    return volume === undefined ? [] : (uniqueNameOf(volume) ?? []);
  }

  #isManaged(node: string): boolean {
    return getOwn(this.#nodes.get(undefined, node)?.metadata.annotations, managedAnnotation) === 'true';
  }

  /** A driver may say that there is nothing to attach. */
  #isAttached({ spec }: PersistentVolume): boolean {
    return this.#drivers.get(undefined, spec?.csi?.driver ?? '')?.spec.attachRequired !== false;
  }
}

/** As a list of one; undefined for volumes that are not attached by a driver. */
export function uniqueNameOf({ spec }: PersistentVolume): readonly string[] | undefined {
  return spec?.csi === undefined ? undefined : [uniqueVolumeName(spec.csi.driver, spec.csi.volumeHandle)];
}
