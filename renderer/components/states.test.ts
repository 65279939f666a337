import { describe, expect, it } from 'vitest';
import { shapes } from './shapes.ts';
import { lookOf, shapeOf, stateInTable } from './states.ts';

describe('states', () => {
  it('that are not well differ in shape by why', () => {
    const states = ['NotReady', 'CrashLoopBackOff', 'Pulling', 'ImagePullBackOff', 'PersistentVolumeClaimUnbound', 'Terminating', 'Unschedulable'];
    const drawn = states.map((state) => JSON.stringify(shapes[shapeOf(state) ?? 'Ready']));
    expect(new Set(drawn).size).toBe(states.length);
  });

  it.each([
    ['ErrImagePull', 'PullFailed'],
    ['RunContainerError', 'CrashLoop'],
    ['FailedMountVolume', 'Volume'],
    ['OOMKilled', 'Error'],
    ['SchedulingGated', 'Gated'],
    ['Running', undefined],
    ['Completed', undefined],
    ['Troubled', undefined],
  ])('%s has the shape %s', (state, shape) => expect(shapeOf(state)).toBe(shape));

  it('kubectl’s words are no trouble by themselves', () => {
    expect(lookOf('Completed')).toBe('Succeeded');
    expect(lookOf('ContainerCreating')).toBe('Pending');
    expect(lookOf('BackOff of some kind')).toBe('Broken');
  });

  it('of a pod whose node does not answer nobody knows how it is', () => {
    expect([lookOf('NodeNotReady'), shapeOf('NodeNotReady')]).toEqual(['Unknown', 'Lost']);
  });

  it.each([
    ['Running', '1/1', 'Running'],
    ['Running', '0/1', 'NotReady'],
    ['Init:0/2', '0/1', 'PodInitializing'],
    ['Init:CrashLoopBackOff', '0/1', 'CrashLoopBackOff'],
    ['Ready,SchedulingDisabled', '', 'Ready'],
    ['Completed', '0/1', 'Completed'],
    ['Terminating', '0/1', 'Terminating'],
  ])('a row of a table that says %s %s is %s', (status, ready, state) => expect(stateInTable(status, ready)).toBe(state));
});
