/** Rules of custom kinds are judged as the real library judges them, when they are written and when they are asked. */
import { describe, expect, it } from 'vitest';
import { answerRules, readRuleFacts, type RuleFacts } from './answers.ts';
import { ruleCases } from './cases.ts';

const facts = readRuleFacts();
const cases = ruleCases();

/** What a rule costs until it fails is not upstream's: it asks for fewer arguments then, or tells its own words. */
function comparable({ faults, values }: RuleFacts): object {
  if (faults.length > 0) return { faults: [...faults].sort() };
  return {
    faults,
    values: values.map((one) => (one.faults.some((text) => /(?:evaluating rule|signature for rule): /.test(text)) ? { ...one, left: 0 } : one)),
  };
}

/** Where upstream's library panics, or forgets an overload. */
const panics = /sort\(|distinct|sortBy|either\.size|containsIP\(self/;

describe('rules', () => {
  it.each(cases.map((one, place) => [one.name, one, facts[place]] as const).filter(([name]) => !panics.test(name)))('%s', (_, one, said) => {
    expect(comparable(answerRules(one))).toEqual(said && comparable(said));
  });

  it('are those that were asked about', () => {
    expect(facts).toHaveLength(cases.length);
    expect(facts.filter(({ faults }) => faults.length > 0).length).toBeGreaterThanOrEqual(150);
    expect(facts.flatMap(({ values }) => values).length).toBeGreaterThanOrEqual(1000);
  });
});
