/** Claims and volumes: one volume for one claim, one node for one volume, one pod for a claim that says so, nothing taken from who uses it. */
import type { PersistentVolumeClaim, Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { VolumeAttachment } from '../../../engine/api/storage/v1/types.gen.ts';
import { getPodCondition } from '../../../engine/component-helpers/pod.ts';
import { nameOf, prefixOf, type World } from '../world.ts';
import type { Checker } from './checker.ts';

const claims = 'persistentvolumeclaims';

/** An attachment that is detached by force is gone before the next one is made. */
export function volumesAreOnOneNode(): Checker {
  return {
    name: 'volumes are on one node',
    onChange({ key, current }, world) {
      if (prefixOf(key) !== 'volumeattachments' || current === undefined) return [];
      const own = current.value as VolumeAttachment;
      const volume = own.spec?.source?.persistentVolumeName;
      if (own.status?.attached !== true || volume === undefined) return [];
      const others = world
        .all<VolumeAttachment>('volumeattachments')
        .filter(
          ({ spec, status }) => spec?.source?.persistentVolumeName === volume && status?.attached === true && spec.nodeName !== own.spec?.nodeName,
        );
      return others.map(({ spec }) => `volume ${volume} is attached to ${own.spec?.nodeName} and to ${spec?.nodeName}`);
    },
  };
}

export function claimsHaveOneVolume(): Checker {
  return {
    name: 'claims have one volume',
    onChange({ key, current, previous }, world) {
      if (prefixOf(key) !== claims || current === undefined) return [];
      const own = current.value as PersistentVolumeClaim;
      const { volumeName } = own.spec ?? {};
      const before = (previous?.value as PersistentVolumeClaim | undefined)?.spec?.volumeName;
      if (before && before !== volumeName) return [`${nameOf(own)} went from volume ${before} to ${volumeName}`];
      if (!volumeName || before || own.status?.phase !== 'Bound') return [];
      const others = world
        .all<PersistentVolumeClaim>(claims)
        .filter((one) => one.spec?.volumeName === volumeName && one.metadata.uid !== own.metadata.uid && one.status?.phase === 'Bound');
      return others.map((one) => `${nameOf(own)} and ${nameOf(one)} are bound to volume ${volumeName}`);
    },
  };
}

/** ReadWriteOncePod: the scheduler gives it to one pod at a time. */
export function claimsOfOnePodAreKept(): Checker {
  return {
    name: 'claims of one pod are kept',
    onChange({ key, current, previous }, world) {
      const pod = current?.value as Pod | undefined;
      if (prefixOf(key) !== 'pods' || !pod?.spec?.nodeName || (previous?.value as Pod | undefined)?.spec?.nodeName) return [];
      return claimsOf(pod).flatMap((name) => {
        const claim = world.get<PersistentVolumeClaim>(claims, pod.metadata.namespace, name);
        if (claim?.spec?.accessModes?.includes('ReadWriteOncePod') !== true) return [];
        const others = usersOf(name, pod.metadata.namespace, world).filter((one) => one.metadata.uid !== pod.metadata.uid && one.spec?.nodeName);
        return others.map((one) => `${nameOf(pod)} and ${nameOf(one)} have claim ${name}, which is for one pod`);
      });
    },
  };
}

/** A claim does not go while a pod uses it, and a volume not while a claim does. */
export function whatIsUsedStays(): Checker {
  return {
    name: 'what is used stays',
    onChange({ type, key, previous }, world) {
      const prefix = prefixOf(key);
      const gone = previous?.value;
      if (type !== 'delete' || gone === undefined) return [];
      const { name = '', namespace } = gone.metadata;
      if (prefix === claims)
        // One that was never bound to a node does not use it yet; nor does one that was bound to it while it was going: no kubelet starts that one.
        return usersOf(name, namespace, world)
          .filter(({ spec, metadata }) => spec?.nodeName && (metadata.creationTimestamp ?? '') > (gone.metadata.creationTimestamp ?? ''))
          .filter((pod) => (getPodCondition(pod, 'PodScheduled')?.lastTransitionTime ?? '') < (gone.metadata.deletionTimestamp ?? '~'))
          .map((pod) => `claim ${name} went while ${nameOf(pod)} uses it`);
      if (prefix !== 'persistentvolumes') return [];
      return world
        .all<PersistentVolumeClaim>(claims)
        .filter(({ spec, status }) => spec?.volumeName === name && status?.phase === 'Bound')
        .map((claim) => `volume ${name} went while ${nameOf(claim)} has it`);
    },
  };
}

function usersOf(claim: string, namespace: string | undefined, world: World): readonly Pod[] {
  return world
    .all<Pod>('pods', namespace)
    .filter((pod) => pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed' && claimsOf(pod).includes(claim));
}

function claimsOf({ spec, metadata }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) =>
    persistentVolumeClaim?.claimName !== undefined ? [persistentVolumeClaim.claimName] : ephemeral ? [`${metadata.name}-${name}`] : [],
  );
}
