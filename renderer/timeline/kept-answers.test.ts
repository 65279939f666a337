import { describe, expect, it } from 'vitest';
import { KeptAnswers } from './kept-answers.ts';

const at = (nowMs: number, history = 'a') => ({ nowMs, key: `${nowMs} ${history}` });

describe('answers that are kept', () => {
  it('stand for the engine only while nothing has happened since', () => {
    const kept = new KeptAnswers<string>();
    kept.keep({ path: 'rows?from=1', shape: 'rows' }, at(5), 'first');
    expect(kept.same('rows?from=1', at(5))).toBe('first');
    expect(kept.same('rows?from=1', at(6))).toBeUndefined();
    expect(kept.same('rows?from=1', at(5, 'b'))).toBeUndefined();
    expect(kept.same('rows?from=2', at(5))).toBeUndefined();
  });
  it('are shown again for the same question about a later time, never for an earlier one', () => {
    const kept = new KeptAnswers<string>();
    kept.keep({ path: 'rows?from=1', shape: 'rows' }, at(5), 'first');
    kept.keep({ path: 'rows?from=2', shape: 'rows' }, at(9), 'second');
    expect(kept.alike('rows', at(9))).toBe('second');
    expect(kept.alike('rows', at(8))).toBe('first');
    expect(kept.alike('rows', at(4))).toBeUndefined();
    expect(kept.alike('rows by trouble', at(9))).toBeUndefined();
  });
  it('are the last few: the page does not grow with what was looked at', () => {
    const kept = new KeptAnswers<string>();
    for (const number of [1, 2, 3, 4, 5, 6, 7, 1]) kept.keep({ path: `${number}`, shape: `${number}` }, at(number), `${number}`);
    expect([1, 2, 3, 4, 5, 6, 7].map((number) => kept.same(`${number}`, at(number)))).toEqual(['1', undefined, '3', '4', '5', '6', '7']);
  });
});
