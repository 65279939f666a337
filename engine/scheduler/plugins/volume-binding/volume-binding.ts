/** Claims of a pod are bound, can be bound on the node, or can have a volume made there (framework/plugins/volumebinding). */
import type { PersistentVolumeClaim, Pod } from '../../../api/core/v1/types.gen.ts';
import type { CSIDriver, CSINode, CSIStorageCapacity, StorageClass } from '../../../api/storage/v1/types.gen.ts';
import { deepEqual } from '../../../base/equal.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { JsonValue } from '../../../base/json.ts';
import { podClaimNames } from '../../../component-helpers/pod-references.ts';
import { boundToClaim, selectedNode, withAnnotations } from '../../../component-helpers/storage.ts';
import { Action, type ClusterChange, type EventHint } from '../../framework/cluster-events.ts';
import { definePlugin } from '../../framework/plugin.ts';
import { unresolvable } from '../../framework/status.ts';
import type { Volumes } from '../../framework/volumes.ts';
import { bindPodVolumes, checkBindings } from './binding.ts';
import { capacityScore, type ShapePoint, standardShape } from './capacity-score.ts';
import {
  bindConflict,
  checkClaims,
  claimsOf,
  findPodVolumes,
  nodeConflict,
  notEnoughSpace,
  type PodClaims,
  type PodVolumes,
  volumeLimit,
  volumeMissing,
} from './pod-volumes.ts';

const name = 'VolumeBinding';
const immediate = 'pod has unbound immediate PersistentVolumeClaims';
const migratedPlugins = 'storage.alpha.kubernetes.io/migrated-plugins';

interface State {
  claims: PodClaims;
}

const noClaims: PodClaims = { bound: [], delayed: [], immediate: [] };

export const volumeBinding = definePlugin<State>({
  name,
  order: 100,
  defaultWeight: 0,
  points: ['PreFilter', 'Filter', 'PreScore', 'Score', 'Reserve', 'PreBind'],
  needs: { preFilter: { text: 'not found', points: ['Filter', 'Reserve', 'PreBind'] } },
  args: { bindTimeoutSeconds: 600 },
  gatedArgs: { gate: 'capacityScoring', args: { shape: standardShape.map((point) => ({ ...point })) } },
  reasons: [
    immediate,
    nodeConflict,
    bindConflict,
    notEnoughSpace,
    volumeMissing,
    'persistentvolumeclaim "<name>" not found',
    'persistentvolumeclaim "<name>" is being deleted',
    'persistentvolumeclaim "<name>" bound to non-existent persistentvolume "<name>"',
    'waiting for ephemeral volume controller to create the persistentvolumeclaim "<name>"',
    'PVC <namespace>/<name> was not created for pod <namespace>/<name> (pod is not owner)',
  ],
  create: ({ volumes }, args) => {
    /** What pods on their way to a binding hold, by uid. */
    const reserved = new Map<string, Pick<PodVolumes, 'statics' | 'provisions'>>();
    const shape = args['shape'] as unknown as readonly ShapePoint[] | undefined;
    return {
      events,
      crossNode: true,
      bindTimeoutMs: Number(args['bindTimeoutSeconds']) * 1000,
      bindTimeoutText: 'binding volumes: context deadline exceeded',
      classState: () => ({ claims: noClaims }),
      preFilter: (state, { pod }) => {
        const { hasClaims, fault } = checkClaims(volumes, pod);
        if (fault !== undefined) return { status: unresolvable(name, fault) };
        if (!hasClaims) return { skip: true };
        state.claims = claimsOf(volumes, pod);
        return state.claims.immediate.length > 0 ? { status: unresolvable(name, immediate) } : undefined;
      },
      filter: ({ claims }, { node }) => {
        const found = findPodVolumes(volumes, claims, node);
        return 'reasons' in found ? unresolvable(name, ...found.reasons) : undefined;
      },
      preScore: () => shape !== undefined,
      score: ({ claims }, { node }) => {
        const found = findPodVolumes(volumes, claims, node);
        return shape === undefined || 'reasons' in found ? 0 : capacityScore(found, shape);
      },
      reserve: ({ pod, uid }, node) => {
        const claims = claimsOf(volumes, pod);
        const found = claims.delayed.length === 0 ? undefined : findPodVolumes(volumes, claims, node);
        if (found === undefined) return undefined;
        if ('reasons' in found) return unresolvable(name, ...found.reasons);
        reserved.set(uid, assume(volumes, found, node.metadata.name ?? ''));
        return undefined;
      },
      unreserve: ({ uid }) => {
        const held = reserved.get(uid);
        reserved.delete(uid);
        for (const { volume } of held?.statics ?? []) volumes.restoreVolume(volume);
        for (const claim of held?.provisions ?? []) volumes.restoreClaim(claim);
      },
      preBindPreFlight: ({ metadata }) => reserved.has(metadata.uid ?? ''),
      preBind: async (pod) => {
        const held = reserved.get(pod.metadata.uid ?? '');
        if (held === undefined) return undefined;
        const waitsFor = await bindPodVolumes(volumes, pod, held);
        reserved.delete(pod.metadata.uid ?? '');
        return waitsFor as unknown as JsonValue;
      },
      isBindable: (_pod, node, waitsFor) => checkBindings(volumes, node, waitsFor),
    };
  },
});

