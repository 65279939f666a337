/** Server-side apply through the `scale` subresource. What a real 1.36.3 answered and stored stands beside each step. */
import { expect, test } from 'vitest';
import { makeApiBench, type ApiBench, type BenchAnswer } from '../support/api-bench.ts';
import type { JsonObject } from '../../engine/base/json.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';

function deployment(replicas: number | undefined): JsonObject {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { ...(replicas === undefined ? undefined : { replicas }), selector: { matchLabels: { a: 'b' } }, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec };
}

function applied(bench: ApiBench, who: string, body: JsonObject, subresource = '', name = 'd'): BenchAnswer {
  return bench.send('PATCH', `${deployments}/${name}${subresource}?fieldManager=${who}`, body, 'application/apply-patch+yaml');
}

const scale = (replicas: unknown, more: JsonObject = {}): JsonObject =>
  ({ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas }, ...more }) as JsonObject;

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly fieldsV1: { readonly 'f:spec'?: { readonly 'f:replicas'?: object } };
}

/** Who owns the replicas, as what. */
function owners(bench: ApiBench): readonly string[] {
  const { metadata } = bench.send('GET', `${deployments}/d`).value as unknown as { readonly metadata: { readonly managedFields: readonly Entry[] } };
  return metadata.managedFields
    .filter(({ fieldsV1 }) => fieldsV1['f:spec']?.['f:replicas'] !== undefined)
    .map(({ manager, operation, apiVersion, subresource }) => [manager, operation, apiVersion, subresource].filter((text) => text).join(' '));
}

function made(replicas: number): ApiBench {
  const bench = makeApiBench();
  bench.send('POST', `${deployments}?fieldManager=maker`, deployment(replicas));
  return bench;
}

test('replicas that somebody else owns are a conflict, told in the version of the Scale', () => {
  const bench = made(3);
  const message = 'Apply failed with 1 conflict: conflict with "maker" using autoscaling/v1: .spec.replicas';
  const cause = { reason: 'FieldManagerConflict', message: 'conflict with "maker" using autoscaling/v1', field: '.spec.replicas' };
  const answer = applied(bench, 'one', scale(5), '/scale');
  expect(answer).toMatchObject({ status: 409, message, value: { details: { causes: [cause] } } });
  expect(owners(bench)).toEqual(['maker Update apps/v1']);
});

test('no replicas are no value in a Scale, so that applying 0 changes them', () => {
  expect(applied(made(0), 'one', scale(0), '/scale').status).toBe(409);
});

test('force takes them over, in the version of the object', () => {
  const bench = made(3);
  expect(applied(bench, 'one&force=true', scale(5), '/scale')).toMatchObject({ status: 200, value: { kind: 'Scale', spec: { replicas: 5 } } });
  expect(owners(bench)).toEqual(['one Apply apps/v1 scale']);
  const message = 'Apply failed with 1 conflict: conflict with "one" with subresource "scale": .spec.replicas';
  expect(applied(bench, 'three', deployment(2))).toMatchObject({ status: 409, message });
  expect(applied(bench, 'three', deployment(5)).status).toBe(200);
  expect(owners(bench)).toEqual(['one Apply apps/v1 scale', 'three Apply apps/v1']);
});

test('who applies the same value owns it too', () => {
  const bench = made(3);
  expect(applied(bench, 'one', scale(3), '/scale').status).toBe(200);
  expect(owners(bench)).toEqual(['one Apply apps/v1 scale', 'maker Update apps/v1']);
});

test('who names them no more gives them up', () => {
  const bench = made(3);
  applied(bench, 'one&force=true', scale(5), '/scale');
  const empty = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' } };
  expect(applied(bench, 'one', empty, '/scale')).toMatchObject({ status: 200, value: { spec: {} } });
  expect(owners(bench)).toEqual([]);
});

test('a Scale that says no name is refused before anything is looked up', () => {
  expect(made(3).send('PUT', `${deployments}/none/scale`, { spec: { replicas: 1 } })).toMatchObject({
    status: 400,
    message: 'the name of the object (none based on URL) was undeterminable: name must be provided',
  });
});

test.each<[string, JsonObject, number, string]>([
  ['another kind', deployment(1), 400, 'invalid object type: apps/v1, Kind=Deployment'],
  [
    'a text for a number',
    scale('many'),
    500,
    'failed to create typed patch object (/d; autoscaling/v1, Kind=Scale): .spec.replicas: expected numeric (int or float), got string',
  ],
  [
    'a field that is none',
    scale(1, { foo: 1 }),
    500,
    'failed to create typed patch object (/d; autoscaling/v1, Kind=Scale): .foo: field not declared in schema',
  ],
  ['less than none', scale(-1), 422, 'Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
])('%s is refused', (_name, body, status, message) => {
  expect(applied(made(3), 'one&force=true', body, '/scale')).toMatchObject({ status, message });
});

test('there is no Scale of what is not there', () => {
  expect(applied(makeApiBench(), 'one', scale(1), '/scale')).toMatchObject({ status: 404, message: 'deployments.apps "d" not found' });
});
