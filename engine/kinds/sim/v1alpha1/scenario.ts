/** Scenarios; `scenarios/runner.ts` runs them. A scenario whose steps are wrong is refused with the place of each mistake. */
import type { Scenario } from '../../../api/sim/v1alpha1/scenario.ts';
import { invalid, root, type FieldErrorList } from '../../../apimachinery/field-errors.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { parsePath, valuesAt } from '../../../component-helpers/object-path.ts';
import { scenarioMistakes } from '../../../component-helpers/scenario.ts';
import { ageOf, columns, integerColumn, nameOf } from '../../shared/table.ts';
import { described, describedOne } from './field-words.ts';
import { objectFields, scalarField } from './schema-fields.ts';

const prefix = 'dev.wavetank.sim.v1alpha1';

const schemas = described([
  {
    name: `${prefix}.ScenarioSpec`,
    fields: [
      scalarField('title', 1, 'string', { required: true }),
      scalarField('description', 2, 'string'),
      scalarField('seed', 3, 'int64', { pointer: true }),
      scalarField('cluster', 4, 'json'),
      scalarField('steps', 5, 'json', { required: true }),
      scalarField('expectations', 6, 'json'),
    ],
  },
]);

export const scenarioKind = defineKind<Scenario>({
  group: 'sim.wavetank.dev',
  version: 'v1alpha1',
  kind: 'Scenario',
  metaChecks: { create: 'm', update: '', status: '' },
  plural: 'scenarios',
  singular: 'scenario',
  categories: ['wavetank'],
  namespaced: false,
  schema: describedOne({ name: `${prefix}.Scenario`, fields: objectFields(`${prefix}.ScenarioSpec`) }),
  schemas,
  storagePrefix: 'sim.wavetank.dev/scenarios',
  validate,
  validateUpdate: (next) => validate(next),
  columns: columns('Name', 'Title', integerColumn('Steps'), integerColumn('Expectations'), 'Age'),
  row: (object, context) => [
    nameOf(object),
    object.spec?.title ?? '',
    object.spec?.steps?.length ?? 0,
    object.spec?.expectations?.length ?? 0,
    ageOf(object, context),
  ],
});

function validate({ spec }: Scenario): FieldErrorList {
  return scenarioMistakes(spec ?? {}).map(({ path, text }) => invalid(path === '' ? root('spec') : root('spec', path), valueAt(spec, path), text));
}

/** What stands there now, in short. */
function valueAt(spec: Scenario['spec'] | undefined, path: string): string {
  const [value] = path === '' ? [] : valuesAt(spec, parsePath(path).parts);
  if (value === undefined) return '';
  return typeof value === 'object' && value !== null ? `{${Object.keys(value).join(', ')}}` : String(value);
}
