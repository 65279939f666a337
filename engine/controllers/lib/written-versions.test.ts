import { describe, expect, it } from 'vitest';
import { Slots } from '../../base/slots.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { pods, statefulSets } from '../../client/resources.ts';
import { WrittenVersions } from './written-versions.ts';

function at(resourceVersion: string): KubeObject {
  return { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p', resourceVersion } };
}

function make(): { readonly written: WrittenVersions; readonly slots: Slots; readonly clock: { nowMs: number } } {
  const clock = { nowMs: 0 };
  const slots = new Slots();
  return { written: new WrittenVersions(() => clock.nowMs, slots), slots, clock };
}

describe('versions that were written', () => {
  it('hold their owner up until the cache has them, and nobody else', () => {
    const { written } = make();
    written.wrote('default/a', pods, at('7'));
    written.saw(pods, at('6'));
    written.saw(statefulSets, at('9'));
    expect(written.missing('default/a')).toBe('read version: 6 is not as new as written version: 7 for group resource pods');
    expect(written.missing('default/b')).toBeUndefined();
    written.saw(pods, at('8'));
    expect(written.missing('default/a')).toBeUndefined();
  });

  it('are given up after five minutes, and forgotten with their owner', () => {
    const { written, clock } = make();
    written.wrote('default/a', pods, at('7'));
    written.wrote('default/b', pods, at('7'));
    written.forget('default/b');
    expect(written.missing('default/b')).toBeUndefined();
    clock.nowMs = 300_000;
    expect(written.missing('default/a')).toBe('read version: 0 is not as new as written version: 7 for group resource pods');
    clock.nowMs = 300_001;
    expect(written.missing('default/a')).toBeUndefined();
  });

  it('are remembered', () => {
    const { written, slots } = make();
    written.wrote('default/a', pods, at('7'));
    const other = make();
    other.slots.restore(slots.save(), 'versions');
    expect(other.written.missing('default/a')).toBe(written.missing('default/a'));
  });

  it('are none where they are no numbers', () => {
    const { written } = make();
    written.wrote('default/a', pods, at('not a number'));
    expect(written.missing('default/a')).toBeUndefined();
  });
});
