/** Asks the rules of one schema about one value. Mirrors validateExpressions of pkg/apiserver/schema/cel/validation.go. */
import { duplicate, type FieldError, type FieldPath, forbidden, invalid, required, root } from '../../apimachinery/field-errors.ts';
import type { JsonValue } from '../../base/json.ts';
import type { Limits } from '../../cel/evaluate.ts';
import { CelOptional } from '../../cel/libraries/optionals.ts';
import type { CelProgram } from '../../cel/program.ts';
import { CelError, type CelValue } from '../../cel/values.ts';
import type { Structural } from '../schema/structural.ts';
import type { CompiledRule } from './compile.ts';
import type { SchemaTypes } from './types.ts';
import { valueOf } from './values.ts';

/** What is found on the way through an object, and what of the budget is left; below 0 nothing more is asked. */
export interface RuleRun {
  readonly types: SchemaTypes;
  readonly faults: FieldError[];
  readonly warnings: FieldError[];
  left: number;
}

export interface Judged {
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  readonly schema: Structural;
  readonly path: FieldPath | undefined;
  isUnchanged(): boolean;
}

/** Of one expression; what costs nothing is counted, too. */
const perCall: Limits = { costMax: 1_000_000, stepsMax: 10_000_000 };
const messageBytesMax = 5 * 1024;
const overspent = 'operation cancelled: actual cost limit exceeded';
const nowhere = root('<nil>');

interface Evaluated {
  readonly value?: CelValue;
  readonly fault?: string;
  readonly cost: number;
}

function evaluated(program: CelProgram, values: ReadonlyMap<string, CelValue>): Evaluated {
  try {
    return program.evaluate(values, perCall);
  } catch (error) {
    if (error instanceof CelError) return { fault: error.message, cost: error.cost ?? 0 };
    throw error;
  }
}

export function judgeRules(rules: readonly CompiledRule[], judged: Judged, run: RuleRun): void {
  const { schema, path = nowhere } = judged;
  const stop = (detail: string): void => {
    run.faults.push(invalid(path, schema.type, detail));
    run.left = -1;
  };
  if (run.left <= 0) return stop('validation failed due to running out of cost budget, no further validation rules will be run');
  const variables = variablesOf(judged, run.types);
  if (typeof variables === 'string') {
    for (const compiled of rules) run.faults.push(invalid(path, schema.type, faultText(variables, compiled)));
    return;
  }
  for (const compiled of rules) {
    const { rule, program, fault, usesOldSelf } = compiled;
    if (fault !== undefined) run.faults.push(invalid(path, schema.type, `rule compile error: ${fault}`));
    if (program === undefined) continue;
    const isOptional = rule.optionalOldSelf === true;
    if (usesOldSelf && judged.old === undefined && !isOptional) continue;
    const result = evaluated(program, variables(isOptional));
    if (result.cost > run.left) return stop('validation failed due to running out of cost budget, no further validation rules will be run');
    run.left -= result.cost;
    if (result.fault?.startsWith(overspent))
      return stop(`'${result.fault}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(compiled)}`);
    if (result.fault !== undefined) run.faults.push(invalid(path, schema.type, faultText(result.fault, compiled)));
    else if (result.value !== true && !violated(compiled, judged, variables(false), run)) return;
  }
}

function faultText(fault: string, compiled: CompiledRule): string {
  if (!fault.startsWith('no such overload')) return `${fault} evaluating rule: ${ruleText(compiled)}`;
  return `'${fault}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(compiled)}`;
}

type Variables = (isOptional: boolean) => ReadonlyMap<string, CelValue>;

/** The values of `self` and `oldSelf`, which may be optional; made once. A text where a value is none of its schema: validation refuses it first. */
function variablesOf({ value, old, schema }: Judged, types: SchemaTypes): Variables | string {
  try {
    const self = valueOf(value, schema, types);
    const oldSelf = old === undefined ? undefined : valueOf(old, schema, types);
    const plain = new Map<string, CelValue>([['self', self], ...(oldSelf === undefined ? [] : [['oldSelf', oldSelf] as const])]);
    const optional = new Map<string, CelValue>([
      ['self', self],
      ['oldSelf', new CelOptional(oldSelf)],
    ]);
    return (isOptional) => (isOptional ? optional : plain);
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
}

/** False where no more rules are asked. */
function violated(compiled: CompiledRule, judged: Judged, variables: ReadonlyMap<string, CelValue>, run: RuleRun): boolean {
  const { rule, message, usesOldSelf, fieldPath } = compiled;
  const { schema, value, path } = judged;
  const at = fieldPath === '' ? (path ?? nowhere) : path === undefined ? root(fieldPath) : path.child(fieldPath);
  const add = (fault: FieldError): void => {
    if (!usesOldSelf && judged.isUnchanged()) run.warnings.push(fault);
    else run.faults.push(fault);
  };
  let detail: string | undefined;
  if (message !== undefined) {
    const made = messageOf(message, rule.messageExpression ?? '', variables, run);
    if ('fault' in made) {
      add(invalid(at, schema.type, made.fault));
      run.left = -1;
      return false;
    }
    detail = made.text;
  }
  add(faultOf(at, schema, value, detail ?? (rule.message ? rule.message.trim() : `failed rule: ${ruleText(compiled)}`), rule.reason));
  return true;
}

/** What cannot be said is not said; a message that is too costly ends all. */
function messageOf(
  program: CelProgram,
  source: string,
  variables: ReadonlyMap<string, CelValue>,
  run: RuleRun,
): { readonly text: string | undefined } | { readonly fault: string } {
  const { value, fault, cost } = evaluated(program, variables);
  if (cost > run.left)
    return { fault: 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run' };
  if (fault?.startsWith(overspent))
    return { fault: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(source)}` };
  run.left -= cost;
  const text = typeof value === 'string' ? value.trim() : '';
  const isFit = text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= messageBytesMax;
  return { text: isFit ? text : undefined };
}

/** Objects and lists are not shown. */
function faultOf(path: FieldPath, { type }: Structural, value: JsonValue, detail: string, reason: string | undefined | null): FieldError {
  if (reason === 'FieldValueForbidden') return forbidden(path, detail);
  if (reason === 'FieldValueRequired') return required(path, detail);
  const fault = reason === 'FieldValueDuplicate' ? duplicate(path, value) : invalid(path, value, detail);
  if (type !== 'object' && type !== 'array') return fault;
  const { badValue: _, ...silent } = fault;
  return silent;
}

function ruleText({ rule: { rule, message } }: CompiledRule): string {
  return (message || rule || '').trim();
}
