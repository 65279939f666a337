import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/request.ts';
import { checkText } from './check-text.ts';
import { pathOf, refusedFields } from './refused-fields.ts';

const first = 'kind: ConfigMap\napiVersion: v1\n';
const second = `apiVersion: apps/v1
kind: Deployment
metadata:
  labels:
    example.com/team.a: "-"
spec:
  replicas: -1
  template:
    spec:
      containers:
      - name: c
        image: nginx
        ports: [{containerPort: 1}, {containerPort: 99999}]
`;
const text = `${first}---\n${second}`;
const manifest = checkText(text, new Map()).manifests[1];
const at = (error: ApiError): (readonly [number, string, string])[] =>
  refusedFields(error, manifest as never, text).map(({ line, from, text: said }) => [line, text.slice(from, from + 8), said]);
const invalid = (field: string, message = 'no') => new ApiError(422, 'Invalid', 'is invalid', [{ field, message }]);

describe('what an API server refused stands at its line, in the document that it is of', () => {
  it.each([
    ['spec.replicas', 10, 'replicas'],
    ['spec.template.spec.containers[0].ports[1].containerPort', 16, 'containe'],
    ['spec.template.spec.containers[0].livenessProbe.httpGet', 14, 'name: c\n'],
    ['metadata.labels[example.com/team.a]', 8, 'example.'],
    ['metadata.labels.example.com/team.a', 8, 'example.'],
    ['metadata.annotations', 6, 'metadata'],
    ['status.x', 4, 'apiVersi'],
  ])('%s', (field, line, words) => expect(at(invalid(field))).toEqual([[line, words, `${field}: no`]]));

  it('of fields that there are not, and of values of another type, the sentence alone names them', () => {
    const strict = 'strict decoding error: unknown field "spec.template.spec.containers[0].image", unknown field "spec.replicas"';
    const said = [
      [15, 'image: n', 'unknown field "spec.template.spec.containers[0].image"'],
      [10, 'replicas', 'unknown field "spec.replicas"'],
    ];
    expect(at(new ApiError(400, 'BadRequest', strict))).toEqual(said);
    expect(at(invalid('patch', `Invalid value: "{}": ${strict}`))).toEqual(said);
    const typed = 'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32';
    expect(at(new ApiError(400, 'BadRequest', typed)).map(([line]) => line)).toEqual([10]);
    expect(at(new ApiError(403, 'Forbidden', 'no rights'))).toEqual([]);
  });
});

it('paths are read as API servers write them', () =>
  expect([pathOf('spec.ports[0].port'), pathOf('data[a.b/c]'), pathOf('')]).toEqual([['spec', 'ports', 0, 'port'], ['data', 'a.b/c'], []]));
