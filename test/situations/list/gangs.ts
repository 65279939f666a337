/** Situations that the scheduler plays, too: groups of pods come, find places, make room. Nodes bear the label `of` with the situation's namespace. */
import { node, pod } from '../objects.ts';
import { type Situation, type SituationOptions, situation, situationsOf, type Step } from '../situation.ts';
import { create, type Draft, look, nodeLives, rest, untilEvent } from '../steps.ts';

const here = { nodeSelector: { of: '<ns>' } };
const version = 'scheduling.k8s.io/v1alpha2';
const priority = (value: number): Draft => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: `<ns>-${value}` },
  value,
});

function lives(name: string, cpu: string, labels: object = {}): readonly Step[] {
  return [create(node(`<ns>-${name}`, { meta: { labels: { of: '<ns>', ...labels } }, allocatable: { cpu } })), nodeLives(`<ns>-${name}`), rest()];
}

/** A pod that asks for CPUs; of a group, where one is named. */
function member(name: string, cpu: string, group?: string, spec: object = {}): Draft {
  const containers = [{ name: 'c', image: 'example.com/c:1', resources: { requests: { cpu } } }];
  const of = group === undefined ? {} : { schedulingGroup: { podGroupName: group } };
  return pod(name, { schedulerName: 'default-scheduler', containers, ...here, ...of, ...spec });
}

/** Which of them comes first is nobody's promise, so their names are drawn. */
const members = (prefix: string, count: number, cpu: string, group?: string, spec: object = {}): readonly Draft[] =>
  Array.from({ length: count }, () => ({ ...member(prefix, cpu, group, spec), metadata: { generateName: `${prefix}-` } }));

function group(name: string, minCount: number, spec: object = {}): Draft {
  const policy = minCount === 0 ? { basic: {} } : { gang: { minCount } };
  return { apiVersion: version, kind: 'PodGroup', metadata: { name }, spec: { schedulingPolicy: policy, ...spec } };
}

const inRack = { schedulingConstraints: { topology: [{ key: 'rack' }] } };
const rack = (name: string): object => ({ rack: name });
const low = { priorityClassName: '<ns>-10' };
const high = { priorityClassName: '<ns>-1000' };
const never: Draft = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: '<ns>-never' },
  value: 1000,
  preemptionPolicy: 'Never',
};
const priorities = create(priority(10), priority(1000), never);
const scheduled = untilEvent('Scheduled');
const failed = untilEvent('FailedScheduling');

const deviceClass: Draft = { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: '<ns>-gpu' }, spec: {} };
const gpus = { devices: { requests: [{ name: 'one', exactly: { deviceClassName: '<ns>-gpu' } }] } };
const template: Draft = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name: 'gpus' },
  spec: { spec: gpus },
};
const claim: Draft = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'mine' }, spec: gpus };
const shared = { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpus' }] };
const mine = { resourceClaims: [{ name: 'gpu', resourceClaimName: 'mine' }] };
const devices = (nodeName: string): Draft => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: `<ns>-${nodeName}` },
  spec: {
    driver: 'gpu.example.com',
    nodeName: `<ns>-${nodeName}`,
    pool: { name: `<ns>-${nodeName}`, generation: 1, resourceSliceCount: 1 },
    devices: [{ name: 'a' }],
  },
});

/** What is told again and again is told any number of times. */
const options: SituationOptions = { alone: true, uncounted: ['FailedScheduling', 'Scheduled', 'FailedResourceClaimCreation'] };

function placed(name: string, steps: readonly Step[]): Situation {
  return situation(name, [...steps, rest()], options);
}

