/** Evaluating costs what it costs in the real CEL of Kubernetes, and ends where it would cost more than it may. */
import { describe, expect, it } from 'vitest';
import { kubernetesFunctions } from '../../../engine/cel/kubernetes.ts';
import { type CelProgram, compile } from '../../../engine/cel/program.ts';
import { bool, dyn, int, listOf, mapOf, string } from '../../../engine/cel/types.ts';
import { celMap, type CelValue } from '../../../engine/cel/values.ts';
import { costly } from './costs.ts';
import recorded from './recorded.json' with { type: 'json' };

interface Said {
  readonly expression: string;
  readonly cost?: number;
}

const plain = (entries: { readonly [key: string]: CelValue }): CelValue => celMap(Object.entries(entries));

/** As in judge/main.go. */
const values: ReadonlyMap<string, CelValue> = new Map([
  ['o', plain({ s: 'hello world, hello', n: 5n, l: [1n, 2n, 3n], m: plain({ a: plain({ b: 'x' }) }), t: true })],
  ['s', 'a text of some length'],
  ['i', 1n],
  ['t', true],
  ['l', [3n, 1n, 2n]],
  ['w', ['one', 'two', 'three']],
  ['m', plain({ a: 1n, b: 2n })],
]);
const types = new Map([
  ['o', dyn],
  ['s', string],
  ['i', int],
  ['t', bool],
  ['l', listOf(int)],
  ['w', listOf(string)],
  ['m', mapOf(string, int)],
]);

function compiled(expression: string, variables: typeof types): CelProgram {
  const program = compile(expression, { variables, functions: kubernetesFunctions, isStrict: true, hasBindings: variables === types });
  if ('fault' in program) throw new Error(program.fault);
  return program;
}

const limitsOf = (costMax: number) => ({ costMax, stepsMax: 1_000_000 });

describe.each([
  ['constants', new Map() as typeof types, new Map<string, CelValue>(), recorded.expressions as readonly Said[]],
  ['variables', types, values, recorded.costs as readonly Said[]],
] as const)('what it costs with %s:', (_, variables, given, said) => {
  const costs = said.flatMap(({ expression, cost }) => (cost === undefined ? [] : [[expression, cost] as const]));

  it.each(costs)('%s', (expression, cost) => {
    const program = compiled(expression, variables);
    expect(program.evaluate(given, limitsOf(1_000_000)).cost).toBe(cost);
    expect(program.evaluate(given, limitsOf(cost)).cost).toBe(cost);
    if (cost > 0) expect(() => program.evaluate(given, limitsOf(cost - 1))).toThrow('operation cancelled: actual cost limit exceeded');
  });
});

it('the real one was asked all of them', () => {
  expect(recorded.costs.map(({ expression }) => expression)).toEqual(costly);
});
