/** Definitions get the answer of the real API server: its code, its causes and its warnings. `record-server.ts` wrote them down. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CustomResourceDefinition } from '../../../engine/api/apiextensions/v1/types.gen.ts';
import { goQuote } from '../../../engine/apimachinery/quote.ts';
import { definitionWarnings } from '../../../engine/kinds/apiextensions/v1/warnings.ts';
import { makeApiBench } from '../../support/api-bench.ts';
import { definitionCases } from './definitions.ts';

interface Answer {
  readonly name: string;
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly object[];
  readonly warnings: readonly string[];
}

const said = gunzipSync(readFileSync(new URL('server.jsonl.gz', import.meta.url)))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Answer);
const cases = new Map(definitionCases().map((one) => [one.name, one]));
const bench = makeApiBench();

/** Upstream meets the properties of a schema in the order of chance. */
const sorted = (causes: readonly object[] | undefined): readonly string[] => (causes ?? []).map((cause) => JSON.stringify(cause)).sort();

describe('the definition', () => {
  it.each(said.map((answer) => [answer.name, answer] as const))('%s', (name, { code, reason, message, causes, warnings }) => {
    const { status, text } = bench.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All', cases.get(name)?.new);
    const given = JSON.parse(text) as {
      readonly reason?: string;
      readonly message?: string;
      readonly details?: { readonly causes?: readonly object[] };
    };
    expect({ code: status, causes: sorted(given.details?.causes) }).toEqual({ code, causes: sorted(causes) });
    const warned = definitionWarnings(cases.get(name)?.new as unknown as CustomResourceDefinition, undefined);
    if (code === 201) return expect(warned.map((text) => `299 - ${goQuote(text)}`).sort()).toEqual([...warnings].sort());
    expect(given.reason).toBe(reason);
    if (causes?.length === 1) expect(given.message).toBe(message);
  });

  it('is one of those that were sent', () => {
    expect(said.map(({ name }) => name)).toEqual([...cases.values()].filter(({ old }) => old === undefined).map(({ name }) => name));
    expect(said.filter(({ code }) => code === 422).length).toBeGreaterThanOrEqual(150);
  });
});
