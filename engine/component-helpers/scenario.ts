/** What is wrong with a scenario, for the API server and for files: one line per mistake, each with its path. */
import type { ObjectSelector, ScenarioExpectation, ScenarioSpec, ScenarioStep } from '../api/sim/v1alpha1/scenario.ts';
import { parseDuration } from '../apimachinery/time.ts';
import { parsePath } from './object-path.ts';

export interface ScenarioMistake {
  /** Below `spec`, e.g. `steps[2].waitFor.timeout`. */
  readonly path: string;
  readonly text: string;
}

const stepActs = ['apply', 'delete', 'patch', 'wait', 'waitFor'] as const;
export type StepAct = (typeof stepActs)[number];

type Report = (path: string, text: string) => void;

const names = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const specFields = ['title', 'description', 'seed', 'cluster', 'steps', 'expectations'];
const stepFields: readonly string[] = ['name', 'description', 'hint', ...stepActs];
const expectationFields = ['name', 'object', 'where', 'count', 'since', 'after', 'before'];
const selectorFields = ['apiVersion', 'kind', 'namespace', 'name', 'labelSelector'];

export function scenarioMistakes(spec: unknown): readonly ScenarioMistake[] {
  const mistakes: ScenarioMistake[] = [];
  const report: Report = (path, text) => void mistakes.push({ path, text });
  if (!isMap(spec)) return [{ path: '', text: 'must be a map' }];
  checkFields(spec, '', specFields, report);
  const { title, steps, expectations = [] } = spec as unknown as Partial<ScenarioSpec>;
  if (typeof title !== 'string' || title === '') report('title', 'is required');
  if (!Array.isArray(steps) || steps.length === 0) {
    report('steps', 'must be a list with at least one step');
    return mistakes;
  }
  const seen = new Set<string>();
  steps.forEach((step: unknown, index) => checkStep(step, `steps[${index}]`, seen, report));
  if (!Array.isArray(expectations)) report('expectations', 'must be a list');
  else expectations.forEach((one: unknown, index) => checkExpectation(one, `expectations[${index}]`, seen, expectationFields, report));
  return mistakes;
}

/** What a step does; a checked step does exactly one thing. */
export function actOf(step: ScenarioStep): StepAct | undefined {
  return stepActs.find((act) => step[act] !== undefined);
}

function checkStep(step: unknown, path: string, seen: Set<string>, report: Report): void {
  if (!isMap(step)) {
    report(path, 'must be a map');
    return;
  }
  checkFields(step, path, stepFields, report);
  const { name } = step as unknown as ScenarioStep;
  if (typeof name !== 'string' || !names.test(name)) report(`${path}.name`, 'must consist of lower case letters, digits and "-"');
  else if (seen.has(name)) report(`${path}.name`, `"${name}" is the name of another step`);
  else seen.add(name);
  const acts = stepActs.filter((act) => step[act] !== undefined);
  if (acts.length !== 1) report(path, `must do exactly one of ${stepActs.join(', ')}${acts.length === 0 ? '' : `, not ${acts.join(' and ')}`}`);
  else checkAct(step as unknown as ScenarioStep, acts[0] as StepAct, path, seen, report);
}

function checkAct(step: ScenarioStep, act: StepAct, path: string, seen: Set<string>, report: Report): void {
  switch (act) {
    case 'apply':
      return checkList(step.apply, `${path}.apply`, report, (object, at) => {
        const { apiVersion, kind, metadata } = object as { apiVersion?: unknown; kind?: unknown; metadata?: { name?: unknown } };
        if (typeof apiVersion !== 'string' || typeof kind !== 'string') report(at, 'needs apiVersion and kind');
        else if (typeof metadata?.name !== 'string') report(`${at}.metadata.name`, 'is required');
      });
    case 'delete':
      return checkList(step.delete, `${path}.delete`, report, (selector, at) => checkTarget(selector as unknown as ObjectSelector, at, report));
    case 'patch': {
      const { target, merge } = (step.patch ?? {}) as { target?: ObjectSelector; merge?: unknown };
      checkTarget(target, `${path}.patch.target`, report);
      if (!isMap(merge)) report(`${path}.patch.merge`, 'must be a map');
      return undefined;
    }
    case 'wait':
      return checkDuration(step.wait, `${path}.wait`, report);
    case 'waitFor':
      checkExpectation(step.waitFor, `${path}.waitFor`, seen, ['name', 'object', 'where', 'count', 'timeout'], report);
      return checkDuration(step.waitFor?.timeout ?? '1s', `${path}.waitFor.timeout`, report);
  }
}

function checkExpectation(expectation: unknown, path: string, steps: ReadonlySet<string>, fields: readonly string[], report: Report): void {
  if (!isMap(expectation)) {
    report(path, 'must be a map');
    return;
  }
  checkFields(expectation, path, fields, report);
  const { object, where = [], since, after, before } = expectation as unknown as ScenarioExpectation;
  checkSelector(object, `${path}.object`, report);
  if (since !== undefined && !steps.has(since)) report(`${path}.since`, `there is no step "${since}"`);
  if (after !== undefined) checkDuration(after, `${path}.after`, report);
  if (before !== undefined) checkDuration(before, `${path}.before`, report);
  if ((parseDuration(after ?? '0') ?? 0) > (parseDuration(before ?? '') ?? Number.POSITIVE_INFINITY))
    report(path, `after (${after}) is later than before (${before})`);
  checkList(where, `${path}.where`, report, (condition, at) => {
    checkFields(condition, at, ['path', 'equals', 'exists', 'atLeast', 'atMost'], report);
    const problem = parsePath(String(condition['path'] ?? '')).problem;
    if (problem !== undefined) report(`${at}.path`, problem);
    if (Object.keys(condition).length < 2) report(at, 'needs one of equals, exists, atLeast, atMost');
  });
}

function checkTarget(selector: ObjectSelector | undefined, path: string, report: Report): void {
  checkSelector(selector, path, report);
  if (isMap(selector) && selector['name'] === undefined && selector['labelSelector'] === undefined) report(path, 'needs name or labelSelector');
}

function checkSelector(selector: unknown, path: string, report: Report): void {
  if (!isMap(selector)) {
    report(path, 'must be a map with apiVersion and kind');
    return;
  }
  checkFields(selector, path, selectorFields, report);
  if (typeof selector['apiVersion'] !== 'string' || typeof selector['kind'] !== 'string') report(path, 'needs apiVersion and kind');
}

function checkList(list: unknown, path: string, report: Report, check: (item: { readonly [key: string]: unknown }, path: string) => void): void {
  if (!Array.isArray(list)) {
    report(path, 'must be a list');
    return;
  }
  list.forEach((item: unknown, index) => {
    if (isMap(item)) check(item, `${path}[${index}]`);
    else report(`${path}[${index}]`, 'must be a map');
  });
}

function checkDuration(text: unknown, path: string, report: Report): void {
  const ms = typeof text === 'string' ? parseDuration(text) : undefined;
  if (ms === undefined || ms < 0) report(path, `${JSON.stringify(text) ?? 'nothing'} is not a duration such as 90s or 10m`);
}

function checkFields(map: { readonly [key: string]: unknown }, path: string, known: readonly string[], report: Report): void {
  for (const field of Object.keys(map))
    if (!known.includes(field)) report(path === '' ? field : `${path}.${field}`, `is not a field; there are ${known.join(', ')}`);
}

function isMap(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
