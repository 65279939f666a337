/** Definitions of kinds are refused in the words of the real library, and accepted where it accepts them. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerDefinition } from './definition-answers.ts';
import { definitionCases } from './definitions.ts';

interface Said {
  readonly faults: readonly string[];
}

const said = gunzipSync(readFileSync(new URL('definitions.jsonl.gz', import.meta.url)))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Said);
const cases = definitionCases();

describe('the definition', () => {
  it.each(cases.map((one, place) => [one.name, one, said[place]?.faults] as const))('%s', (_, one, faults) => {
    expect(answerDefinition(one)).toEqual([...(faults ?? ['never asked'])].sort());
  });

  it('is one of those that were asked about', () => {
    expect(said).toHaveLength(cases.length);
    expect(said.filter(({ faults }) => faults.length > 0).length).toBeGreaterThanOrEqual(150);
  });
});