export const gangSituations = situationsOf('gangs', [
  placed('a gang comes', [...lives('a', '4'), create(group('gang', 2), ...members('m', 2, '1', 'gang')), scheduled]),
  placed('a gang has no room', [...lives('a', '2'), create(group('gang', 2), ...members('m', 2, '2', 'gang')), failed]),
  placed('three of a group share a device', [
    ...lives('a', '4'),
    create(deviceClass, devices('a'), template, group('gang', 0, shared), ...members('m', 3, '1', 'gang', shared)),
    scheduled,
  ]),
  placed('a gang shares a claim that somebody made', [
    ...lives('a', '4'),
    ...lives('b', '8'),
    create(deviceClass, devices('a'), claim, group('gang', 2, mine), ...members('m', 2, '1', 'gang', mine)),
    scheduled,
  ]),
  placed('a pod comes later and shares', [
    ...lives('a', '4'),
    create(deviceClass, devices('a'), template, group('gang', 0, shared), ...members('m', 1, '1', 'gang', shared)),
    scheduled,
    rest(),
    look('one'),
    create(...members('n', 1, '1', 'gang', shared)),
  ]),
  placed('a gang comes to one rack', [
    ...lives('a', '2', rack('one')),
    ...lives('b', '2', rack('two')),
    ...lives('c', '2', rack('two')),
    create(group('gang', 2, inRack), ...members('m', 2, '2', 'gang')),
    scheduled,
  ]),
  placed('no rack has room for a gang', [
    ...lives('a', '2', rack('one')),
    ...lives('b', '2', rack('two')),
    create(group('gang', 2, inRack), ...members('m', 2, '2', 'gang')),
    failed,
  ]),
  placed('there are no racks', [...lives('a', '8'), create(group('gang', 2, inRack), ...members('m', 2, '2', 'gang')), failed]),
  placed('the fuller rack is better', [
    ...lives('a', '16', rack('one')),
    ...lives('b', '4', rack('two')),
    create(group('gang', 2, inRack), ...members('m', 2, '1', 'gang')),
    scheduled,
  ]),
  placed('the rack that takes more of a group is better', [
    ...lives('a', '2', rack('one')),
    ...lives('b', '16', rack('two')),
    create(group('some', 0, inRack), ...members('m', 3, '1', 'some')),
    scheduled,
  ]),
  placed('those that come later go where the others are', [
    ...lives('a', '2', rack('one')),
    create(group('some', 0, inRack), ...members('m', 2, '1', 'some')),
    scheduled,
    rest(),
    ...lives('b', '16', rack('two')),
    create(...members('n', 1, '1', 'some')),
    failed,
  ]),
  placed('racks matter to those who ask for them', [
    ...lives('a', '2', rack('one')),
    ...lives('b', '2', rack('two')),
    create(group('gang', 2), ...members('m', 2, '2', 'gang')),
    scheduled,
  ]),
  placed('a gang makes room', [
    priorities,
    ...lives('a', '2'),
    ...lives('b', '2'),
    create(...members('x', 2, '2', undefined, low)),
    scheduled,
    rest(),
    look('before'),
    create(group('gang', 2, high), ...members('m', 2, '2', 'gang', high)),
    untilEvent('Preempted'),
  ]),
  placed('a gang makes room for one of its pods', [
    priorities,
    ...lives('a', '2'),
    ...lives('b', '2'),
    create(member('x', '2', undefined, { ...low, nodeName: '<ns>-a' })),
    rest(),
    create(group('gang', 2, high), ...members('m', 2, '2', 'gang', high)),
    untilEvent('Preempted'),
  ]),
  placed('a group goes as a whole', [
    priorities,
    ...lives('a', '3'),
    ...lives('b', '2'),
    create(group('lower', 0, { ...low, disruptionMode: 'PodGroup' }), ...members('x', 2, '2', 'lower', low)),
    scheduled,
    rest(),
    create(group('gang', 1, high), ...members('m', 1, '3', 'gang', high)),
    untilEvent('Preempted'),
  ]),
  placed('pods of a group go one by one', [
    priorities,
    ...lives('a', '2'),
    ...lives('b', '2'),
    create(group('lower', 0, low), ...members('x', 2, '2', 'lower', low)),
    scheduled,
    rest(),
    create(group('gang', 2, high), ...members('m', 2, '2', 'gang', high)),
    untilEvent('Preempted'),
  ]),
  placed('nobody is lower than a gang', [
    priorities,
    ...lives('a', '2'),
    create(member('x', '2', undefined, high)),
    scheduled,
    rest(),
    create(group('gang', 1, high), ...members('m', 1, '2', 'gang', high)),
    failed,
  ]),
  placed('a gang that never preempts', [
    priorities,
    ...lives('a', '2'),
    create(member('x', '2', undefined, low)),
    scheduled,
    rest(),
    create(group('gang', 1, high), ...members('m', 1, '2', 'gang', { priorityClassName: '<ns>-never' })),
    failed,
  ]),
  placed('a gang is too large for any room', [
    priorities,
    ...lives('a', '2'),
    create(member('x', '2', undefined, low)),
    scheduled,
    rest(),
    create(group('gang', 2, high), ...members('m', 2, '2', 'gang', high)),
    failed,
  ]),
  placed('a gang of a rack makes no room', [
    priorities,
    ...lives('a', '2', rack('one')),
    create(member('x', '2', undefined, low)),
    scheduled,
    rest(),
    create(group('gang', 1, { ...high, ...inRack }), ...members('m', 1, '2', 'gang', high)),
    failed,
  ]),
  placed('a pod preempts one of a group', [
    priorities,
    ...lives('a', '2'),
    create(group('lower', 0, { ...low, disruptionMode: 'PodGroup' }), ...members('x', 2, '1', 'lower', low)),
    scheduled,
    rest(),
    create(member('y', '1', undefined, high)),
    untilEvent('Preempted'),
  ]),
]);
