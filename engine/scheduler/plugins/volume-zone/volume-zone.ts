/** Volumes that say by labels where they are can be used there only (framework/plugins/volumezone). */
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../../api/core/v1/types.gen.ts';
import type { StorageClass } from '../../../api/storage/v1/types.gen.ts';
import { deepEqual } from '../../../base/equal.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { claimClass, waitsForConsumer } from '../../../component-helpers/storage.ts';
import { Action, type ClusterChange } from '../../framework/cluster-events.ts';
import { definePlugin } from '../../framework/plugin.ts';
import { unresolvable } from '../../framework/status.ts';
import type { Volumes } from '../../framework/volumes.ts';

const name = 'VolumeZone';
const reason = 'node(s) had no available volume zone';
const verdict = unresolvable(name, reason);
/** Labels of before, and what they are called now. */
const topologyLabels: readonly (readonly [key: string, present: string])[] = [
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['topology.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['topology.kubernetes.io/region', 'topology.kubernetes.io/region'],
];
/** Several zones stand in one label. */
const zoneSeparator = '__';

interface Place {
  readonly key: string;
  readonly present: string;
  readonly values: readonly string[];
}

interface State {
  places: readonly Place[];
}

export const volumeZone = definePlugin<State>({
  name,
  order: 110,
  defaultWeight: 0,
  points: ['PreFilter', 'Filter'],
  args: {},
  reasons: [
    reason,
    'PersistentVolumeClaim had no pv name and storageClass name',
    'PersistentVolume had no name',
    'persistentvolumeclaim "<name>" not found',
    'persistentvolume "<name>" not found',
    'storageclass.storage.k8s.io "<name>" not found',
  ],
  create: ({ volumes }) => ({
    crossNode: true,
    events: [
      { resource: 'StorageClass', action: Action.add, worth: (_pod, change) => waitsForConsumer(change.new as StorageClass) },
      { resource: 'Node', action: Action.add | Action.updateNodeLabel },
      {
        resource: 'PersistentVolumeClaim',
        action: Action.add | Action.updateOther,
        worth: (pod, change) => names(pod, change.new as PersistentVolumeClaim),
      },
      { resource: 'PersistentVolume', action: Action.add | Action.updateOther, worth: (_pod, change) => hasMoved(change) },
    ],
    classState: () => ({ places: [] }),
    preFilter: (state, { pod }) => {
      const places = placesOf(volumes, pod);
      if (typeof places === 'string') return { status: unresolvable(name, places) };
      state.places = places;
      return places.length === 0 ? { skip: true } : undefined;
    },
    filter: ({ places }, { node }) => (isWithin(places, node) ? undefined : verdict),
  }),
});

/** Where the pod's volumes are; a text says why that cannot be known. */
function placesOf(volumes: Volumes, pod: Pod): readonly Place[] | string {
  const places: Place[] = [];
  for (const claimName of claimNames(pod)) {
    const claim = volumes.knownClaim(pod.metadata.namespace ?? '', claimName);
    if (claim === undefined) return `persistentvolumeclaim "${claimName}" not found`;
    const volumeName = claim.spec?.volumeName ?? '';
    if (volumeName === '') {
      const fault = unboundFault(volumes, claim);
      if (fault !== undefined) return fault;
      continue;
    }
    const volume = volumes.knownVolume(volumeName);
    if (volume === undefined) return `persistentvolume "${volumeName}" not found`;
    places.push(...placesOfVolume(volume));
  }
  return places;
}

function unboundFault(volumes: Volumes, claim: PersistentVolumeClaim): string | undefined {
  const className = claimClass(claim);
  if (className === '') return 'PersistentVolumeClaim had no pv name and storageClass name';
  const storageClass = volumes.storageClass(className);
  if (storageClass === undefined) return `storageclass.storage.k8s.io "${className}" not found`;
  return waitsForConsumer(storageClass) ? undefined : 'PersistentVolume had no name';
}

function placesOfVolume({ metadata }: PersistentVolume): readonly Place[] {
  return topologyLabels.flatMap(([key, present]) => {
    const value = getOwn(metadata.labels, key);
    // A label with an empty part says nothing.
    const values = (value ?? '').split(zoneSeparator).map((zone) => zone.trim());
    return value === undefined || values.includes('') ? [] : [{ key, present, values }];
  });
}

/** A node that says nothing about its place may be anywhere. */
function isWithin(places: readonly Place[], { metadata: { labels } }: Node): boolean {
  if (!topologyLabels.some(([key]) => getOwn(labels, key) !== undefined)) return true;
  return places.every(({ key, present, values }) => {
    const value = getOwn(labels, key) ?? getOwn(labels, present);
    return value !== undefined && values.includes(value);
  });
}

function claimNames({ spec }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
}

function names(pod: Pod, { metadata }: PersistentVolumeClaim): boolean {
  return metadata.namespace === pod.metadata.namespace && claimNames(pod).includes(metadata.name ?? '');
}

function hasMoved({ old, new: next }: ClusterChange): boolean {
  return old === undefined || !deepEqual(placesOfVolume(old as PersistentVolume), placesOfVolume(next as PersistentVolume));
}
