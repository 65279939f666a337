/** Our CEL says what the real one of Kubernetes says: values, faults and errors to the letter. */
import { describe, expect, it } from 'vitest';
import { admissionFunctions } from '../../../engine/cel/admission.ts';
import { kubernetesFunctions } from '../../../engine/cel/kubernetes.ts';
import { compilePattern } from '../../../engine/cel/patterns/program.ts';
import { PatternError } from '../../../engine/cel/patterns/syntax.ts';
import { valueText } from '../../../engine/cel/print.ts';
import { compile } from '../../../engine/cel/program.ts';
import { CelError } from '../../../engine/cel/values.ts';
import { expressions, patterns } from './expressions.ts';
import { typedExpressions } from './typed-expressions.ts';
import recorded from './recorded.json' with { type: 'json' };

interface Said {
  readonly expression: string;
  readonly value?: string;
  readonly fault?: string;
  readonly error?: string;
}

const limits = { costMax: 1_000_000, stepsMax: 10_000_000 };

function say(expression: string): Said {
  const program = compile(expression, { variables: new Map(), functions: admissionFunctions, isStrict: true });
  if ('fault' in program) return program.isInstantiation ? { expression, error: program.fault } : { expression, fault: program.fault };
  try {
    return { expression, value: valueText(program.evaluate(new Map(), limits).value) };
  } catch (error) {
    if (error instanceof CelError) return { expression, error: error.message };
    throw error;
  }
}

function search(pattern: string, text: string): object {
  try {
    const found = compilePattern(pattern).findAll(text, -1);
    return { pattern, text, found: found.map(({ start, end }) => text.slice(start, end)) };
  } catch (error) {
    if (error instanceof PatternError) return { pattern, text, error: error.message };
    throw error;
  }
}

describe('CEL', () => {
  it.each((recorded.expressions as readonly Said[]).map((said) => [said.expression, said] as const))('%s', (expression, { value, fault, error }) => {
    expect(say(expression)).toEqual({ expression, ...(value && { value }), ...(fault && { fault }), ...(error && { error }) });
  });

  it.each((recorded.typed as readonly Said[]).map((said) => [said.expression, said] as const))(
    'with types that do not fit: %s',
    (expression, said) => {
      const { value, fault, error } = said;
      expect(say(expression)).toEqual({ expression, ...(value && { value }), ...(fault && { fault }), ...(error && { error }) });
    },
  );

  it('was asked all of them', () => {
    expect(recorded.typed.map(({ expression }) => expression)).toEqual(typedExpressions);
    expect(recorded.expressions.map(({ expression }) => expression)).toEqual(expressions);
    expect(recorded.patterns.map(({ pattern }) => pattern)).toEqual(patterns.map(([pattern]) => pattern));
  });
});

describe('the greatest cost of', () => {
  const told = recorded.expressions as readonly (Said & { readonly costMax?: number })[];
  it.each(told.flatMap(({ expression, costMax }) => (costMax === undefined ? [] : [[expression, costMax] as const])))(
    '%s is %i',
    (expression, costMax) => {
      const program = compile(expression, { variables: new Map(), functions: kubernetesFunctions, isStrict: true });
      // Where nothing is known, upstream's numbers end.
      const shown = 'fault' in program ? (program.isInstantiation ? costMax : program.fault) : program.costMax;
      expect(shown).toBe(costMax > 1e15 ? Number.POSITIVE_INFINITY : costMax);
    },
  );
});

describe('a pattern', () => {
  it.each(recorded.patterns.map((said) => [said.pattern, said] as const))('%s', (pattern, said) => {
    expect(search(pattern, said.text)).toEqual(said);
  });

  it('that other engines stall on takes time linear in the text', () => {
    const text = 'a'.repeat(20_000);
    expect(compilePattern('^(a+)+$').test(`${text}!`)).toBe(false);
    expect(compilePattern('(x+x+)+y').test('x'.repeat(20_000))).toBe(false);
  });
});
