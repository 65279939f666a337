/** Rules of users' kinds in a whole cluster, and what hostile ones cost. What the real library says to many stands in test/contract/rules. */
import { beforeAll, describe, expect, test } from 'vitest';
import { aCluster, type TestCluster } from '../../../test/support/cluster.ts';
import type { JSONSchemaProps } from '../../api/apiextensions/v1/types.gen.ts';
import { structuralOf } from '../schema/structural.ts';
import { DefinitionRuleJudge } from './definition-rules.ts';
import { RuleValidator } from './validator.ts';
import { root } from '../../apimachinery/field-errors.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/a.example.com/v1/namespaces/default/things';
const merge = 'application/merge-patch+json';

function definition(spec: object): object {
  return {
    metadata: { name: 'things.a.example.com' },
    spec: {
      group: 'a.example.com',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: { type: 'object', properties: { n: { type: 'integer' } } } } } },
          subresources: { status: {} },
        },
      ],
    },
  };
}

const rule = (text: string, more: object = {}): object => ({ 'x-kubernetes-validations': [{ rule: text, ...more }] });
const numbers = (rules: object): object => ({
  type: 'object',
  properties: { n: { type: 'integer', ...rules }, other: { type: 'string', maxLength: 3 } },
});
const thing = (spec: object): object => ({ apiVersion: 'a.example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec });

describe('a rule', () => {
  let made: TestCluster;
  beforeAll(async () => {
    made = await aCluster({ nodes: 0 });
    made.call('POST', definitions, definition(numbers(rule('self > 3', { message: 'too small' }))));
    await made.advance(1_000);
  });

  test('refuses what breaks it, once the types are right', () => {
    expect(made.ask('POST', things, thing({ n: 2 }))).toMatchObject({
      status: 422,
      object: { message: 'Thing.a.example.com "a" is invalid: spec.n: Invalid value: 2: too small' },
    });
    const refused = made.ask('POST', things, thing({ n: 2, other: 'long' })).object.message;
    expect(refused).toContain('<nil>: Invalid value: null: some validation rules were not checked because the object was invalid');
    expect(refused).not.toContain('too small');
    expect(made.ask('POST', things, thing({ n: 4 })).status).toBe(201);
  });

  test('that comes later leaves alone what was there, and warns of it', async () => {
    const stricter = numbers(rule('self > 30', { message: 'too small' }));
    made.call('PATCH', `${definitions}/things.a.example.com`, { spec: (definition(stricter) as { spec: object }).spec }, merge);
    await made.advance(1_000);
    const kept = made.ask('PATCH', `${things}/a`, { metadata: { labels: { a: 'b' } } }, merge);
    expect(kept.status).toBe(200);
    expect(made.ask('PATCH', `${things}/a`, { spec: { n: 5 } }, merge).status).toBe(422);
    expect(made.ask('PATCH', `${things}/a/status`, { status: { n: 1 } }, merge).status).toBe(200);
  });
});

test('a definition is refused for a rule that is none, and for one that costs too much', async () => {
  const made = await aCluster({ nodes: 0 });
  const none = made.ask('POST', definitions, definition(numbers(rule('self > "3"'))));
  expect(none.status).toBe(422);
  expect(none.object.message).toContain("compilation failed: ERROR: <input>:1:6: found no matching overload for '_>_' applied to '(int, string)'");
  const texts = { type: 'array', items: { type: 'string' } };
  const costly = made.ask('POST', definitions, definition({ ...texts, ...rule('self.all(x, self.all(y, x == y))') }));
  expect(costly.object.message).toContain('estimated rule cost exceeds budget by factor of more than 100x');
});

describe('a hostile definition', () => {
  const small = {
    type: 'object',
    properties: { l: { type: 'array', maxItems: 3, items: { type: 'integer' } }, s: { type: 'string', maxLength: 9 } },
  };
  const value = { l: [1, 2, 3], s: 'abc' };

  function judged(text: string): readonly string[] {
    const schema = { ...small, ...rule(text) } as JSONSchemaProps;
    const refused = new DefinitionRuleJudge().judge({ schema, path: root('x'), above: undefined, uncorrelatedWithin: undefined });
    const asked = new RuleValidator(structuralOf(schema), false).validate(value);
    return [...refused, ...asked.faults].map(({ detail }) => detail);
  }

  test.each([
    ['of a megabyte', `self.s == "${'a'.repeat(1_000_000)}"`, 'expression code point size exceeds limit: size: 1000012, limit 100000'],
    ['with a long sum', `${Array(300).fill('1').join('+')} > 3`, 'expression recursion limit exceeded: 250'],
    ['with many parentheses', `${'('.repeat(5000)}true${')'.repeat(5000)}`, 'expression recursion limit exceeded: 250'],
    ['of many kinds within each other', `self.s${".replace('a', 'b')".repeat(200)}${" + 'x'".repeat(200)} == ""`, 'max recursion depth exceeded'],
    ['that doubles lists', `[self.l]${'.map(x, x + x)'.repeat(60)}.size() > 1`, 'operation cancelled: actual cost limit exceeded'],
    ['that doubles texts', `[self.s]${'.map(x, x + x)'.repeat(60)}.size() > 1`, 'operation cancelled: actual cost limit exceeded'],
    ['that doubles optionals', `optional.of(self.s)${'.optMap(x, x + x)'.repeat(100)}.hasValue()`, 'operation cancelled: actual cost limit exceeded'],
  ])('%s is refused or ended', (_, text, why) => {
    expect(judged(text).join('\n')).toContain(why);
  });

  test.each([
    ['and', Array(15_000).fill('true').join('&&')],
    ['or', Array(14_000).fill('false').join('||')],
    ['not', `${'!'.repeat(50_000)}true`],
  ])('may say %s as often as it likes', (_, text) => {
    expect(judged(text).filter((detail) => !detail.startsWith('failed rule'))).toEqual([]);
  });
});
