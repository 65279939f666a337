import { Buffer } from 'node:buffer';
import { request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { ProcessSink, ProcessTarget } from '../../contracts/connect.ts';
import { type Listener, listen } from '../listener.ts';
import { SpdyConnection } from '../portforward/spdy-connection.ts';
import type { SpdyStream } from '../portforward/spdy-stream.ts';
import { createProcessStreamer } from './process-streamer.ts';

/** What the process saw, in order. */
let seen: string[];
let listener: Listener;
let sockets: (() => void)[];
/** Whether the process was told to stand still. */
let held: boolean;

const all = { namespace: 'default', pod: 'p', container: 'c', stdin: true, stdout: true, stderr: true, tty: false };

/** Says hello on both streams, repeats its input in capitals, and ends with 3 when there is no more. */
function aProcess({ command }: ProcessTarget, sink: ProcessSink): ReturnType<Parameters<typeof createProcessStreamer>[0]> {
  seen.push(command === null ? 'joined' : command.join(' '));
  if (command?.[0] === 'much') sayMuch(sink);
  else if (command?.[0] === 'gone') sink.onEnd({ type: 'refused', message: 'container not found ("c")' });
  else if (command?.[0] === 'false') sink.onEnd({ type: 'exited', code: 3 });
  else {
    sink.onOutput('stdout', Buffer.from('hello'));
    sink.onOutput('stderr', Buffer.from('oh'));
  }
  return {
    write: (data) => sink.onOutput('stdout', Buffer.from(Buffer.from(data).toString().toUpperCase())),
    hold: (isHeld) => void (held = isHeld),
    resize: (width, height) => seen.push(`${width}x${height}`),
    endInput: () => sink.onEnd({ type: 'exited', code: 3 }),
    end: () => seen.push('client gone'),
  };
}

const muchBytes = 50 * 1024 * 1024;
/** How much of it has been said. */
let said: number;

/** As a program that writes whenever it may, from turn to turn. */
function sayMuch(sink: ProcessSink): void {
  // At once, before anybody can hold it.
  said = 4 * 1024 * 1024;
  sink.onOutput('stdout', Buffer.alloc(said, 'x'));
  const piece = Buffer.alloc(256 * 1024, 'x');
  const next = (): void => {
    if (!held) {
      sink.onOutput('stdout', piece);
      said += piece.length;
    }
    if (said < muchBytes) setImmediate(next);
    else sink.onEnd({ type: 'exited', code: 3 });
  };
  setImmediate(next);
}

beforeEach(async () => {
  seen = [];
  held = false;
  sockets = [];
  const stream = createProcessStreamer(aProcess);
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    handler: () => ({ status: 400, headers: {}, body: '' }),
    onDefect: (error) => expect.unreachable(error.message),
    onUpgrade: ({ path }, raw, socket, head) => {
      const tty = path === '/tty';
      stream(raw, socket, head, { ...all, tty, stderr: !tty, command: path === '/attach' ? null : [path.slice(1)] });
    },
  });
});

afterEach(async () => {
  for (const close of sockets) close();
  await listener.close();
});

interface Talk {
  readonly said: Record<number, string>;
  readonly closed: Promise<number>;
  send(channel: number, text: string): void;
  /** Bytes in a frame that says it is text. */
  sendAsText(channel: number, text: string): void;
  close(): void;
}

function talk(path: string, protocol: string): Promise<Talk> {
  const socket = new WebSocket(`ws://127.0.0.1:${listener.port}${path}`, protocol);
  sockets.push(() => socket.terminate());
  const isText = protocol.includes('base64');
  const said: Record<number, string> = {};
  socket.on('message', (message: Buffer) => {
    const channel = (message[0] ?? 0) - (isText ? 48 : 0);
    const text = isText ? Buffer.from(message.toString('latin1', 1), 'base64') : message.subarray(1);
    said[channel] = (said[channel] ?? '') + text.toString();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  const send = (channel: number, text: string): void =>
    socket.send(isText ? `${channel}${Buffer.from(text).toString('base64')}` : Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
  const sendAsText = (channel: number, text: string): void => socket.send(String.fromCharCode(channel) + text);
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve({ said, closed, send, sendAsText, close: () => socket.terminate() }));
    socket.on('error', reject);
  });
}

const exitStatus = {
  metadata: {},
  status: 'Failure',
  reason: 'NonZeroExitCode',
  message: 'command terminated with non-zero exit code: command terminated with exit code 3',
  details: { causes: [{ reason: 'ExitCode', message: '3' }] },
};

