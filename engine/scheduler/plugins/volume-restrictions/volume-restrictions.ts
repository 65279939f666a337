/** Disks that only one pod may have, and claims that only one pod may use (framework/plugins/volumerestrictions). */
import type { PersistentVolumeClaim, Pod, Volume } from '../../../api/core/v1/types.gen.ts';
import { Action } from '../../framework/cluster-events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { definePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { unresolvable, unschedulable } from '../../framework/status.ts';

const name = 'VolumeRestrictions';
const diskConflict = 'node(s) had no available disk';
const podConflict = 'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod';
const diskVerdict = unschedulable(name, diskConflict);
const podVerdict = unschedulable(name, podConflict);

interface State {
  /** Volumes of the pod that exclude each other. */
  disks: readonly Volume[];
  /** Keys of claims that one pod may use. */
  claims: readonly string[];
  /** How often pods on nodes name one of these, with the node that is put in another's place. */
  uses: number;
}

export const volumeRestrictions = definePlugin<State>({
  name,
  order: 85,
  defaultWeight: 0,
  points: ['PreFilter', 'Filter'],
  needs: { preFilter: { text: 'cannot read "PreFilterVolumeRestrictions" from cycleState', points: ['Filter'] } },
  args: {},
  reasons: [diskConflict, podConflict, 'persistentvolumeclaim "<name>" not found'],
  create: ({ snapshot, volumes }) => ({
    crossNode: true,
    events: [
      { resource: 'Pod', action: Action.delete, worth: (pod, change) => letsGo(pod, change.old as Pod) },
      { resource: 'Node', action: Action.add },
      {
        resource: 'PersistentVolumeClaim',
        action: Action.add,
        worth: (pod, change) => names(pod, change.new as PersistentVolumeClaim),
      },
    ],
    classState: () => ({ disks: [], claims: [], uses: 0 }),
    preFilter: (state, { pod, namespace, claims }) => {
      state.disks = (pod.spec?.volumes ?? []).filter(isExclusive);
      const single = new Set<string>();
      for (const key of claims) {
        const claimName = key.slice(namespace.length + 1);
        const claim = volumes.knownClaim(namespace, claimName);
        if (claim === undefined) return { status: unresolvable(name, `persistentvolumeclaim "${claimName}" not found`) };
        if (claim.spec?.accessModes?.includes('ReadWriteOncePod') === true) single.add(key);
      }
      state.claims = [...single];
      state.uses = usesOf(state.claims, (key) => snapshot.claimUses(key));
      return state.disks.length === 0 && state.uses === 0 ? { skip: true } : undefined;
    },
    filter: ({ disks, uses }, node) => {
      if (disks.length > 0 && !areFree(disks, node.pods.values())) return diskVerdict;
      return uses > 0 ? podVerdict : undefined;
    },
    substitute: (state, node) => {
      if (state.claims.length === 0) return;
      const real = snapshot.bySlot(node.slot);
      const all = usesOf(state.claims, (key) => snapshot.claimUses(key));
      state.uses = all - (real === undefined ? 0 : usesOn(state.claims, real)) + usesOn(state.claims, node);
    },
  }),
});

function usesOf(claims: readonly string[], uses: (key: string) => number): number {
  return claims.reduce((sum, key) => sum + uses(key), 0);
}

function usesOn(claims: readonly string[], node: NodeInfo): number {
  let sum = 0;
  for (const pod of node.pods.values()) for (const key of pod.claims) if (claims.includes(key)) sum++;
  return sum;
}

function isExclusive({ gcePersistentDisk, awsElasticBlockStore, rbd, iscsi }: Volume): boolean {
  return gcePersistentDisk !== undefined || awsElasticBlockStore !== undefined || rbd !== undefined || iscsi !== undefined;
}

function areFree(disks: readonly Volume[], pods: Iterable<PodInfo>): boolean {
  for (const { pod } of pods) for (const other of pod.spec?.volumes ?? []) if (disks.some((disk) => conflict(disk, other))) return false;
  return true;
}

/** Disks that may be shared are shared by readers only; an EBS volume never is. */
function conflict(a: Volume, b: Volume): boolean {
  if (a.gcePersistentDisk !== undefined && b.gcePersistentDisk !== undefined)
    return a.gcePersistentDisk.pdName === b.gcePersistentDisk.pdName && !areReaders(a.gcePersistentDisk, b.gcePersistentDisk);
  if (a.awsElasticBlockStore !== undefined && b.awsElasticBlockStore !== undefined)
    return a.awsElasticBlockStore.volumeID === b.awsElasticBlockStore.volumeID;
  if (a.iscsi !== undefined && b.iscsi !== undefined) return a.iscsi.iqn === b.iscsi.iqn && !areReaders(a.iscsi, b.iscsi);
  if (a.rbd === undefined || b.rbd === undefined) return false;
  const monitors = b.rbd.monitors ?? [];
  const isSame = (a.rbd.pool ?? 'rbd') === (b.rbd.pool ?? 'rbd') && a.rbd.image === b.rbd.image;
  return isSame && (a.rbd.monitors ?? []).some((monitor) => monitors.includes(monitor)) && !areReaders(a.rbd, b.rbd);
}

function areReaders(a: { readonly readOnly?: boolean }, b: { readonly readOnly?: boolean }): boolean {
  return a.readOnly === true && b.readOnly === true;
}

function claimNames({ spec }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
}

function names(pod: Pod, { metadata }: PersistentVolumeClaim): boolean {
  return metadata.namespace === pod.metadata.namespace && claimNames(pod).includes(metadata.name ?? '');
}

/** A pod that goes had what this one waits for. */
function letsGo(pod: Pod, gone: Pod): boolean {
  if (gone.metadata.namespace !== pod.metadata.namespace) return false;
  const disks = (pod.spec?.volumes ?? []).filter(isExclusive);
  if ((gone.spec?.volumes ?? []).some((other) => disks.some((disk) => conflict(disk, other)))) return true;
  const claims = claimNames(gone);
  return claimNames(pod).some((claim) => claims.includes(claim));
}
