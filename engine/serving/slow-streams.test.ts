/** Clients that open watches and do not read them: what waits for all of them together has a limit, and those who read lose nothing. */
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { RawRequest, RawResponse } from './answers.ts';
import { Departures } from './departures.ts';
import { OpenStreams } from './open-streams.ts';
import { Slices } from './slices.ts';

const chunk = new Uint8Array(256 * 1024);
const limits = { eachBytes: 8 * 1024 * 1024, allBytes: 16 * 1024 * 1024, shareBytes: 1024 * 1024 };
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Serves endless streams, one chunk a turn, as long as anybody is there, up to `chunksMax` each. */
async function serve(chunksMax: number): Promise<{ readonly port: number; readonly waiting: () => number; readonly closed: () => number }> {
  const onDefect = (error: Error): never => {
    throw error;
  };
  const streams = new OpenStreams({ departures: new Departures(onDefect), slices: new Slices(), onDefect, limits });
  const open = new Set<RawResponse>();
  let closed = 0;
  server = createServer((request, response) => {
    open.add(response);
    streams.open(request as RawRequest, response as RawResponse, {
      status: 200,
      headers: {},
      open: (sink) => {
        let left = chunksMax;
        const timer = setInterval(() => {
          if (left-- > 0) sink.write(chunk);
          else sink.end();
        }, 1);
        return () => {
          clearInterval(timer);
          open.delete(response);
          closed++;
        };
      },
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, waiting: () => [...open].reduce((sum, response) => sum + response.writableLength, 0), closed: () => closed };
}

function opened(port: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent: false }, (response) => {
      response.on('error', () => undefined);
      resolve(response);
    }).on('error', reject);
  });
}

test('slow readers are ended before what waits for them is too much, readers get all', async () => {
  const chunks = 160;
  const { port, waiting, closed } = await serve(chunks);
  const slow = await Promise.all(Array.from({ length: 6 }, () => opened(port)));
  for (const one of slow) one.pause();
  // One takes a byte now and then.
  const crawler = slow[0] as IncomingMessage;
  const reader = await opened(port);
  let bytes = 0;
  let most = 0;
  reader.on('data', (data: Uint8Array) => {
    bytes += data.length;
    crawler.read(1);
    most = Math.max(most, waiting());
  });
  await new Promise<void>((resolve) => reader.on('end', () => resolve()));
  expect(bytes).toBe(chunks * chunk.length);
  expect(most).toBeLessThanOrEqual(limits.allBytes + 7 * chunk.length);
  expect(closed()).toBeGreaterThanOrEqual(6);
});

test('one slow reader is ended at its own limit, though there is room for all together', async () => {
  const { port, waiting, closed } = await serve(160);
  const slow = await opened(port);
  slow.pause();
  let most = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      most = Math.max(most, waiting());
      if (closed() === 0) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  expect(most).toBeLessThanOrEqual(limits.eachBytes + 2 * chunk.length);
});
