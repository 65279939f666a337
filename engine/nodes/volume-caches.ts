/** What kubelets know of claims and volumes: which a pod has, which have to be attached, which are in use on a machine. */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../api/core/v1/types.gen.ts';
import type { CSIDriver } from '../api/storage/v1/types.gen.ts';
import type { Informer, InformerFactory } from '../client/informer.ts';
import { csiDrivers, persistentVolumeClaims, persistentVolumes } from '../client/resources.ts';
import { claimNameOf } from '../component-helpers/pod-references.ts';
import { uniqueVolumeName } from '../component-helpers/storage.ts';
import { isTerminal, type PodWorker } from './kubelet/worker.ts';
import type { Machine } from './machine.ts';

/** A volume of a pod that is a claim's. */
export interface ClaimVolume {
  /** Its name in the pod. */
  readonly name: string;
  readonly claimName: string;
  readonly claim: PersistentVolumeClaim | undefined;
  readonly volume: PersistentVolume | undefined;
  /** The name under which the controller attaches it; undefined where nothing has to be attached. */
  readonly unique: string | undefined;
}

const none: readonly ClaimVolume[] = [];
const noNames: readonly string[] = [];

export class VolumeCaches {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #drivers: Informer<CSIDriver>;
  /** How many volumes there are at all. */
  #known = 0;

  constructor(informers: InformerFactory) {
    this.claims = informers.informer(persistentVolumeClaims);
    this.#volumes = informers.informer(persistentVolumes);
    this.#drivers = informers.informer(csiDrivers);
    this.#volumes.addTally({ add: () => this.#known++, remove: () => this.#known--, clear: () => (this.#known = 0) });
  }

  ofPod(pod: Pod): readonly ClaimVolume[] {
    if (!hasClaims(pod)) return none;
    return (pod.spec?.volumes ?? []).flatMap((volume) => {
      const claimName = claimNameOf(pod, volume);
      return claimName === undefined ? [] : [this.#resolve(pod, volume.name, claimName)];
    });
  }

  /** Names of attachable volumes of pods that have not let them go, sorted. */
  inUse(machine: Machine, workers: ReadonlyMap<string, PodWorker>): readonly string[] {
    // Asked with every beat of every kubelet: without volumes nobody's pods are looked through.
    if (this.#known === 0) return noNames;
    const names = new Set<string>();
    for (const uid of machine.pods) {
      const worker = workers.get(uid);
      if (worker === undefined || isTerminal(worker)) continue;
      for (const { unique } of this.ofPod(worker.pod)) if (unique !== undefined) names.add(unique);
    }
    return [...names].sort();
  }

  #resolve(pod: Pod, name: string, claimName: string): ClaimVolume {
    const claim = this.claims.get(pod.metadata.namespace, claimName);
    const found = this.#volumes.get(undefined, claim?.spec?.volumeName ?? '');
    const volume = claim?.status?.phase === 'Bound' && found?.spec?.claimRef?.uid === claim.metadata.uid ? found : undefined;
    const csi = volume?.spec?.csi;
    const isAttached = csi !== undefined && this.#drivers.get(undefined, csi.driver)?.spec.attachRequired !== false;
    return { name, claimName, claim, volume, unique: isAttached ? uniqueVolumeName(csi.driver, csi.volumeHandle) : undefined };
  }
}

export function hasClaims({ spec }: Pod): boolean {
  return spec?.volumes?.some((volume) => volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined) === true;
}
