/** When a job has failed and when it has succeeded. Mirrors validatePodFailurePolicy and validateSuccessPolicy of pkg/apis/batch/validation. */
import type { JobSpec, PodFailurePolicyOnExitCodesRequirement, PodFailurePolicyRule, SuccessPolicyRule } from '../../../api/batch/v1/types.gen.ts';
import { duplicate, type FieldPath, invalid, notSupported, required, tooLong, tooMany } from '../../../apimachinery/field-errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { isQualifiedName } from '../../../apimachinery/validation.ts';
import { nonnegative } from '../../apps/v1/validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';

const mostRules = 20;
const mostCodes = 255;
const mostPatterns = 20;
const longestIndexes = 64 * 1024;
const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];

/** As Go writes a list of texts. */
function listed(values: readonly string[]): string {
  return `valid values: [${values.map(goQuote).join(' ')}]`;
}

export function validateFailurePolicy(spec: JobSpec, policy: NonNullable<JobSpec['podFailurePolicy']>, path: FieldPath, out: Faults): void {
  const rules = policy.rules ?? [];
  const at = path.child('rules');
  if (rules.length > mostRules) out.push(tooMany(at, rules.length, mostRules));
  const pod = spec.template?.spec;
  const containers = new Set([...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].map(({ name }) => name));
  for (const [index, rule] of rules.entries()) validateFailureRule(spec, rule, containers, at.index(index), out);
}

function validateFailureRule(spec: JobSpec, rule: PodFailurePolicyRule, containers: ReadonlySet<string>, path: FieldPath, out: Faults): void {
  const { action = '', onExitCodes, onPodConditions = [] } = rule;
  const at = path.child('action');
  if (action === '') out.push(required(at, listed(actions)));
  else if (action === 'FailIndex') {
    if (spec.backoffLimitPerIndex === undefined) out.push(invalid(at, action, 'requires the backoffLimitPerIndex to be set'));
  } else if (!actions.includes(action)) out.push(notSupported(at, action, actions));
  if (onExitCodes) validateCodes(onExitCodes, containers, path.child('onExitCodes'), out);
  if (onPodConditions.length > 0) validatePatterns(onPodConditions, path.child('onPodConditions'), out);
  const both = onExitCodes !== undefined && onPodConditions.length > 0;
  if (both) out.push(bare(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (onExitCodes === undefined && onPodConditions.length === 0)
    out.push(bare(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
}

/** Invalid, without the value. */
export function bare(path: FieldPath, detail: string): Faults[number] {
  return { type: 'FieldValueInvalid', field: path.toString(), detail };
}

type Patterns = NonNullable<PodFailurePolicyRule['onPodConditions']>;

function validatePatterns(patterns: Patterns, path: FieldPath, out: Faults): void {
  if (patterns.length > mostPatterns) out.push(tooMany(path, patterns.length, mostPatterns));
  for (const [index, { type = '', status = '' }] of patterns.entries()) {
    const at = path.index(index);
    for (const fault of isQualifiedName(type)) out.push(invalid(at.child('type'), type, fault));
    if (status === '') out.push(required(at.child('status'), listed(statuses)));
    else if (!statuses.includes(status)) out.push(notSupported(at.child('status'), status, statuses));
  }
}

function validateCodes(requirement: PodFailurePolicyOnExitCodesRequirement, containers: ReadonlySet<string>, path: FieldPath, out: Faults): void {
  const { operator = '', containerName } = requirement;
  const values = requirement.values ?? [];
  if (operator === '') out.push(required(path.child('operator'), listed(operators)));
  else if (!operators.includes(operator)) out.push(notSupported(path.child('operator'), operator, operators));
  if (containerName !== undefined && !containers.has(containerName))
    out.push(invalid(path.child('containerName'), containerName, 'must be one of the container or initContainer names in the pod template'));
  const at = path.child('values');
  if (values.length === 0) out.push(invalid(at, requirement.values ?? null, 'at least one value is required'));
  else if (values.length > mostCodes) out.push(tooMany(at, values.length, mostCodes));
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) out.push(invalid(at.index(index), value, 'must not be 0 for the In operator'));
    if (seen.has(value)) out.push(duplicate(at.index(index), value));
    seen.add(value);
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? 0) > value)) out.push(invalid(at, values, 'must be ordered'));
}

export function validateSuccessPolicy(policy: NonNullable<JobSpec['successPolicy']>, completions: number, path: FieldPath, out: Faults): void {
  const rules = policy.rules ?? [];
  const at = path.child('rules');
  if (rules.length === 0) out.push(required(at, 'at least one rules must be specified when the successPolicy is specified'));
  if (rules.length > mostRules) out.push(tooMany(at, rules.length, mostRules));
  for (const [index, rule] of rules.entries()) validateSuccessRule(rule, completions, at.index(index), out);
}

function validateSuccessRule({ succeededCount, succeededIndexes }: SuccessPolicyRule, completions: number, path: FieldPath, out: Faults): void {
  if (succeededCount === undefined && succeededIndexes === undefined)
    out.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'));
  let total = 0;
  if (succeededIndexes !== undefined) {
    const at = path.child('succeededIndexes');
    if (succeededIndexes.length > longestIndexes) out.push(tooLong(at, longestIndexes));
    const parsed = parseIndexes(succeededIndexes, completions);
    if (typeof parsed === 'string') out.push(invalid(at, succeededIndexes, `error parsing succeededIndexes: ${parsed}`));
    else total = parsed.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  }
  if (succeededCount === undefined) return;
  const at = path.child('succeededCount');
  const atMost = (count: number, what: string): string => `must be less than or equal to ${count} (the number of ${what})`;
  nonnegative(succeededCount, at, out);
  if (succeededCount > completions) out.push(invalid(at, succeededCount, atMost(completions, 'specified completions')));
  if (succeededIndexes !== undefined && succeededCount > total)
    out.push(invalid(at, succeededCount, atMost(total, 'indexes in the specified succeededIndexes field')));
}

export type Interval = readonly [from: number, to: number];

/** `1,3-5` as intervals, or what is wrong with it. */
export function parseIndexes(text: string, completions: number): readonly Interval[] | string {
  const intervals: Interval[] = [];
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = parseInterval(part, completions);
    if (typeof interval === 'string') return interval;
    const last = intervals.at(-1)?.[1];
    if (last !== undefined && last >= interval[0]) return `non-increasing order, previous: ${last}, current: ${interval[0]}`;
    intervals.push(interval);
  }
  return intervals;
}

export function parseInterval(text: string, completions: number): Interval | string {
  const limits = text.split('-');
  if (limits.length > 2)
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^[+-]?[0-9]{1,18}$/.test(limit)) return `cannot convert string to integer for index: ${goQuote(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${goQuote(limit)}`;
    numbers.push(Number(limit));
  }
  const [from = 0, to] = numbers;
  if (to !== undefined && from >= to) return `non-increasing order, previous: ${from}, current: ${to}`;
  return [from, to ?? from];
}
