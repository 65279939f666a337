/** Clients who take a long answer slowly, or not at all. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Listener, listen } from './listener.ts';
import { Client } from './testing/client.ts';

let listener: Listener;

afterEach(async () => {
  vi.useRealTimers();
  await listener.close();
});

/** A server that answers with `body`. */
async function start(stallTimeoutMs: number, body: Iterable<string>): Promise<void> {
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    limits: { stallTimeoutMs },
    onDefect: (error) => {
      throw error;
    },
    handler: () => ({ status: 200, headers: {}, body }),
  });
}

/** So much of a long answer waits for a client that is slower than its server. */
const waitingBytes = 256 * 1024;

function* endless(onReturn: (megabytes: number) => void, megabytesMax = Number.POSITIVE_INFINITY): Iterable<string> {
  let megabytes = 0;
  try {
    while (megabytes < megabytesMax) {
      megabytes++;
      yield 'x'.repeat(1 << 20);
    }
  } finally {
    onReturn(megabytes);
  }
}

describe('a client', () => {
  it('who takes a long answer slowly but steadily gets all of it', async () => {
    // Whether the client took something is looked at when the test says so, however long it takes.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const begun = Promise.withResolvers<Socket>();
    const note = (message: unknown): void => begun.resolve((message as { readonly socket: Socket }).socket);
    subscribe('http.server.request.start', note);
    const stallTimeoutMs = 600;
    const megabytes = 64;
    let isMade = false;
    await start(
      stallTimeoutMs,
      endless(() => (isMade = true), megabytes),
    );
    const client = new Client(listener, 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    const served = await begun.promise;
    unsubscribe('http.server.request.start', note);
    const taken = (): number => served.bytesWritten - served.writableLength;
    let [bytes, before, looks] = [0, 0, 0];
    const goOn = (): void => {
      if (!isMade && served.writableLength < waitingBytes) {
        setImmediate(goOn);
        return;
      }
      // A little more has been taken, and as much waits as before.
      if (!isMade && taken() > before) {
        before = taken();
        looks += 1;
        vi.advanceTimersByTime(stallTimeoutMs / 2);
      }
      client.socket.resume();
    };
    client.socket.on('data', (data: Uint8Array) => {
      bytes += data.length;
      client.socket.pause();
      goOn();
    });
    await client.closed;
    expect(bytes).toBeGreaterThan(megabytes << 20);
    expect(looks).toBeGreaterThan(10);
  });

  it('who takes nothing of its answer is let go, and little of it was made', async () => {
    const letGo = Promise.withResolvers<number>();
    await start(
      100,
      endless((megabytes) => letGo.resolve(megabytes)),
    );
    const client = new Client(listener, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    client.socket.pause();
    // The system's own buffers on loopback take a few.
    expect(await letGo.promise).toBeLessThan(16);
    client.socket.destroy();
  });
});
