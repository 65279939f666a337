import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../apimachinery/object.ts';
import { compareFields } from './field-changes.ts';

const limits = { fieldsMax: 50, textMax: 100 };

function of(parts: object): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', resourceVersion: '1' }, ...parts } as unknown as KubeObject;
}

function compare(before: object | undefined, after: object | undefined, more: object = {}) {
  return compareFields(before && of(before), after && of(after), { ...limits, ...more });
}

describe('fields that changed', () => {
  it('are told with their place and their values before and after; items of lists by their names', () => {
    const pod = (image: string, env: object[]) => ({
      spec: {
        containers: [
          { name: 'side', image: 'x' },
          { name: 'app', image, env },
        ],
      },
    });
    const { fields, more } = compare(pod('nginx:1', [{ name: 'A', value: '1' }]), pod('nginx:2', [{ name: 'B', value: '2' }]));
    expect(fields).toEqual([
      { path: 'spec.containers[app].image', before: 'nginx:1', after: 'nginx:2' },
      { path: 'spec.containers[app].env[B].name', after: 'B' },
      { path: 'spec.containers[app].env[B].value', after: '2' },
      { path: 'spec.containers[app].env[A].name', before: 'A' },
      { path: 'spec.containers[app].env[A].value', before: '1' },
    ]);
    expect(more).toBe(0);
  });

  it('of lists whose items have no names of their own stand by their places, of lists of texts as a whole', () => {
    const ports = (first: number) => ({
      spec: {
        ports: [
          { name: 'p', port: first },
          { name: 'p', port: 2 },
        ],
        args: ['a', String(first)],
      },
    });
    expect(compare(ports(1), ports(3)).fields).toEqual([
      { path: 'spec.ports[0].port', before: '1', after: '3' },
      { path: 'spec.args', before: '["a","1"]', after: '["a","3"]' },
    ]);
  });

  it('tell another order, of which nothing else would', () => {
    const init = (...names: string[]) => ({ spec: { initContainers: names.map((name) => ({ name })) } });
    expect(compare(init('a', 'b'), init('b', 'a')).fields).toEqual([{ path: 'spec.initContainers (order)', before: 'a, b', after: 'b, a' }]);
  });

  it('of long values are the part that differs, and say how long all of it is', () => {
    const text = 'x'.repeat(200_000);
    const { fields } = compare({ data: { a: `${text}old${text}` } }, { data: { a: `${text}new` } });
    const [field] = fields;
    expect(field?.before).toMatch(/^…x{24}oldx+…$/);
    expect(field?.after).toMatch(/^…x{24}new$/);
    expect([field?.beforeLength, field?.afterLength]).toEqual([400_003, 200_003]);
    expect(JSON.stringify(fields).length).toBeLessThan(400);
  });

  it('are so many at most, and the others are counted', () => {
    const labels = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`l${index}`, 'x']));
    const { fields, more } = compare({ metadata: {} }, { metadata: { labels } });
    expect([fields.length, more]).toEqual([50, 4_950]);
  });

  it('that only say that time has passed come last where they are asked for, and what the store writes never does', () => {
    const at = (generation: number, replicas: number) => ({
      metadata: { generation, resourceVersion: String(generation), managedFields: [{ manager: String(generation) }] },
      spec: { replicas },
    });
    expect(compare(at(1, 1), at(2, 2)).fields).toEqual([{ path: 'spec.replicas', before: '1', after: '2' }]);
    expect(compare(at(1, 1), at(2, 2), { withBookkeeping: true }).fields).toEqual([
      { path: 'spec.replicas', before: '1', after: '2' },
      { path: 'metadata.generation', before: '1', after: '2', bookkeeping: true },
    ]);
  });

  it('with hidden values say that they changed and nothing else', () => {
    const { fields } = compare({ data: { a: 'c2VjcmV0', b: 'x' } }, { data: { a: 'bmV3', c: 'y' } }, { hidden: ['data'] });
    expect(fields).toEqual([
      { path: 'data.a', before: '(hidden)', after: '(hidden)' },
      { path: 'data.c', after: '(hidden)' },
      { path: 'data.b', before: '(hidden)' },
    ]);
  });

  it('have names that every object has, control characters and any depth', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 2_000; level++) deep = { a: deep };
    const labels = { constructor: 'x', 'app.kubernetes.io/name': 'y' };
    const { fields } = compare({ metadata: {}, spec: { deep } }, { metadata: { labels }, spec: { deep: { a: 1 } } });
    expect(fields.map(({ path }) => path)).toEqual(['metadata.labels.constructor', 'metadata.labels["app.kubernetes.io/name"]', 'spec.deep.a']);
  });

  it('of an object that came or went are all it has', () => {
    expect(compare(undefined, { spec: { a: {} } }).fields.map(({ path, after }) => `${path}=${after}`)).toEqual([
      'apiVersion=v1',
      'kind=Pod',
      'metadata.name=a',
      'spec.a={}',
    ]);
    expect(compare({ spec: { a: 1 } }, undefined).fields.at(-1)).toEqual({ path: 'spec.a', before: '1' });
  });
});
