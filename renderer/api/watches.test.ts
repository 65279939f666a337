import { afterEach, expect, it, vi } from 'vitest';
import type { FromWorker } from './watch-messages.ts';
import { openWatch } from './watches.ts';

class FakeWorker {
  static says: (data: FromWorker) => void;
  addEventListener(_type: string, listener: (event: { readonly data: FromWorker }) => void): void {
    FakeWorker.says = (data) => listener({ data });
  }
  postMessage(): void {
    // Nobody hears what is asked.
  }
}

afterEach(() => vi.unstubAllGlobals());

it('a watch is of the instant of what its listener was told, and not of what comes with the next frame', () => {
  const frames: (() => void)[] = [];
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  const told: number[] = [];
  const watch = openWatch('/runs', () => told.push(watch.asOfMs));
  const say = (keys: readonly string[], asOfMs: number): void =>
    FakeWorker.says({ type: 'changes', id: 1, changes: keys.map((key) => ({ key, row: {} })), reset: false, synced: true, asOfMs });
  say(['a'], 100);
  expect(told).toEqual([100]);
  // What came meanwhile was not told yet, and what is still so after it neither.
  say(['b'], 200);
  say([], 300);
  expect(watch.asOfMs).toBe(100);
  frames.splice(0).forEach((frame) => frame());
  expect([told, watch.asOfMs]).toEqual([[100, 300], 300]);
  say([], 400);
  expect([told, watch.asOfMs]).toEqual([[100, 300], 400]);
});
