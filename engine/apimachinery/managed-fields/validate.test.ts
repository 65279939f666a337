import { expect, test } from 'vitest';
import { createSchemaRegistry } from '../../api/schemas.ts';
import { TypeTable } from './types.ts';
import { storedFaults, typeFaults } from './validate.ts';

const schemas = createSchemaRegistry();
const pod = new TypeTable(schemas).of(schemas.mustGet('io.k8s.api.core.v1.Pod'));
const podOf = (...containers: object[]): never => ({ spec: { containers } }) as never;

test('an entry that stands twice is looked into all the same, and what is stored may hold one', () => {
  const twice = podOf({ name: 'a' }, { name: 'a', image: 5 });
  const misfit = '.spec.containers[name="a"].image: expected string, got &value.valueUnstructured{Value:5}';
  expect(typeFaults(twice, pod)).toEqual(['.spec.containers: duplicate entries for key [name="a"]', misfit]);
  expect(storedFaults(twice, pod)).toEqual([misfit]);
});

test('a value that reads like such a fault is none', () => {
  const field = ': duplicate entries for key ';
  expect(storedFaults(podOf({ name: 'a', [field]: 1 }), pod)).toEqual([`.spec.containers[name="a"].${field}: field not declared in schema`]);
});
