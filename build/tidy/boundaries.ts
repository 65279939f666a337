/**
 * Who may import whom, as data. A file belongs to the longest room that its path starts with; it may import its own room and the
 * rooms listed. Relaxing a row is a commit of its own, with the reason. `tidy.test.ts` checks it in the ordinary run.
 */
export interface Room {
  readonly path: string;
  readonly mayImport: readonly string[];
  /** `node:` modules and npm packages it may use; none when absent. */
  readonly packages?: readonly string[];
  /** Folders directly below are walls to each other: siblings never import siblings. */
  readonly siblingsAreWalls?: readonly string[];
}

/** What every room stands on: the meta-language, the type tables, the contracts between rooms, pure questions about objects, expressions. */
const ground = ['engine/base', 'engine/apimachinery', 'engine/api', 'engine/contracts', 'engine/component-helpers', 'engine/cel'];

export const rooms: readonly Room[] = [
  { path: 'engine/base', mayImport: [], packages: ['pure-rand'] },
  { path: 'engine/apimachinery', mayImport: ['engine/base', 'engine/api'], packages: ['js-yaml', 'protobufjs', 'fast-json-patch'] },
  { path: 'engine/api', mayImport: ['engine/apimachinery', 'engine/base'] },
  // An attempt, which every operation gets, has a transaction of the store.
  { path: 'engine/contracts', mayImport: ['engine/base', 'engine/apimachinery', 'engine/store'] },
  { path: 'engine/releases', mayImport: ['engine/base', 'engine/apimachinery', 'engine/contracts'] },
  // Expressions of users; they read clocks of time zones, as the cron schedule does.
  { path: 'engine/cel', mayImport: ['engine/base', 'engine/apimachinery', 'engine/api', 'engine/component-helpers/cron/time-zone.ts'] },
  { path: 'engine/component-helpers', mayImport: ground, packages: ['re2js'] },
  {
    path: 'engine/kinds',
    mayImport: [...ground, 'engine/apiextensions/schema', 'engine/apiextensions/rules'],
    packages: ['re2js'],
    siblingsAreWalls: [],
  },
  { path: 'engine/store', mayImport: ['engine/base'] },
  // Kinds that users define, and what brings them to be served. Their schemas are read and judged by plain functions.
  { path: 'engine/apiextensions', mayImport: [...ground, 'engine/registry', 'engine/store', 'engine/client', 'engine/controller-runtime'] },
  { path: 'engine/apiextensions/schema', mayImport: ground },
  { path: 'engine/apiextensions/rules', mayImport: [...ground, 'engine/apiextensions/schema'] },
  // Says which servers of other APIs answer.
  { path: 'engine/aggregation', mayImport: [...ground, 'engine/client', 'engine/controller-runtime'] },
  { path: 'engine/registry', mayImport: [...ground, 'engine/store', 'engine/kinds'] },
  { path: 'engine/apiserver', mayImport: [...ground, 'engine/store', 'engine/registry', 'engine/kinds'] },
  { path: 'engine/client', mayImport: ground },
  { path: 'engine/controller-runtime', mayImport: [...ground, 'engine/client'] },
  { path: 'engine/controllers', mayImport: [...ground, 'engine/client', 'engine/controller-runtime'], siblingsAreWalls: ['engine/controllers'] },
  { path: 'engine/scheduler', mayImport: [...ground, 'engine/client'], siblingsAreWalls: ['engine/scheduler/plugins'] },
  { path: 'engine/scheduler/plugins', mayImport: [...ground, 'engine/scheduler/framework'], siblingsAreWalls: ['engine/scheduler/plugins'] },
  { path: 'engine/nodes', mayImport: [...ground, 'engine/client', 'engine/controller-runtime'], packages: ['unbash'] },
  { path: 'engine/cloud', mayImport: ground },
  // The sidecars of the CSI driver.
  { path: 'engine/csi', mayImport: [...ground, 'engine/client', 'engine/controller-runtime'] },
  // Plays the stages of KWOK.
  { path: 'engine/kwok', mayImport: [...ground, 'engine/client', 'engine/controller-runtime'] },
  { path: 'engine/faults', mayImport: [...ground, 'engine/client', 'engine/controller-runtime'] },
  // It serves computed resources, which have kinds.
  {
    path: 'engine/history',
    mayImport: [...ground, 'engine/client', 'engine/store', 'engine/kinds/sim/v1alpha1/schema-fields.ts'],
  },
  // Says what is wrong, and why: history knows the chains and what became of planned runs.
  { path: 'engine/problems', mayImport: [...ground, 'engine/store', 'engine/history', 'engine/kinds/sim/v1alpha1/schema-fields.ts'] },
  { path: 'engine/overview', mayImport: [...ground, 'engine/store', 'engine/history', 'engine/kinds/sim/v1alpha1/schema-fields.ts'] },
  { path: 'engine/cluster-map', mayImport: [...ground, 'engine/store', 'engine/history', 'engine/kinds/sim/v1alpha1/schema-fields.ts'] },
  { path: 'engine/scenarios', mayImport: [...ground, 'engine/client', 'engine/controller-runtime'], packages: ['xstate'] },
  { path: 'engine/persistence', mayImport: [...ground, 'engine/store', 'node:'], packages: ['node:'] },
  {
    path: 'engine/serving',
    mayImport: ['engine/base', 'engine/apimachinery', 'engine/contracts'],
    packages: ['node:', 'ws', '@peculiar/asn1-schema', '@peculiar/asn1-x509'],
  },
  {
    path: 'engine/cluster',
    mayImport: ['engine'],
    packages: ['re2js'],
  },
  { path: 'engine/library.ts', mayImport: ['engine'], packages: ['node:', 'js-yaml'] },
  // A user's kubeconfig is edited with its comments, which js-yaml drops.
  { path: 'engine/host', mayImport: ['engine'], packages: ['node:', '@noble/ciphers', 'commander', 'js-yaml', 'yaml'] },
  { path: 'electron', mayImport: ['engine/host', 'engine/api'], packages: ['node:', 'electron'] },
  // The page plans CronJobs with the controller's own schedule.
  {
    path: 'renderer',
    mayImport: ['engine/api', 'engine/base/json.ts', 'engine/apimachinery/object.ts', 'engine/apimachinery/status.ts', 'engine/component-helpers'],
    packages: ['*'],
  },
  // The pretend cluster draws its map with the engine's own code.
  {
    path: 'renderer/testing',
    mayImport: ['renderer', 'engine/api', 'engine/apimachinery', 'engine/component-helpers', 'engine/cluster-map'],
    packages: ['*'],
  },
];

/** Roots whose files the rooms table must cover. */
export const checkedRoots = ['engine', 'electron', 'renderer'] as const;
