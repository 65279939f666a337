/** Kinds that the host computes when they are read: the clock and the settings in force. They are not in the store. */
import type { Clock } from '../api/sim/v1alpha1/clock.ts';
import type { ClusterAccess, Settings as SettingsObject } from '../api/sim/v1alpha1/timeline.ts';
import type { ComputedResource } from '../contracts/computed-resource.ts';
import { defineKind, type KindDefinition } from '../contracts/kind.ts';
import type { FieldSchema, ScalarType } from '../apimachinery/schema.ts';
import type { Cluster } from './cluster.ts';

const prefix = 'dev.wavetank.sim.v1alpha1';
const group = 'sim.wavetank.dev';
const version = 'v1alpha1';

const field = (name: string, number: number, type: FieldSchema['type'], card: FieldSchema['card'] = 'one'): FieldSchema => ({
  name,
  number,
  type,
  card,
  omitEmpty: true,
  pointer: true,
});
const scalar = (name: string, number: number, type: ScalarType): FieldSchema => field(name, number, type);
const head: readonly FieldSchema[] = [
  scalar('kind', 0, 'string'),
  scalar('apiVersion', 0, 'string'),
  field('metadata', 1, { message: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }),
];

const clock = defineKind<Clock>({
  group,
  version,
  kind: 'Clock',
  plural: 'clocks',
  singular: 'clock',
  categories: ['wavetank'],
  namespaced: false,
  schema: {
    name: `${prefix}.Clock`,
    fields: [...head, field('spec', 2, { message: `${prefix}.ClockSpec` }), field('status', 3, { message: `${prefix}.ClockStatus` })],
  },
  schemas: [
    {
      name: `${prefix}.ClockSpec`,
      fields: ['speed', 'settle', 'advance', 'runUntil', 'step'].map((name, index) => scalar(name, index + 1, 'string')),
    },
    {
      name: `${prefix}.ClockStatus`,
      fields: [
        scalar('virtualTime', 1, 'string'),
        scalar('virtualMs', 2, 'double'),
        scalar('startTime', 3, 'string'),
        scalar('nextTaskTime', 4, 'string'),
        scalar('runningUntil', 5, 'string'),
        scalar('tasksRun', 6, 'int64'),
        scalar('seed', 7, 'int64'),
        scalar('digest', 8, 'string'),
        scalar('revision', 9, 'int64'),
        scalar('achievedSpeed', 10, 'double'),
        scalar('slowedBy', 11, 'string'),
      ],
    },
  ],
  storagePrefix: 'sim.wavetank.dev/clocks',
  columns: [
    { name: 'Name', type: 'string' },
    { name: 'Speed', type: 'string' },
    { name: 'Virtual-Time', type: 'string' },
    { name: 'Revision', type: 'integer' },
  ],
  row: ({ metadata, spec, status }) => [metadata.name ?? '', spec.speed ?? '', status.virtualTime, status.revision],
});

/** Typed as any object: the pipeline asks no more of it. */
export const clockKind = clock as unknown as KindDefinition;

const settingsKind = defineKind<SettingsObject>({
  group,
  version,
  kind: 'Settings',
  plural: 'settings',
  singular: 'settings',
  categories: ['wavetank'],
  namespaced: false,
  schema: { name: `${prefix}.Settings`, fields: [...head, field('options', 2, 'json', 'map'), field('access', 3, 'json')] },
  storagePrefix: 'sim.wavetank.dev/settings',
  columns: [
    { name: 'Name', type: 'string' },
    { name: 'Options', type: 'integer' },
  ],
  row: (settings) => [settings.metadata.name ?? '', Object.keys(settings.options).length],
});

/** `settings/cluster`: every option in force under its flag name, and what the cluster was started with. */
export function settingsResource(cluster: Cluster, access?: () => ClusterAccess): ComputedResource {
  const read = (): SettingsObject => {
    const { name, seed, nodes, zones, startMs } = cluster.config;
    return {
      kind: 'Settings',
      apiVersion: `${group}/${version}`,
      metadata: { name: 'cluster' },
      options: {
        ...cluster.settings.entries(),
        'authorization-config': cluster.authorization.configuration,
        'admission-control-config-file': cluster.manifests.configuration,
        name,
        seed,
        nodes,
        zones,
        'start-time': new Date(startMs).toISOString(),
      },
      ...(access === undefined ? {} : { access: access() }),
    };
  };
  return {
    kind: settingsKind as unknown as KindDefinition,
    get: (name) => (name === 'cluster' ? read() : undefined),
    list: () => [read()],
    // All else is fixed when the cluster starts.
    subscribe: (onChange) => {
      const forget = [cluster.authorization, cluster.manifests].map((files) => files.onChanged(() => onChange(undefined, 'cluster')));
      return () => forget.forEach((one) => one());
    },
  };
}
