/** What Go's regexp takes, refuses and finds, of patterns that were drawn at random (patterns.json: for each what it says, or which texts match). */
import { expect, test } from 'vitest';
import { compilePattern } from '../../../engine/cel/patterns/program.ts';
import facts from './patterns.json' with { type: 'json' };

function told(pattern: string): string {
  try {
    const { test: matches } = compilePattern(pattern);
    return facts.texts.map((text) => (matches(text) ? '1' : '0')).join('');
  } catch (error) {
    return (error as Error).message;
  }
}

test.each(facts.patterns)('%j is read as Go reads it', (pattern = '', wanted = '') => {
  expect(told(pattern).replace(/^error parsing regexp: /, '')).toBe(wanted.replace(/^error parsing regexp: /, ''));
});

test('an escaped blank or underscore is itself', () => {
  expect(compilePattern('^\\ *a\\_b$').test('  a_b')).toBe(true);
});