describe('channels of a WebSocket', () => {
  it('carry both directions, the size of the terminal, the end of input and the exit code', async () => {
    const { said, closed, send } = await talk('/run', 'v5.channel.k8s.io');
    send(0, 'abc');
    send(4, '{"Width":80,"Hei');
    send(4, 'ght":24}');
    send(255, '\0');
    expect(await closed).toBe(1000);
    expect([said[1], said[2], JSON.parse(said[3] ?? '')]).toEqual(['helloABC', 'oh', exitStatus]);
    expect(seen).toEqual(['run', '80x24']);
  });

  it('are bytes by the protocol, whatever the frames say they are', async () => {
    const { said, sendAsText } = await talk('/tty', 'v4.channel.k8s.io');
    sendAsText(4, '{"Width":80,"Height":24}');
    sendAsText(0, 'echo one\n');
    await expect.poll(() => said[1]).toBe('helloECHO ONE\n');
    expect(seen).toEqual(['tty', '80x24']);
  });

  it('say in words how it ended before v4, and in base64 where that is asked', async () => {
    const { said, closed } = await talk('/false', 'base64.channel.k8s.io');
    await closed;
    expect(said[3]).toBe('command terminated with non-zero exit code: command terminated with exit code 3');
  });

  it('say that there is no such container in a status where the API server speaks, and refuse the upgrade where the kubelet does', async () => {
    const { said, closed } = await talk('/gone', 'v5.channel.k8s.io');
    await closed;
    const why = 'unable to upgrade connection: container not found ("c")';
    const status = { status: 'Failure', reason: 'InternalError', message: `Internal error occurred: ${why}`, code: 500 };
    expect(JSON.parse(said[3] ?? '')).toEqual({ metadata: {}, ...status, details: { causes: [{ message: why }] } });
    await expect(talk('/gone', 'v4.channel.k8s.io')).rejects.toThrow('Unexpected server response: 500');
  });

  it('hold a process whose client does not read, and bring all of it when it reads again', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${listener.port}/much`, 'v5.channel.k8s.io');
    let came = 0;
    let status = '';
    socket.on('message', (message: Buffer) => {
      if (message[0] === 1) came += message.length - 1;
      else if (message[0] === 3) status += message.toString('utf8', 1);
    });
    socket.on('open', () => socket.pause());
    await expect.poll(() => held).toBe(true);
    // What sockets hold is the system's; the rest of it was never made.
    expect(said).toBeLessThan(muchBytes / 2);
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    socket.resume();
    expect([await closed, came, JSON.parse(status)]).toEqual([1000, muchBytes, exitStatus]);
  });

  it('take no message of more bytes than anybody means, in one piece or in many', async () => {
    const { closed, send } = await talk('/cat', 'v4.channel.k8s.io');
    send(0, 'x'.repeat(33 * 1024 * 1024));
    expect(await closed).toBe(1009);
  });

  it('end the process when the client goes, and are refused in a protocol that nobody speaks', async () => {
    const { close } = await talk('/attach', 'v4.channel.k8s.io');
    close();
    await expect.poll(() => seen).toEqual(['joined', 'client gone']);
    await expect(talk('/run', 'v9.channel.k8s.io')).rejects.toThrow();
  });
});

describe('streams of SPDY', () => {
  function connect(path: string, protocols: string, tell?: (socket: Duplex) => void): Promise<SpdyConnection | number> {
    return new Promise((resolve, reject) => {
      const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': protocols };
      const request = httpRequest({ host: '127.0.0.1', port: listener.port, path, method: 'POST', headers });
      request.on('upgrade', (_response, socket: Duplex, head: Buffer) => {
        sockets.push(() => socket.destroy());
        tell?.(socket);
        const transport = { write: (bytes: Buffer) => void socket.write(bytes), close: () => void socket.end() };
        const connection = new SpdyConnection({ role: 'client', transport, accepts: () => false, onStream: () => undefined });
        connection.receive(head);
        socket.on('data', (bytes: Buffer) => connection.receive(bytes));
        resolve(connection);
      });
      request.on('response', ({ statusCode = 0 }) => resolve(statusCode));
      request.on('error', reject);
      request.end();
    });
  }

  function readAll(stream: SpdyStream): Promise<string> {
    let text = '';
    return new Promise((resolve) => {
      const onData = (data: Buffer): void => {
        text += data.toString();
      };
      stream.handle({ onData, onEnd: () => resolve(text), onReset: () => resolve(`${text}reset`) });
    });
  }

  it('begin when all are open, and tell the exit code on the stream of errors', async () => {
    const connection = await connect('/run', 'v4.channel.k8s.io,v3.channel.k8s.io');
    if (typeof connection === 'number') throw new Error(`answered ${connection}`);
    const error = readAll(connection.open({ streamtype: 'error' }));
    const stdin = connection.open({ streamtype: 'stdin' });
    const out = readAll(connection.open({ streamtype: 'stdout' }));
    expect(seen).toEqual([]);
    const err = readAll(connection.open({ streamtype: 'stderr' }));
    stdin.write(Buffer.from('abc'));
    stdin.end();
    expect([await out, await err, JSON.parse(await error)]).toEqual(['helloABC', 'oh', exitStatus]);
  });

  it.each(['heeds windows', 'knows no windows'])('hold a process whose client does not read and %s', async (kind) => {
    let socket: Duplex | undefined;
    const connection = await connect('/much', 'v4.channel.k8s.io', (one) => (socket = one));
    if (typeof connection === 'number') throw new Error(`answered ${connection}`);
    const error = readAll(connection.open({ streamtype: 'error' }));
    connection.open({ streamtype: 'stdin' });
    const out = connection.open({ streamtype: 'stdout' });
    // SETTINGS: a stream is given 64 KiB.
    if (kind === 'heeds windows') socket?.write(Buffer.from('800300040000000c000000010000000700010000', 'hex'));
    else socket?.pause();
    connection.open({ streamtype: 'stderr' });
    await expect.poll(() => held).toBe(true);
    expect(said).toBeLessThan(muchBytes / 2);
    socket?.resume();
    expect((await readAll(out)).length).toBe(muchBytes);
    expect(JSON.parse(await error)).toEqual(exitStatus);
  });

  it('are refused in a protocol that nobody speaks', async () => {
    expect(await connect('/run', 'v9.channel.k8s.io')).toBe(403);
  });
});