/** Nobody else may have these from now on. */
function assume(volumes: Volumes, { statics, provisions }: PodVolumes, node: string): Pick<PodVolumes, 'statics' | 'provisions'> {
  return {
    statics: statics.map(({ volume, claim }) => {
      const bound = boundToClaim(volume, claim) ?? volume;
      if (bound !== volume) volumes.assumeVolume(bound);
      return { volume: bound, claim };
    }),
    provisions: provisions.map((claim) => {
      const promised = withAnnotations(claim, { [selectedNode]: node });
      volumes.assumeClaim(promised);
      return promised;
    }),
  };
}

const addOrUpdate = Action.add | Action.updateOther;

const events: readonly EventHint[] = [
  { resource: 'StorageClass', action: addOrUpdate, worth: (_pod, change) => isNewTopology(change) },
  { resource: 'PersistentVolumeClaim', action: addOrUpdate, worth: (pod, change) => names(pod, change.new as PersistentVolumeClaim) },
  { resource: 'PersistentVolume', action: addOrUpdate },
  { resource: 'Node', action: Action.add | Action.updateNodeLabel },
  { resource: 'CSINode', action: addOrUpdate, worth: (_pod, change) => isMigrated(change) },
  { resource: 'CSIDriver', action: Action.updateOther, worth: (pod, change) => countsNoMore(pod, change) },
  { resource: 'CSIStorageCapacity', action: addOrUpdate, worth: (_pod, change) => isLarger(change) },
];

/** Whether one of the pod's volumes is of this claim. */
function names(pod: Pod, { metadata }: PersistentVolumeClaim): boolean {
  return metadata.namespace === pod.metadata.namespace && podClaimNames(pod).includes(metadata.name ?? '');
}

function isNewTopology({ old, new: next }: ClusterChange): boolean {
  return old === undefined || !deepEqual((old as StorageClass).allowedTopologies ?? [], (next as StorageClass).allowedTopologies ?? []);
}

function isMigrated({ old, new: next }: ClusterChange): boolean {
  const of = (node: CSINode): string => getOwn(node.metadata.annotations, migratedPlugins) ?? '';
  return old === undefined || of(old as CSINode) !== of(next as CSINode);
}

/** Its capacity is not counted any more. */
function countsNoMore(pod: Pod, { old, new: next }: ClusterChange): boolean {
  const isUsed = (pod.spec?.volumes ?? []).some((volume) => volume.csi?.driver === next?.metadata.name);
  return isUsed && (old as CSIDriver).spec.storageCapacity === true && (next as CSIDriver).spec.storageCapacity !== true;
}

function isLarger({ old, new: next }: ClusterChange): boolean {
  return old === undefined || volumeLimit(next as CSIStorageCapacity) > volumeLimit(old as CSIStorageCapacity);
}
