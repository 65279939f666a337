/** What images are and do; `nodes/image-profile.ts` reads them. */
import type { ImageProfile, ImageProfileLoad, ImageProfilePort } from '../../../api/sim/v1alpha1/image-profile.ts';
import { invalid, notSupportedOf, required, root, type FieldError, type FieldErrorList } from '../../../apimachinery/field-errors.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { described, describedOne } from './field-words.ts';
import { messageField, objectFields, scalarField } from './schema-fields.ts';

const prefix = 'dev.wavetank.sim.v1alpha1';

const schemas = described([
  {
    name: `${prefix}.ImageProfileSpec`,
    fields: [
      scalarField('image', 1, 'string', { required: true }),
      scalarField('sizeBytes', 2, 'int64', { pointer: true }),
      scalarField('tags', 3, 'string', { card: 'list', listType: 'atomic' }),
      scalarField('missingTags', 4, 'string', { card: 'list', listType: 'atomic' }),
      scalarField('startupMs', 5, 'int64', { pointer: true }),
      scalarField('log', 6, 'string', { card: 'list', listType: 'atomic' }),
      messageField('ports', 7, `${prefix}.ImageProfilePort`, { card: 'list', listType: 'atomic' }),
      scalarField('exitAfterMs', 8, 'int64', { pointer: true }),
      scalarField('exitCode', 9, 'int32', { pointer: true }),
      scalarField('stopMs', 10, 'int64', { pointer: true }),
      scalarField('stopExitCode', 11, 'int32', { pointer: true }),
      scalarField('ignoresTerm', 12, 'bool', { pointer: true }),
      messageField('load', 13, `${prefix}.ImageProfileLoad`, { pointer: true }),
    ],
  },
  {
    name: `${prefix}.ImageProfileLoad`,
    fields: [
      messageField('milliCpu', 1, `${prefix}.ImageProfileLoadPoint`, { card: 'list', listType: 'atomic' }),
      messageField('memoryBytes', 2, `${prefix}.ImageProfileLoadPoint`, { card: 'list', listType: 'atomic' }),
      messageField('diskBytes', 3, `${prefix}.ImageProfileLoadPoint`, { card: 'list', listType: 'atomic' }),
      scalarField('processes', 4, 'int64', { pointer: true }),
      scalarField('periodMs', 5, 'int64', { pointer: true }),
    ],
  },
  {
    name: `${prefix}.ImageProfileLoadPoint`,
    fields: [scalarField('atMs', 1, 'int64', { required: true }), scalarField('value', 2, 'int64', { required: true })],
  },
  {
    name: `${prefix}.ImageProfilePort`,
    fields: [
      scalarField('port', 1, 'int32', { required: true }),
      messageField('routes', 2, `${prefix}.ImageProfileRoute`, { card: 'list', listType: 'atomic' }),
      messageField('grpc', 3, `${prefix}.ImageProfileGrpcHealth`, { card: 'list', listType: 'atomic' }),
    ],
  },
  {
    name: `${prefix}.ImageProfileRoute`,
    fields: [
      scalarField('path', 1, 'string', { required: true }),
      scalarField('status', 2, 'int32', { pointer: true }),
      scalarField('body', 3, 'string'),
      scalarField('contentType', 4, 'string'),
      scalarField('failAfterMs', 5, 'int64', { pointer: true }),
      scalarField('delayMs', 6, 'int64', { pointer: true }),
    ],
  },
  {
    name: `${prefix}.ImageProfileGrpcHealth`,
    fields: [
      scalarField('service', 1, 'string'),
      scalarField('status', 2, 'string'),
      scalarField('failAfterMs', 3, 'int64', { pointer: true }),
      scalarField('delayMs', 4, 'int64', { pointer: true }),
    ],
  },
]);

export const imageProfileKind = defineKind<ImageProfile>({
  group: 'sim.wavetank.dev',
  version: 'v1alpha1',
  kind: 'ImageProfile',
  metaChecks: { create: 'm', update: '', status: '' },
  plural: 'imageprofiles',
  singular: 'imageprofile',
  categories: ['wavetank'],
  namespaced: false,
  schema: describedOne({ name: `${prefix}.ImageProfile`, fields: objectFields(`${prefix}.ImageProfileSpec`) }),
  schemas,
  storagePrefix: 'sim.wavetank.dev/imageprofiles',
  validate,
  validateUpdate: (next) => validate(next),
  columns: columns('Name', 'Image', 'Age'),
  row: (object, context) => [nameOf(object), object.spec?.image ?? '', ageOf(object, context)],
});

function validate(object: ImageProfile): FieldErrorList {
  const spec: Partial<ImageProfile['spec']> = object.spec ?? {};
  if (!spec.image) return [required(root('spec', 'image'))];
  const errors: FieldError[] = [];
  if (/[:@](?!.*\/)/.test(spec.image)) errors.push(invalid(root('spec', 'image'), spec.image, 'must be a repository without tag or digest'));
  for (const [name, value] of Object.entries({
    sizeBytes: spec.sizeBytes,
    startupMs: spec.startupMs,
    exitAfterMs: spec.exitAfterMs,
    stopMs: spec.stopMs,
  })) {
    if (value !== undefined && value < 0) errors.push(invalid(root('spec', name), value, 'must be greater than or equal to 0'));
  }
  return errors.concat(portErrors(spec.ports), loadErrors(spec.load));
}

const healthStates: readonly string[] = ['NOT_SERVING', 'SERVING', 'UNKNOWN'];

function portErrors(ports: readonly ImageProfilePort[] = []): FieldErrorList {
  const errors: FieldError[] = [];
  for (const [i, { routes = [], grpc = [] }] of ports.entries()) {
    const path = root('spec', 'ports').index(i);
    if (routes.length > 0 && grpc.length > 0) errors.push(invalid(path, 'grpc', 'a port answers by routes or by gRPC'));
    for (const [j, { status }] of grpc.entries())
      if (status && !healthStates.includes(status)) errors.push(notSupportedOf(path.child('grpc').index(j).child('status'), status, healthStates));
    for (const [name, answers] of Object.entries({ routes, grpc })) {
      for (const [j, answer] of answers.entries()) {
        for (const field of ['failAfterMs', 'delayMs'] as const) {
          const value = answer[field];
          if (value !== undefined && value < 0)
            errors.push(invalid(path.child(name).index(j).child(field), value, 'must be greater than or equal to 0'));
        }
      }
    }
  }
  return errors;
}

/** A curve is read point by point whenever somebody asks what is used. */
const pointsMax = 100;

function loadErrors(load: ImageProfileLoad | undefined): FieldErrorList {
  const errors: FieldError[] = [];
  const path = root('spec', 'load');
  for (const name of ['processes', 'periodMs'] as const) {
    const value = load?.[name];
    if (value !== undefined && value < (name === 'periodMs' ? 1 : 0)) {
      errors.push(invalid(path.child(name), value, `must be greater than or equal to ${name === 'periodMs' ? 1 : 0}`));
    }
  }
  for (const name of ['milliCpu', 'memoryBytes', 'diskBytes'] as const) {
    const points = load?.[name] ?? [];
    if (points.length > pointsMax) errors.push(invalid(path.child(name), points.length, `must have at most ${pointsMax} points`));
    points.forEach(({ atMs, value }, i) => {
      const at = path.child(name).index(i);
      if (value < 0) errors.push(invalid(at.child('value'), value, 'must be greater than or equal to 0'));
      if (atMs < (points[i - 1]?.atMs ?? 0)) errors.push(invalid(at.child('atMs'), atMs, 'must not be before the point that precedes it'));
    });
  }
  return errors;
}
