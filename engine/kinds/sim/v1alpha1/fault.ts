/** Things that break by wish; `faults/controller.ts` makes them come true. The registered faults say what there is. */
import type { Fault, FaultSpec } from '../../../api/sim/v1alpha1/fault.ts';
import { forbidden, invalid, notSupported, required, root, type FieldError, type FieldErrorList } from '../../../apimachinery/field-errors.ts';
import { defineKind } from '../../../contracts/kind.ts';
import type { MessageSchema } from '../../../apimachinery/schema.ts';
import { formatDuration, parseDuration } from '../../../apimachinery/time.ts';
import { durationMaxMs, type FaultDefinition } from '../../../faults/fault.ts';
import { faults } from '../../../faults/index.gen.ts';
import { dropStatus, keepStatus } from '../../shared/strategy.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { messageField, objectFields, scalarField } from './schema-fields.ts';

const prefix = 'dev.wavetank.sim.v1alpha1';
const durationMinMs = 1;

const schemas: readonly MessageSchema[] = [
  {
    name: `${prefix}.FaultSpec`,
    fields: [
      scalarField('type', 1, 'string', { required: true }),
      messageField('target', 2, `${prefix}.FaultTarget`, { pointer: true }),
      scalarField('duration', 3, 'string'),
    ],
  },
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
];

export const faultKind = defineKind<Fault>({
  group: 'sim.wavetank.dev',
  version: 'v1alpha1',
  kind: 'Fault',
  plural: 'faults',
  singular: 'fault',
  categories: ['wavetank'],
  namespaced: false,
  schema: { name: `${prefix}.Fault`, fields: objectFields(`${prefix}.FaultSpec`, `${prefix}.FaultStatus`) },
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

function validate({ spec }: Fault): FieldErrorList {
  if (!spec?.type) return [required(root('spec', 'type'))];
  const definition = faults.find(({ name }) => name === spec.type);
  if (definition === undefined)
    return [
      notSupported(
        root('spec', 'type'),
        spec.type,
        faults.map(({ name }) => name),
      ),
    ];
  return [...validateTarget(spec, definition), ...validateDuration(spec, definition)];
}

function validateTarget({ target = {}, type }: FaultSpec, { target: kind }: FaultDefinition): FieldErrorList {
  const path = root('spec', 'target');
  const errors: FieldError[] = [];
  if (kind === 'nodes') {
    if (target.host !== undefined) errors.push(forbidden(path.child('host'), `${type} strikes nodes`));
    if ((target.node === undefined) === (target.zone === undefined)) errors.push(required(path, 'exactly one of node and zone'));
  } else if (target.node !== undefined || target.zone !== undefined)
    errors.push(forbidden(path, `${type} strikes an image registry; give its host, or none for all`));
  return errors;
}

function validateDuration({ duration }: FaultSpec, { durationMaxMs: maxMs = durationMaxMs }: FaultDefinition): FieldErrorList {
  if (duration === undefined || duration === '') return [];
  const ms = parseDuration(duration);
  const path = root('spec', 'duration');
  if (ms === undefined) return [invalid(path, duration, 'must be a duration such as 90s or 10m')];
  return ms < durationMinMs || ms > maxMs
    ? [invalid(path, duration, `must be between ${formatDuration(durationMinMs)} and ${formatDuration(maxMs)}`)]
    : [];
}

function sameSpec(a: FaultSpec, b: FaultSpec): boolean {
  return (
    a.type === b.type &&
    a.duration === b.duration &&
    a.target?.node === b.target?.node &&
    a.target?.zone === b.target?.zone &&
    a.target?.host === b.target?.host
  );
}

function targetText({ spec }: Fault): string {
  const { node, zone, host } = spec?.target ?? {};
  if (node !== undefined) return node;
  return zone === undefined ? host || '*' : `zone ${zone}`;
}
