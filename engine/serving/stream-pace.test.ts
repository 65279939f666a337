/** When what is written to streams leaves: at once after a pause, together where one follows on the other. */
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RawRequest, RawResponse } from './answers.ts';
import { Departures } from './departures.ts';
import type { StreamSink } from './exchange.ts';
import { OpenStreams } from './open-streams.ts';
import { Slices } from './slices.ts';

/** What the stream needs of a response over HTTP/2; it keeps what is written. */
class FakeResponse extends EventEmitter {
  /** Called for each write. */
  onWrite: () => void = () => undefined;
  readonly written: string[] = [];
  readonly stream = { writableLength: 0 };
  destroyed = false;
  writableEnded = false;
  writeHead(): void {}
  flushHeaders(): void {}
  write(bytes: Uint8Array): boolean {
    this.onWrite();
    this.written.push(new TextDecoder().decode(bytes));
    return true;
  }
  end(): void {
    this.writableEnded = true;
  }
}

let streams: OpenStreams;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] });
  const onDefect = (error: Error): never => {
    throw error;
  };
  streams = new OpenStreams({ departures: new Departures(onDefect), slices: new Slices(), onDefect });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface Opened {
  readonly sink: StreamSink;
  readonly response: FakeResponse;
  readonly written: readonly string[];
}

function open(onWrite = (): void => undefined): Opened {
  const response = new FakeResponse();
  response.onWrite = onWrite;
  const sinks: StreamSink[] = [];
  streams.open(new EventEmitter() as RawRequest, response as unknown as RawResponse, {
    status: 200,
    headers: {},
    open: (sink) => (sinks.push(sink), () => undefined),
  });
  return { sink: sinks[0] as StreamSink, response, written: response.written };
}

it('after a pause at the end of the turn; what follows closely leaves together, and before long', () => {
  const { sink, written } = open();
  const other = open();
  sink.write('a');
  vi.advanceTimersByTime(0);
  expect(written).toEqual(['a']);
  sink.write('b');
  vi.advanceTimersByTime(1);
  sink.write('c');
  other.sink.write('C');
  vi.advanceTimersByTime(1);
  expect(written).toEqual(['a']);
  vi.advanceTimersByTime(2);
  expect([written, other.written]).toEqual([['a', 'bc'], ['C']]);
  vi.advanceTimersByTime(1000);
  sink.write('d');
  vi.advanceTimersByTime(0);
  expect(written).toEqual(['a', 'bc', 'd']);
});

it('at once when the stream ends', () => {
  const { sink, written } = open();
  sink.write('a');
  vi.advanceTimersByTime(0);
  sink.write('b');
  sink.end();
  expect(written).toEqual(['a', 'b']);
  vi.advanceTimersByTime(100);
  expect(written).toEqual(['a', 'b']);
});

it('the more streams are sent to, the longer what follows is gathered', () => {
  const all = Array.from({ length: 100 }, () => open());
  const written = (): string => [...new Set(all.map((one) => one.written.join(' ')))].join(' | ');
  for (const { sink } of all) sink.write('a');
  vi.advanceTimersByTime(0);
  expect(written()).toBe('a');
  for (let ms = 2; ms <= 28; ms += 2) {
    vi.advanceTimersByTime(2);
    for (const { sink } of all) sink.write('b');
    expect(written()).toBe('a');
  }
  vi.advanceTimersByTime(2);
  expect(written()).toBe(`a ${'b'.repeat(14)}`);
  const few = all.slice(0, 3);
  vi.advanceTimersByTime(1000);
  for (const text of ['d', 'e', 'f']) {
    for (const { sink } of few) sink.write(text);
    vi.advanceTimersByTime(text === 'd' ? 0 : 4);
  }
  expect(few[0]?.written.slice(2)).toEqual(['d', 'e', 'f']);
});

it('however many streams there are, what is the last for a while does not wait for more; what is gathered counts as coming', () => {
  const all = Array.from({ length: 100 }, () => open());
  const [first] = all as [Opened];
  for (const { sink } of all) sink.write('a');
  vi.advanceTimersByTime(0);
  const gathered = { pieces: ['b'], close: () => undefined };
  for (const { sink } of all) sink.gather?.(gathered);
  vi.advanceTimersByTime(3);
  gathered.pieces.push('c');
  vi.advanceTimersByTime(3);
  expect(first.written).toEqual(['a']);
  vi.advanceTimersByTime(2);
  expect(all.map(({ written }) => written.join(' '))).toEqual(all.map(() => 'a bc'));
});

it('a thousand streams let others in between, and each gets all of its own in order', () => {
  let laterMs = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
  const all = Array.from({ length: 1000 }, () => open(() => (laterMs += 0.05)));
  for (const { sink } of all) sink.write('a');
  const sent = (): number => all.filter(({ written }) => written.length > 0).length;
  vi.advanceTimersToNextTimer();
  expect(sent()).toBeGreaterThan(10);
  expect(sent()).toBeLessThan(200);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  for (const { sink } of all) sink.write('b');
  // In the middle of it some clients go, and some streams end.
  for (const { response } of all.slice(500, 600)) response.destroyed = true;
  for (const { sink } of all.slice(600, 700)) sink.end();
  vi.runAllTimers();
  const got = (from: number, to: number): string[] => [...new Set(all.slice(from, to).map(({ written }) => written.join('|')))];
  expect(got(500, 600)).toEqual(['']);
  expect(got(600, 700)).toEqual(['ab']);
  // Those who had not been sent the first yet are sent the same as the others, which is made once for all.
  expect([got(0, 500), got(700, 1000)]).toEqual([['a|b'], ['a|b']]);
  for (const [, ms] of timers.mock.calls) expect(ms).toBeGreaterThanOrEqual(0);
  expect(all.filter(({ response }) => response.writableEnded)).toHaveLength(100);
});
