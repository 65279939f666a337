import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import { parseQuery } from './query.ts';

const node: JsonValue = {
  metadata: { name: 'n', labels: { 'a.b/c': 'x' } },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
    count: 3,
  },
};

describe('queries', () => {
  it.each<readonly [string, readonly JsonValue[]]>([
    ['.metadata.name', ['n']],
    ['.metadata.labels["a.b/c"]', ['x']],
    ['.metadata."name"', ['n']],
    ['.nothing.at.all', [null]],
    ['.status.conditions.[].type', ['Ready', 'Other']],
    ['.status.conditions[].type', ['Ready', 'Other']],
    ['.status.conditions[0].status', ['True']],
    ['.status.conditions.[] | select( .type == "Ready" ) | .status', ['True']],
    ['.status.conditions | map(.type) | join("+")', ['Ready+Other']],
    ['.status.count > 2 and (.status.count == 3 | not)', [false]],
    ['.x // "none"', ['none']],
    ['.metadata | has("name"), has("x")', [true, false]],
    ['[.status.conditions[].status] | length', [2]],
    ['.status.conditions | any(.status == "False")', [true]],
    ['.metadata.name | startswith("n")', [true]],
    ['.status.count + 1 - 2', [2]],
    ['.metadata.name[]?', []],
    ['empty', []],
    ['.metadata | keys', [['labels', 'name']]],
  ])('%s', (query, want) => {
    expect(parseQuery(query)(node)).toEqual(want);
  });

  it.each(['.a |', '.a[', 'def f: 1; f', '"\\(1)"', 'reduce .[] as $x (0; .)', 'unknown', '.a ~ .b'])('%s is refused when it is read', (query) => {
    expect(() => parseQuery(query)).toThrow();
  });

  it.each([`${'('.repeat(99)}1${')'.repeat(99)}`, `${'-'.repeat(99)}1`, '.a '.repeat(2000)])('%s is too much to read', (query) => {
    expect(() => parseQuery(query)).toThrow(/too deep|longer than/);
  });

  it.each([Array(200).fill('(., .)').join(' | '), Array(200).fill('.x').join(' // '), '[.status.conditions[] + (.status.conditions[] | empty)]'])(
    '%s comes to an end',
    (query) => {
      try {
        expect(parseQuery(query)(node).length).toBeLessThan(10_001);
      } catch (error) {
        expect((error as Error).message).toMatch(/more than|cannot add|expected/);
      }
    },
  );

  it.each(['.metadata.name.x', '.status.count[]', '.status.conditions | keys'])('%s ends with an error', (query) => {
    expect(() => parseQuery(query)(node)).toThrow();
  });
});
