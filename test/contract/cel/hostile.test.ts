/** Expressions that are written to keep a cluster busy are refused or ended, in about the time that reading them takes. */
import { expect, it } from 'vitest';
import { admissionFunctions } from '../../../engine/cel/admission.ts';
import { compile } from '../../../engine/cel/program.ts';
import { CelError } from '../../../engine/cel/values.ts';

const environment = { variables: new Map(), functions: admissionFunctions, isStrict: true };
const limits = { costMax: 1_000_000, stepsMax: 1_000_000 };

function outcome(expression: string): string {
  const program = compile(expression, environment);
  if ('fault' in program) return program.fault;
  try {
    program.evaluate(new Map(), limits);
    return 'evaluated';
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
}

const ended = 'operation cancelled: actual cost limit exceeded';
const doubled = (times: number): string => `[1]${'.map(x, [x, x])'.repeat(times)}`;

it.each([
  ['lists in lists that are compared', `${doubled(60)} == ${doubled(60)}`],
  ['lists in lists that are looked for', `${doubled(60)} in [${doubled(60)}]`],
  ['lists in lists that are written', `'%s'.format([${doubled(60)}]) == ''`],
  ['lists in lists that are made flat', `${doubled(60)}.flatten(100).size() == 1`],
  ['values that may be absent', `optional.of(1)${'.optMap(x, x)'.repeat(60)}.hasValue()`],
])('%s are ended', (_, expression) => expect(outcome(expression)).toBe(ended));

it('types that hold themselves twice, and twice again, are of anything', () => {
  expect(outcome(`[1]${'.map(x, {x: [x]})'.repeat(60)}.size() == 1`)).toBe('evaluated');
});

it('of many faults the first hundred are told', () => {
  const said = outcome(Array.from({ length: 5000 }, () => 'y').join('&&'));
  expect(said.match(/^ERROR/gm)).toHaveLength(100);
  expect(said).toMatch(/\n4900 more errors were truncated$/);
  expect(outcome(`y${'.optMap(x, x)'.repeat(60)}.hasValue()`)).toMatch(/more errors were truncated$/);
});

it.each(["'\\q'", '#', "'\n", '`', '"'])('100,000 characters of %j are refused', (piece) => {
  expect(outcome(piece.repeat(Math.floor(90_000 / piece.length)))).toMatch(/^ERROR: <input>:1:/);
});
