import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { TaskLoop } from '../base/task-loop.ts';
import { createStore } from '../store/memory-store.ts';
import type { Change, Store } from '../store/store.ts';
import { Retention } from './event-ttl.ts';

const minuteMs = 60_000;
const event = '/registry/events/default/a.1';
const pod = '/registry/pods/default/a';

function aRetention(
  wall: { ms: number; windowMs: number },
  weight = 0,
): {
  readonly loop: TaskLoop;
  readonly store: Store<KubeObject>;
  readonly retention: Retention;
} {
  const loop = new TaskLoop(0, { hop: () => Promise.resolve(), wallMs: () => 0 });
  const store = createStore<KubeObject>({ weigh: () => weight });
  const retention = new Retention({
    loop,
    store,
    eventTtlMs: 60 * minuteMs,
    compactionMs: 5 * minuteMs,
    wallMs: () => wall.ms,
    wallWindowMs: wall.windowMs,
  });
  retention.start();
  return { loop, store, retention };
}

function write(store: Store<KubeObject>, key: string, virtualMs: number): void {
  const value = { apiVersion: 'v1', kind: 'Any', metadata: { name: String(virtualMs) } };
  const meta = { virtualMs, identity: 'test', causes: [] };
  if (store.get(key) === undefined) store.create(key, value, meta);
  else store.update(key, undefined, value, meta);
}

describe('retention', () => {
  it('keeps an Event for an hour after its last write, however much has been compacted', async () => {
    const { loop, store, retention } = aRetention({ ms: 0, windowMs: 0 });
    write(store, event, 0);
    await loop.run(30 * minuteMs);
    write(store, event, loop.nowMs());
    await loop.run(89 * minuteMs);
    expect(store.get(event)).toBeDefined();
    retention.slots.restore(JSON.parse(JSON.stringify(retention.slots.save())), 'saved');
    await loop.run(91 * minuteMs);
    expect(store.get(event)).toBeUndefined();
  });

  it('moves the visible floor by virtual time alone, and for clients outside only after as much wall time', async () => {
    const wall = { ms: 0, windowMs: 5 * minuteMs };
    const { loop, store } = aRetention(wall);
    write(store, pod, 0);
    const first = store.currentRevision();
    await loop.run(minuteMs / 2);
    write(store, pod, loop.nowMs());
    await loop.run(60 * minuteMs);
    expect(() => store.get(pod, first)).toThrow('compacted');
    expect(store.leniently(() => store.get(pod, first))?.value.metadata.name).toBe('0');
    expect(store.get(pod, first, true)?.value.metadata.name).toBe('0');
    wall.ms = 6 * minuteMs;
    await loop.run(67 * minuteMs);
    expect(() => store.leniently(() => store.get(pod, first))).toThrow('compacted');
    expect(() => store.get(pod, first, true)).toThrow('compacted');
  });

  it('frees the oldest values when they take too many bytes, at the same place whatever the wall clock says', async () => {
    const floors = [0, 10 * minuteMs].map(async (wallMs) => {
      const { loop, store, retention } = aRetention({ ms: wallMs, windowMs: 5 * minuteMs }, 2_000_000);
      for (let i = 0; i < 200; i++) {
        write(store, pod, i);
        retention.onChanged(store.changeAt(store.currentRevision()) as Change<KubeObject>);
        if (i === 150) retention.slots.restore(JSON.parse(JSON.stringify(retention.slots.save())), 'saved');
      }
      expect(store.compactedRevision()).toBe(0);
      await loop.run(1);
      expect(() => store.get(pod, 2, true)).toThrow('compacted');
      return store.compactedRevision();
    });
    const [first, second] = await Promise.all(floors);
    expect(first).toBeGreaterThan(100);
    expect(second).toBe(first);
  });
});
