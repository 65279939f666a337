/** Values of custom kinds come out as the real library of the release makes them: pruned, filled in, coerced, judged, shown in columns. */
import { describe, expect, it } from 'vitest';
import { type Case, drawn, drawnCount, handWritten } from './cases.ts';
import { answer, readFacts } from './facts.ts';

const facts = readFacts();
const written = [...handWritten()];

/** The structure of a schema is judged where definitions are. */
function expectEqual(one: Case, place: number): void {
  const { structure: _, ...said } = facts[place] as { readonly structure?: unknown };
  expect({ case: one, ...answer(one) }).toEqual({ case: one, ...said });
}

describe('what the real library said', () => {
  it('to schemas written by hand', () => {
    for (const [place, one] of written.entries()) expectEqual(one, place);
  });

  it('to schemas drawn from seeds', () => {
    for (const [place, one] of [...drawn(1, drawnCount)].entries()) expectEqual(one, written.length + place);
  });

  it('to all of them', () => {
    expect(facts).toHaveLength(written.length + drawnCount);
  });
});
