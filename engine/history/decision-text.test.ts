import { describe, expect, test } from 'vitest';
import { encodeJson } from '../apimachinery/serializer/json.ts';
import { decisionText } from './decision-text.ts';

const row = [0, 97, -0, 12.5];
const scores = {
  plugins: ['A', 'B'],
  weights: [1, 2],
  nodes: ['n-1', 'n.2', 'n-3'],
  values: [row, row, [1, 2, 3, 4]],
  raw: [row, [0.1, 1e21, 3, 4], row],
};
const { raw: _, ...withoutRaw } = scores;
const record = { pod: 'a/b', result: 'scheduled', node: 'n-1', filtered: { Fit: { '1 <few>': { count: 1, nodes: ['n-9'] } } } };

const cases: readonly { readonly name: string; readonly record: object }[] = [
  { name: 'without scores', record },
  { name: 'with scores', record: { ...record, scores } },
  { name: 'as the scheduler makes it', record: { ...record, scores, virtualMs: 12, attempt: 1 } },
  { name: 'with many different rows', record: { ...record, scores: { ...scores, values: Array.from({ length: 30 }, (_, n) => [n, 1]) } } },
  { name: 'with texts like the place of the scores', record: { message: '{"scores":0}', '"scores":0': 0, skipped: ['scores'], scores, attempt: 0 } },
  { name: 'with scores of no raw values', record: { ...record, scores: withoutRaw } },
  { name: 'with something behind the scores', record: { ...record, scores, preemption: { node: 'n-1' } } },
  { name: 'with scores of no node', record: { ...record, scores: { ...scores, nodes: [], values: [] } } },
  { name: 'with names that are escaped', record: { ...record, scores: { ...scores, nodes: ['a"b', 'c<d', 'e'] } } },
  { name: 'with a name that has commas', record: { ...record, scores: { ...scores, nodes: ['a,b', 'c', 'd'] } } },
  { name: 'with fields in another order', record: { ...record, scores: { nodes: ['a'], values: [row], plugins: [], weights: [] } } },
  { name: 'with a field more', record: { ...record, scores: { ...scores, more: 1 } } },
];

describe('the text of a decision is what the encoder of JSON makes of it', () => {
  test.each(cases)('$name', ({ record: given }) => {
    expect(decisionText(given)).toBe(encodeJson(given));
  });
});
