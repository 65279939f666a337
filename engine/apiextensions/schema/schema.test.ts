/** Values of custom kinds: what is left out, filled in and refused. What the real library says to many more is kept in test/contract/schemas. */
import { describe, expect, it } from 'vitest';
import { errorText } from '../../apimachinery/field-errors.ts';
import type { JSONSchemaProps } from '../../api/apiextensions/v1/types.gen.ts';
import type { JsonValue } from '../../base/json.ts';
import { applyDefaults, pruneNulls } from './defaulting.ts';
import { validateListTypes } from './list-types.ts';
import { prune, pruneNaming } from './prune.ts';
import { structuralOf } from './structural.ts';
import { validateValue } from './validate.ts';

const schema: JSONSchemaProps = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['image'],
      properties: {
        image: { type: 'string', pattern: '^[a-z]+$' },
        replicas: { type: 'integer', minimum: 0, default: 1 },
        ports: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
      },
    },
  },
};
const structural = structuralOf(schema);
const whole = (spec: JsonValue): JsonValue => ({ apiVersion: 'a.b/v1', kind: 'C', metadata: { name: 'x' }, spec });
const faultsOf = (value: JsonValue, old?: JsonValue): readonly string[] =>
  validateValue(value, structural, undefined, { old, ratcheting: true }).map(errorText);

describe('values of a schema', () => {
  it('lose what it does not name, and keep being the same where nothing is lost', () => {
    const fine = whole({ image: 'a' });
    expect(prune(fine, structural, { isResourceRoot: true })).toBe(fine);
    expect(pruneNaming(whole({ image: 'a', b: { c: 1 } }), structural, { isResourceRoot: true })).toEqual({
      value: whole({ image: 'a' }),
      unknownFields: ['spec.b'],
    });
  });

  it('get defaults, also where null stands', () => {
    expect(applyDefaults(pruneNulls(whole({ image: null, replicas: null }), structural), structural)).toEqual(whole({ replicas: 1 }));
  });

  it('are judged in upstream words', () => {
    expect(faultsOf(whole({ image: 'A', replicas: 'x' }))).toEqual([
      'spec.image: Invalid value: "A": spec.image in body should match \'^[a-z]+$\'',
      'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
    ]);
    expect(faultsOf(whole({}))).toEqual(['spec.image: Required value']);
  });

  it('may stay wrong where they were', () => {
    expect(faultsOf(whole({ image: 'A', replicas: 2 }), whole({ image: 'A', replicas: 1 }))).toEqual([]);
  });

  it('have sets without repetitions', () => {
    expect(validateListTypes(whole({ ports: [1, 2, 1, 1] }), structural, undefined).map(errorText)).toEqual(['spec.ports[2]: Duplicate value: 1']);
  });
});
