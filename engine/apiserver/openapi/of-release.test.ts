import { expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { asReleased } from './of-release.ts';

const boat = 'io.k8s.api.sea.v1.Boat';
const hull = 'io.k8s.api.sea.v1.Hull';
const rig = 'io.k8s.api.sea.v1.Rig';
const none = { renamed: {}, written: {}, moreProperties: {}, fewerProperties: {}, aliases: {} };
const ref = (name: string): JsonObject => ({ $ref: `#/definitions/${name}` });

function definitionsOf(definitions: JsonObject, told: Partial<Parameters<typeof asReleased>[1]>): JsonObject {
  return asReleased({ paths: {}, definitions }, { ...none, ...told })['definitions'] as JsonObject;
}

it('makes one of two types where a release has one, and keeps what was said of that', () => {
  const definitions = {
    [boat]: { type: 'object', properties: { hull: ref(hull), rig: ref(rig) } },
    [hull]: { description: 'Of wood.', type: 'object' },
    [rig]: { description: 'Of rope.', type: 'object' },
  };
  expect(definitionsOf(definitions, { renamed: { [rig]: hull } })).toEqual({
    [boat]: { type: 'object', properties: { hull: ref(hull), rig: ref(hull) } },
    [hull]: { description: 'Of wood.', type: 'object' },
  });
});

it('says of few fields how they are merged, what must be there then, and references after all else', () => {
  const list = { type: 'array', 'x-kubernetes-list-type': 'atomic' };
  const definitions = {
    [boat]: {
      type: 'object',
      required: ['sails'],
      properties: { sails: list, oars: list, hull: { ...ref(hull), 'x-kubernetes-patch-strategy': 'retainKeys' } },
    },
  };
  const made = definitionsOf(definitions, {
    merges: { [boat]: ['oars'] },
    required: { [boat]: ['hull', 'oars'] },
    marks: { [boat]: { sails: { 'x-mark': 1 } } },
  });
  expect(JSON.stringify(made[boat])).toBe(
    JSON.stringify({
      required: ['hull', 'oars'],
      properties: {
        hull: { 'x-kubernetes-patch-strategy': 'retainKeys', ...ref(hull) },
        oars: list,
        sails: { type: 'array', 'x-mark': 1 },
      },
    }),
  );
  expect(definitionsOf(definitions, { required: { [boat]: [] } })[boat]).not.toHaveProperty('required');
});

it('is silent where a release was, and says what it said then', () => {
  const said = 'More info: https://example.com/new/boats#hulls';
  const definitions = {
    [boat]: {
      description: said,
      type: 'object',
      properties: { description: { description: said, type: 'string' }, sails: { description: said, type: 'string' } },
    },
    [hull]: { description: said, type: 'object' },
  };
  const rewords = [
    ['/new/', '/old/'],
    [/#[a-z]+/g, ''],
  ] as const;
  const then = 'More info: https://example.com/old/boats';
  expect(definitionsOf(definitions, { rewords, silent: { [boat]: ['sails'], [hull]: [''] } })).toEqual({
    [boat]: { description: then, type: 'object', properties: { description: { description: then, type: 'string' }, sails: { type: 'string' } } },
    [hull]: { type: 'object' },
  });
});
