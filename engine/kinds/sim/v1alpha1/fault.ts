/** Things that break by wish; `faults/controller.ts` makes them come true. The generated table of fault types says what there is. */
import type { Fault, FaultSpec } from '../../../api/sim/v1alpha1/fault.ts';
import type { FaultTypeTable, ParameterTable } from '../../../api/sim/v1alpha1/fault-type.ts';
import { faultTypes } from '../../../api/sim/v1alpha1/fault-types.gen.ts';
import { forbidden, invalid, notSupported, required, root, type FieldError, type FieldErrorList } from '../../../apimachinery/field-errors.ts';
import { defineKind } from '../../../contracts/kind.ts';
import type { FieldSchema } from '../../../apimachinery/schema.ts';
import { validateParameters } from '../../../component-helpers/fault-parameters.ts';
import { assert } from '../../../base/assert.ts';
import { deepEqual } from '../../../base/equal.ts';
import { formatDuration, parseDuration } from '../../../apimachinery/time.ts';
import { dropStatus, keepStatus } from '../../shared/strategy.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { described, describedOne } from './field-words.ts';
import { messageField, objectFields, scalarField } from './schema-fields.ts';

const prefix = 'dev.wavetank.sim.v1alpha1';
const durationMinMs = 1;
const durationMaxMs = 365 * 24 * 3_600_000;

const schemas = described([
  {
    name: `${prefix}.FaultSpec`,
    fields: [
      scalarField('type', 1, 'string', { required: true }),
      messageField('target', 2, `${prefix}.FaultTarget`, { pointer: true }),
      scalarField('duration', 3, 'string'),
      messageField('parameters', 4, `${prefix}.FaultParameters`, { pointer: true }),
      scalarField('startAt', 5, 'time', { pointer: true }),
    ],
  },
  { name: `${prefix}.FaultParameters`, fields: parameterFields() },
  { name: `${prefix}.FaultTarget`, fields: [scalarField('node', 1, 'string'), scalarField('zone', 2, 'string'), scalarField('host', 3, 'string')] },
  {
    name: `${prefix}.FaultStatus`,
    fields: [
      scalarField('phase', 1, 'string'),
      scalarField('injectedAt', 2, 'time', { pointer: true }),
      scalarField('healsAt', 3, 'time', { pointer: true }),
      scalarField('healedAt', 4, 'time', { pointer: true }),
      scalarField('affected', 5, 'string', { card: 'list', listType: 'atomic' }),
      scalarField('message', 6, 'string'),
    ],
  },
]);

export const faultKind = defineKind<Fault>({
  group: 'sim.wavetank.dev',
  version: 'v1alpha1',
  kind: 'Fault',
  metaChecks: { create: 'm', update: '', status: '' },
  plural: 'faults',
  singular: 'fault',
  categories: ['wavetank'],
  namespaced: false,
  schema: describedOne({ name: `${prefix}.Fault`, fields: objectFields(`${prefix}.FaultSpec`, `${prefix}.FaultStatus`) }),
  schemas,
  storagePrefix: 'sim.wavetank.dev/faults',
  statusSubresource: true,
  prepareForCreate: dropStatus,
  prepareForUpdate: keepStatus,
  validate,
  validateUpdate: (next, old) =>
    sameSpec(next.spec, old.spec) ? [] : [forbidden(root('spec'), 'a fault cannot be changed; delete it and create another')],
  columns: columns('Name', 'Type', 'Target', 'Phase', 'Duration', '*Message', 'Age'),
  row: (object, context) => [
    nameOf(object),
    object.spec?.type ?? '',
    targetText(object),
    object.status?.phase ?? 'Pending',
    object.spec?.duration ?? '<none>',
    object.status?.message ?? '',
    ageOf(object, context),
  ],
});

/** The parameters of all faults: what each of them means where. */
function parameterFields(): readonly FieldSchema[] {
  const fields = new Map<string, { readonly table: ParameterTable; readonly meanings: string[] }>();
  for (const { name: type, parameters } of faultTypes) {
    for (const [name, table] of Object.entries(parameters)) {
      const field = fields.get(name) ?? { table, meanings: [] };
      assert(wireType(field.table) === wireType(table), `parameter ${name} has one type in all faults`);
      field.meanings.push(`${type}: ${table.description} (default ${JSON.stringify(table.default)})`);
      fields.set(name, field);
    }
  }
  return [...fields.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { table, meanings }], index) => ({
      ...scalarField(name, index + 1, wireType(table), table.type === 'list' ? { card: 'list', listType: 'atomic' } : { pointer: true }),
      description: meanings.join('; '),
    }));
}

function wireType({ type }: ParameterTable): 'string' | 'double' | 'int64' {
  return type === 'number' ? 'double' : type === 'integer' ? 'int64' : 'string';
}

function validate({ spec }: Fault): FieldErrorList {
  if (!spec?.type) return [required(root('spec', 'type'))];
  const definition = faultTypes.find(({ name }) => name === spec.type);
  if (definition === undefined)
    return [
      notSupported(
        root('spec', 'type'),
        spec.type,
        faultTypes.map(({ name }) => name),
      ),
    ];
  return [
    ...validateTarget(spec, definition),
    ...validateDuration(spec),
    ...validateParameters(definition, spec.parameters ?? {}, root('spec', 'parameters')),
  ];
}

function validateTarget({ target = {}, type }: FaultSpec, { target: kind }: FaultTypeTable): FieldErrorList {
  const path = root('spec', 'target');
  const errors: FieldError[] = [];
  if (kind === 'nodes') {
    if (target.host !== undefined) errors.push(forbidden(path.child('host'), `${type} strikes nodes`));
    if ((target.node === undefined) === (target.zone === undefined)) errors.push(required(path, 'exactly one of node and zone'));
  } else if (kind === 'control-plane') {
    if (Object.keys(target).length > 0) errors.push(forbidden(path, `${type} strikes the control plane and has no target`));
  } else if (target.node !== undefined || target.zone !== undefined)
    errors.push(forbidden(path, `${type} strikes an image registry; give its host, or none for all`));
  return errors;
}

function validateDuration({ duration }: FaultSpec): FieldErrorList {
  if (duration === undefined || duration === '') return [];
  const ms = parseDuration(duration);
  const path = root('spec', 'duration');
  if (ms === undefined) return [invalid(path, duration, 'must be a duration such as 90s or 10m')];
  return ms < durationMinMs || ms > durationMaxMs
    ? [invalid(path, duration, `must be between ${formatDuration(durationMinMs)} and ${formatDuration(durationMaxMs)}`)]
    : [];
}

function sameSpec(a: FaultSpec, b: FaultSpec): boolean {
  return deepEqual(a, b);
}

function targetText({ spec }: Fault): string {
  const { node, zone, host } = spec?.target ?? {};
  if (node !== undefined) return node;
  return zone === undefined ? host || '*' : `zone ${zone}`;
}
