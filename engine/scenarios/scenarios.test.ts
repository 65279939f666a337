import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ScenarioExpectation, ScenarioSpec } from '../api/sim/v1alpha1/scenario.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { checkExpectation } from './check.ts';
import { decideExpectations, newExpectations } from './expectations.ts';
import { parseScenario } from './load.ts';
import { ScenarioMachine } from './machine.ts';
import type { RunState } from './run-state.ts';

const shipped = ['nodes/node-power-loss', 'jobs/cronjob-day'];
const head = 'apiVersion: sim.wavetank.dev/v1alpha1\nkind: Scenario\nmetadata: {name: x}\n';
const pod = { apiVersion: 'v1', kind: 'Pod' };

describe('scenario files', () => {
  test.each(shipped)('%s is readable', (name) => {
    const scenario = parseScenario(readFileSync(new URL(`../../scenarios/${name}/scenario.yaml`, import.meta.url), 'utf8'));
    expect(scenario.metadata.name).toBe(name.split('/')[1]);
  });

  test.each([
    ['{', 'YAML'],
    ['kind: Pod', 'must have apiVersion: sim.wavetank.dev/v1alpha1 and kind: Scenario'],
    [`${head}spec: {title: t}`, 'spec.steps must be a list with at least one step'],
    [`${head}spec: {title: t, steps: [{name: a, wait: soon}]}`, 'spec.steps[0].wait "soon" is not a duration such as 90s or 10m'],
    [
      `${head}spec: {title: t, steps: [{name: a, wait: 1s, delete: []}]}`,
      'spec.steps[0] must do exactly one of apply, delete, patch, wait, waitFor, not delete and wait',
    ],
    [`${head}spec: {title: t, steps: [{name: a, wait: 1s}, {name: a, wait: 1s}]}`, 'spec.steps[1].name "a" is the name of another step'],
    [`${head}spec: {title: t, stops: [], steps: [{name: a, wait: 1s}]}`, 'spec.stops is not a field'],
    [
      `${head}spec: {title: t, steps: [{name: a, wait: 1s}], expectations: [{object: {apiVersion: v1, kind: Pod}, since: b}]}`,
      'spec.expectations[0].since there is no step "b"',
    ],
    [`${head}spec: {title: t, steps: [{name: a, apply: "kind: [\\n---\\n"}]}`, 'spec.steps[0].apply: '],
  ])('a broken file gets one line: %j', (text, message) => {
    expect(() => parseScenario(text)).toThrow(message);
    expect(() => parseScenario(text)).toThrow(/^[^\n]*$/);
  });

  test('apply may be text of several documents', () => {
    const scenario = parseScenario(
      `${head}spec:\n  title: t\n  steps:\n    - name: a\n      apply: |\n        apiVersion: v1\n        kind: Pod\n        metadata: {name: a}\n        ---\n        apiVersion: v1\n        kind: Pod\n        metadata: {name: b}\n`,
    );
    expect(scenario.spec.steps[0]?.apply?.map((object) => object.metadata.name)).toEqual(['a', 'b']);
  });
});

describe('conditions', () => {
  const object = {
    ...pod,
    metadata: { name: 'a', namespace: 'default', labels: { app: 'x' }, annotations: { 'example.org/x': 'y' } },
    status: {
      phase: 'Running',
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Other', status: 'False' },
      ],
      restarts: [0, 3],
    },
  } as unknown as KubeObject;

  test.each([
    [{ path: 'status.phase', equals: 'Running' }, true],
    [{ path: 'status.conditions[type=Ready].status', equals: 'True' }, true],
    [{ path: 'status.conditions[type=Other].status', equals: 'True' }, false],
    [{ path: 'status.conditions[*].status', equals: 'False' }, true],
    [{ path: "metadata.annotations['example.org/x']", exists: true }, true],
    [{ path: 'metadata.deletionTimestamp', exists: false }, true],
    [{ path: 'status.restarts[*]', atLeast: 3 }, true],
    [{ path: 'status.restarts[0]', atLeast: 1 }, false],
    [{ path: 'status.restarts[1]', atMost: 3 }, true],
  ])('%j is %s', (condition, holds) => {
    expect(checkExpectation({ object: pod, where: [condition] }, [object]).holds).toBe(holds);
  });

  test('counts and selectors', () => {
    const check = (expectation: Partial<ScenarioExpectation>): boolean => checkExpectation({ object: pod, ...expectation }, [object]).holds;
    expect(check({ count: { equals: 1 } })).toBe(true);
    expect(check({ object: { ...pod, labelSelector: 'app=y' } })).toBe(false);
    expect(check({ object: { ...pod, labelSelector: 'app=y' }, count: { equals: 0 } })).toBe(true);
    expect(check({ object: { ...pod, name: 'a', namespace: 'default' }, count: { atLeast: 1, atMost: 1 } })).toBe(true);
  });
});

describe('windows of expectations', () => {
  const result = (nowMs: number, holds: boolean, isOver = false): string => {
    const expectation: ScenarioExpectation = { object: pod, after: '10s', before: '20s' };
    const spec = { title: 't', steps: [], expectations: [expectation] } as ScenarioSpec;
    const run = { spec, startedMs: 0, steps: [], expectations: newExpectations(spec.expectations) } as unknown as RunState;
    decideExpectations(run, nowMs, isOver, () => (holds ? [{ ...pod, metadata: {} }] : []));
    return run.expectations[0]?.result ?? '';
  };

  test.each([
    [5_000, false, 'Pending'],
    [5_000, true, 'Missed'],
    [10_000, true, 'Met'],
    [20_000, true, 'Met'],
    [20_000, false, 'Missed'],
    [21_000, true, 'Missed'],
  ])('at %i ms, true: %s → %s', (nowMs, holds, expected) => {
    expect(result(nowMs, holds)).toBe(expected);
  });
});

test('a machine asks for effects as data and can be saved between any two events', () => {
  const spec: ScenarioSpec = {
    title: 't',
    steps: [
      { name: 'do', delete: [] },
      { name: 'rest', wait: '5s' },
      { name: 'see', waitFor: { object: pod, timeout: '1m' } },
    ],
  };
  const rest = 'xstate.after.wait of rest.scenario.rest';
  const see = 'xstate.after.timeout of see.scenario.see';
  const events = [{ type: 'ACTED' }, { type: rest }, { type: 'OBSERVED', held: false }, { type: see }] as const;
  let { state, effects } = new ScenarioMachine(spec).start();
  const path = [`${state.value}: ${effects.map((effect) => effect.type).join(' ')}`];
  for (const event of events) {
    ({ state, effects } = new ScenarioMachine(spec).next(JSON.parse(JSON.stringify(state)), event));
    path.push(`${state.value}: ${effects.map((effect) => effect.type).join(' ')}`);
  }
  expect(path).toEqual(['do: begin act', 'rest: end begin delay', 'see: end cancel begin watch delay', 'see: ', 'failed: end cancel finish']);
  expect(state.context).toEqual({ message: 'step see: what it waits for did not come true within 1m' });
});
