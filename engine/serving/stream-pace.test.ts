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
  readonly written: string[] = [];
  readonly stream = { writableLength: 0 };
  readonly destroyed = false;
  writableEnded = false;
  writeHead(): void {}
  flushHeaders(): void {}
  write(bytes: Uint8Array): boolean {
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

afterEach(() => void vi.useRealTimers());

function open(): { readonly sink: StreamSink; readonly written: readonly string[] } {
  const response = new FakeResponse();
  const sinks: StreamSink[] = [];
  streams.open(new EventEmitter() as RawRequest, response as unknown as RawResponse, {
    status: 200,
    headers: {},
    open: (sink) => (sinks.push(sink), () => undefined),
  });
  return { sink: sinks[0] as StreamSink, written: response.written };
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
