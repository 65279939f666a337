import { expect, it } from 'vitest';
import { Numbered } from './columns.ts';
import { SearchedText } from './searched-text.ts';

/** Slots of pods of which each tenth is on `machine-web`, after one of a kind of its own. */
function rowsOf(count: number) {
  const [ids, words] = [new Numbered(), new Numbered()];
  const rows = Array.from({ length: count }, (_, slot) => ({
    id: slot === 0 ? 'websites.example.com/shop/x' : `pods/shop/${slot % 3 === 0 ? 'web' : 'api'}-${slot}`,
    kind: slot === 0 ? 'WebSite' : 'Pod',
    node: slot % 10 === 0 ? 'machine-web' : 'machine-1',
  }));
  const numbers = rows.map(({ id, kind, node }) => ({ id: ids.of(id), kind: words.of(kind), place: words.of(node) }));
  const index = {
    id: (slot: number) => numbers[slot]?.id ?? 0,
    kind: (slot: number) => numbers[slot]?.kind ?? 0,
    place: (slot: number) => numbers[slot]?.place ?? 0,
    idText: (id: number) => ids.text(id),
    idsHaving: (part: string) => ids.having(part),
    word: (word: number) => words.text(word),
  };
  return { rows, index };
}

it.each([12, 6_000])('of %i rows those are found whose id, kind or node has it, however many are asked', (count) => {
  const { rows, index } = rowsOf(count);
  for (const text of ['web', 'web-3', 'website', 'pod', 'machine-w', 'nothing']) {
    const searched = new SearchedText(index, text);
    const isAny = rows.map(({ id, kind, node }) => [id, kind.toLowerCase(), node].some((one) => one.includes(text)));
    expect(rows.map((_row, slot) => searched.isOf(slot))).toEqual(isAny);
  }
});
