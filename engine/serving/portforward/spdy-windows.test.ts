import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { Backlog } from '../backlog.ts';
import { SpdyConnection } from './spdy-connection.ts';
import { encodeWindowUpdate } from './spdy-frames.ts';
import type { SpdyStream } from './spdy-stream.ts';

interface Side {
  readonly connection: SpdyConnection;
  /** Hands on what has been written. */
  carry(): void;
  readonly carried: () => number;
}

/** SETTINGS that give each stream so many bytes. */
function settings(window: number): Buffer {
  const frame = Buffer.from('8003000400000014000000010000000700000000000000000000', 'hex').subarray(0, 20);
  frame.writeUIntBE(12, 5, 3);
  frame.writeUInt32BE(window, 16);
  return frame;
}

function joined(backlog?: Backlog): { readonly server: Side; readonly client: Side; readonly streams: SpdyStream[] } {
  const streams: SpdyStream[] = [];
  const side = (role: 'server' | 'client', other: () => SpdyConnection): Side => {
    let wire: { readonly bytes: Buffer; readonly left: (() => void) | undefined }[] = [];
    let carried = 0;
    const connection: SpdyConnection = new SpdyConnection({
      role,
      transport: { write: (bytes, left) => void wire.push({ bytes, left }), close: () => undefined },
      accepts: () => true,
      onStream: (stream) => streams.push(stream),
      ...(role === 'server' && backlog !== undefined && { backlog }),
    });
    const carry = (): void => {
      const going = wire;
      wire = [];
      for (const { bytes, left } of going) {
        carried += bytes.length;
        other().receive(bytes);
        left?.();
      }
    };
    return { connection, carry, carried: () => carried };
  };
  const server: Side = side('server', () => client.connection);
  const client: Side = side('client', () => server.connection);
  return { server, client, streams };
}

function settle(...sides: readonly Side[]): void {
  for (let before = -1, now = 0; now !== before; ) {
    before = now;
    for (const one of sides) one.carry();
    now = sides.reduce((sum, one) => sum + one.carried(), 0);
  }
}

function count(stream: SpdyStream): { bytes: number; how: string } {
  const seen = { bytes: 0, how: '' };
  stream.handle({ onData: ({ length }) => (seen.bytes += length), onEnd: () => (seen.how = 'end'), onReset: () => (seen.how = 'reset') });
  return seen;
}

const piece = Buffer.alloc(1024 * 1024);
const manyBytes = 50 * piece.length;

describe('flow control', () => {
  it('holds what a client that stalls does not take, and gives all of it when it reads; both ways at once', () => {
    const { server, client, streams } = joined();
    client.connection.open({});
    server.connection.receive(settings(64 * 1024));
    const own = client.connection.open({});
    settle(client, server);
    const [, stream] = streams as [SpdyStream, SpdyStream];
    const came = count(stream);
    for (let i = 0; i < 50; i++) {
      stream.write(piece);
      own.write(piece);
    }
    stream.end();
    own.end();
    settle(client, server);
    // The client has no reader yet: one window has left, and what it sends is not held up by it.
    expect(server.connection.queuedBytes).toBe(manyBytes - 64 * 1024);
    expect(came).toEqual({ bytes: manyBytes, how: 'end' });
    const read = count(own);
    settle(client, server);
    expect([server.connection.queuedBytes, read]).toEqual([0, { bytes: manyBytes, how: 'end' }]);
  });

  it('is asked of nobody who has not spoken of it: kubectl never widens a window', () => {
    const { server, client, streams } = joined();
    client.connection.open({});
    settle(client, server);
    for (let i = 0; i < 50; i++) streams[0]?.write(piece);
    expect(server.connection.queuedBytes).toBe(0);
  });

  it('tells a client how much was taken, so that one that heeds windows can send as much as it likes', () => {
    const { server, client, streams } = joined();
    client.connection.receive(settings(64 * 1024));
    const own = client.connection.open({});
    settle(client, server);
    for (let i = 0; i < 50; i++) own.write(piece);
    settle(client, server);
    expect(client.connection.queuedBytes).toBe(manyBytes - 64 * 1024);
    const came = count(streams[0] as SpdyStream);
    settle(client, server);
    expect([client.connection.queuedBytes, came.bytes]).toEqual([0, manyBytes]);
  });

  it('ends a stream whose window grows beyond all bounds, and one that is written to without end before anybody reads it', () => {
    const { server, client, streams } = joined();
    const [wide, early] = [count(client.connection.open({})), client.connection.open({})];
    settle(client, server);
    server.connection.receive(encodeWindowUpdate(1, 0x7fffffff));
    server.connection.receive(encodeWindowUpdate(1, 0x7fffffff));
    const ended = count(early);
    for (let i = 0; i < 4; i++) early.write(piece);
    settle(client, server);
    expect([wide.how, ended.how, streams.length, server.connection.streamCount]).toEqual(['reset', 'reset', 2, 0]);
  });

  it('counts what waits until it has left, and nothing of a stream that is gone', () => {
    const held: boolean[] = [];
    const backlog = new Backlog({ onHeld: (isHeld) => held.push(isHeld), onTooLong: () => expect.unreachable() });
    const { server, client, streams } = joined(backlog);
    server.connection.receive(settings(64 * 1024));
    const own = client.connection.open({});
    client.connection.open({});
    settle(client, server);
    for (const stream of streams) stream.write(piece);
    settle(client, server);
    expect([held, backlog.bytes]).toEqual([[true], 2 * (piece.length - 64 * 1024)]);
    streams[1]?.reset();
    expect(backlog.bytes).toBe(piece.length - 64 * 1024);
    count(own);
    settle(client, server);
    expect([held, backlog.bytes]).toEqual([[true, false], 0]);
  });
});
