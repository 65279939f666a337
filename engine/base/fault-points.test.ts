import { expect, test } from 'vitest';
import { apiErrors, clockOffsetMs, FaultPoints, linkLoss, matches, nodeDark, registryDown, registrySlowness, toMatch } from './fault-points.ts';

const dark = (node: string) => ({ point: nodeDark.name, subject: node, value: true });

test('two faults on one point stack, and each heals by itself', () => {
  const points = new FaultPoints();
  const told: string[] = [];
  points.onChange([nodeDark], (subject, causes) => told.push(`${subject} ${points.value(nodeDark, subject)} ${causes.join()}`));
  points.inject('a', [dark('n1'), dark('n2')], ['rev:1']);
  points.inject('b', [dark('n1')], ['rev:2']);
  expect([points.value(nodeDark, 'n1'), points.value(nodeDark, 'n2'), points.value(nodeDark, 'n3')]).toEqual([true, true, false]);
  points.heal('a', ['timer:faults/requeue']);
  expect([points.value(nodeDark, 'n1'), points.value(nodeDark, 'n2')]).toEqual([true, false]);
  points.heal('b', ['rev:9']);
  expect(points.calm).toBe(true);
  expect(told).toEqual([
    'n1 true rev:1',
    'n2 true rev:1',
    'n1 true rev:2',
    'n1 true rev:1,timer:faults/requeue',
    'n2 false rev:1,timer:faults/requeue',
    'n1 false rev:2,rev:9',
  ]);
});

test('causes are those of the faults in force, and after healing those of the last', () => {
  const points = new FaultPoints();
  points.inject('a', [dark('n1')], ['rev:1']);
  points.inject('b', [dark('n1')], ['rev:2']);
  expect(points.causes(nodeDark, 'n1')).toEqual(['rev:1', 'rev:2']);
  points.heal('a', []);
  expect(points.causes(nodeDark, 'n1')).toEqual(['rev:2']);
  points.heal('b', ['rev:9']);
  expect(points.causes(nodeDark, 'n1')).toEqual(['rev:2', 'rev:9']);
  expect(points.causes(nodeDark, 'n2')).toEqual([]);
});

test('values combine as their points say: offsets add up, losses are independent, slowness is the worst, rules are all kept', () => {
  const points = new FaultPoints();
  const rule = { match: {}, code: 500, share: 1 };
  const effects = [
    { point: clockOffsetMs.name, subject: 'n', value: 60_000 },
    { point: linkLoss.name, subject: 'n', value: 0.5 },
    { point: registrySlowness.name, subject: '', value: 3 },
    { point: apiErrors.name, subject: '', value: rule },
  ];
  points.inject('a', effects, []);
  points.inject(
    'b',
    effects.map((effect) => (typeof effect.value === 'number' && effect.subject === '' ? { ...effect, value: 2 } : effect)),
    [],
  );
  expect(points.value(clockOffsetMs, 'n')).toBe(120_000);
  expect(points.value(linkLoss, 'n')).toBe(0.75);
  expect(points.value(registrySlowness, 'docker.io')).toBe(3);
  expect(points.value(apiErrors)).toEqual([rule, rule]);
});

test('an effect on all subjects is on each', () => {
  const points = new FaultPoints();
  points.inject('a', [{ point: registryDown.name, subject: '', value: true }], ['rev:1']);
  expect([points.value(registryDown, 'docker.io'), points.causes(registryDown, 'docker.io')]).toEqual([true, ['rev:1']]);
});

test('a restored set of points goes on as the saved one, and heals', () => {
  const points = new FaultPoints();
  points.inject('a', [dark('n1')], ['rev:1']);
  points.inject('b', [dark('n2')], ['rev:2']);
  points.heal('b', []);
  const restored = new FaultPoints();
  restored.slots.restore(JSON.parse(JSON.stringify(points.slots.save())), 'points');
  expect([restored.value(nodeDark, 'n1'), restored.value(nodeDark, 'n2'), restored.causes(nodeDark, 'n2')]).toEqual([true, false, ['rev:2']]);
  restored.heal('a', []);
  expect(restored.calm).toBe(true);
});

test.each([
  [toMatch([], [], ''), true],
  [toMatch(['get', 'list'], ['pods'], 'system:node:'), true],
  [toMatch(['create'], [], ''), false],
  [toMatch([], ['nodes'], ''), false],
  [toMatch([], [], 'system:kube-'), false],
])('a rule is about a request: %j', (match, wanted) => {
  expect(matches(match, { verb: 'get', resource: 'pods', user: 'system:node:n1' })).toBe(wanted);
});
