/** Which texts are times to expressions: formats are stricter than what Go reads. */
import { expect, it } from 'vitest';
import { admissionFunctions } from '../../../engine/cel/admission.ts';
import { compile } from '../../../engine/cel/program.ts';

function holds(expression: string): unknown {
  const program = compile(expression, { variables: new Map(), functions: admissionFunctions, isStrict: true });
  if ('fault' in program) throw new Error(program.fault);
  return program.evaluate(new Map(), { costMax: 1_000_000, stepsMax: 1_000_000 }).value;
}

it.each([
  ['format.datetime().validate("2020-01-01T05:00:00Z").hasValue()', false],
  ['format.datetime().validate("2020-01-01t05:00:00z").hasValue()', false],
  ['format.datetime().validate("2020-01-01T5:00:00Z").hasValue()', true],
  ['format.date().validate("2020-02-30").hasValue()', true],
  ['timestamp("2020-01-01T5:00:00Z") == timestamp("2020-01-01T05:00:00Z")', true],
  ['timestamp("2020-01-01T05:00:00.123456789Z").getMilliseconds() == 123', true],
  ['timestamp("2020-01-01T05:00:00.000000001Z") > timestamp("2020-01-01T05:00:00Z")', true],
])('%s is %s', (expression, is) => expect(holds(expression)).toEqual(is));
