/** One execution of a scenario; creating the object starts it, its status tells how it goes and how it ended. */
import type { ScenarioRun } from '../../../api/sim/v1alpha1/scenario.ts';
import { forbidden, notSupported, required, root } from '../../../apimachinery/field-errors.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { dropStatus, keepStatus } from '../../shared/strategy.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { described, describedOne } from './field-words.ts';
import { messageField, objectFields, scalarField } from './schema-fields.ts';

const prefix = 'dev.wavetank.sim.v1alpha1';
const places: readonly string[] = ['Own', 'Present'];

const schemas = described([
  { name: `${prefix}.ScenarioRunSpec`, fields: [scalarField('scenario', 1, 'string', { required: true }), scalarField('cluster', 2, 'string')] },
  {
    name: `${prefix}.ScenarioRunStatus`,
    fields: [
      scalarField('phase', 1, 'string'),
      scalarField('state', 2, 'string'),
      scalarField('context', 3, 'json'),
      scalarField('startedAt', 4, 'time', { pointer: true }),
      scalarField('finishedAt', 5, 'time', { pointer: true }),
      messageField('steps', 6, `${prefix}.ScenarioRunStep`, { card: 'list', listType: 'atomic' }),
      messageField('expectations', 7, `${prefix}.ScenarioRunExpectation`, { card: 'list', listType: 'atomic' }),
      scalarField('message', 8, 'string'),
      scalarField('digest', 9, 'string'),
      scalarField('branch', 10, 'string'),
    ],
  },
  {
    name: `${prefix}.ScenarioRunStep`,
    fields: [
      scalarField('name', 1, 'string', { required: true }),
      scalarField('startedAt', 2, 'time', { pointer: true }),
      scalarField('finishedAt', 3, 'time', { pointer: true }),
    ],
  },
  {
    name: `${prefix}.ScenarioRunExpectation`,
    fields: [
      scalarField('name', 1, 'string', { required: true }),
      scalarField('result', 2, 'string', { required: true }),
      scalarField('decidedAt', 3, 'time', { pointer: true }),
      scalarField('message', 4, 'string'),
    ],
  },
]);

export const scenarioRunKind = defineKind<ScenarioRun>({
  group: 'sim.wavetank.dev',
  version: 'v1alpha1',
  kind: 'ScenarioRun',
  metaChecks: { create: 'm', update: '', status: '' },
  plural: 'scenarioruns',
  singular: 'scenariorun',
  categories: ['wavetank'],
  namespaced: false,
  schema: describedOne({ name: `${prefix}.ScenarioRun`, fields: objectFields(`${prefix}.ScenarioRunSpec`, `${prefix}.ScenarioRunStatus`) }),
  schemas,
  storagePrefix: 'sim.wavetank.dev/scenarioruns',
  statusSubresource: true,
  prepareForCreate: dropStatus,
  prepareForUpdate: keepStatus,
  defaults: (run) => (run.spec === undefined || run.spec.cluster !== undefined ? run : { ...run, spec: { ...run.spec, cluster: 'Own' } }),
  validate: ({ spec }) => [
    ...(spec?.scenario ? [] : [required(root('spec', 'scenario'), 'the name of a Scenario')]),
    ...(spec?.cluster === undefined || places.includes(spec.cluster) ? [] : [notSupported(root('spec', 'cluster'), spec.cluster, places)]),
  ],
  validateUpdate: (next, old) => [
    ...(next.spec?.scenario === old.spec?.scenario ? [] : [forbidden(root('spec', 'scenario'), 'a run keeps its scenario')]),
    ...(next.spec?.cluster === old.spec?.cluster ? [] : [forbidden(root('spec', 'cluster'), 'a run stays where it is')]),
  ],
  columns: columns('Name', 'Scenario', 'Phase', 'State', 'Expectations', '*Message', 'Age'),
  row: (object, context) => [
    nameOf(object),
    object.spec?.scenario ?? '',
    object.status?.phase ?? 'Pending',
    object.status?.state ?? '',
    expectationsText(object),
    object.status?.message ?? '',
    ageOf(object, context),
  ],
});

/** `3/5 met`. */
function expectationsText({ status }: ScenarioRun): string {
  const all = status?.expectations ?? [];
  return `${all.filter(({ result }) => result === 'Met').length}/${all.length} met`;
}
