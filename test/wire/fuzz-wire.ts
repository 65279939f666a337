/**
 * Odd things over real connections, from a seed: requests that end early or lie about their length, upgrades with odd headers, HTTP/2
 * with odd heads, frames of the page's socket and of forwarded ports, many writers of one object. What is asked properly afterwards must be
 * answered, nothing may be a defect, and nothing may be left open.
 */
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { RandomStream } from '../../engine/base/random.ts';

export interface WireTarget {
  readonly port: number;
  readonly token: string;
}

const paths = [
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/pods/web/portforward',
  '/api/v1/namespaces/default/pods/web/portforward?ports=80',
  '/api/v1/namespaces/default/pods/web/exec?command=ls&stdout=1',
  '/api/v1/namespaces/default/pods/web/attach',
  '/api/v1/namespaces/default/pods/web/log?follow=1',
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/pods?watch=1&allowWatchBookmarks=1&timeoutSeconds=1',
  '/branches/nowhere/api',
  '/',
  '//',
  '*',
];
const upgrades = ['websocket', 'SPDY/3.1', 'spdy/3.1', 'h2c', 'websocket, SPDY/3.1', '', 'TLS/1.0', '\u00e4'];
const protocols = ['v4.channel.k8s.io', 'v5.channel.k8s.io', 'SPDY/3.1+portforward.k8s.io', 'portforward.k8s.io', 'base64.channel.k8s.io', ',', ''];
const bodies = [
  '',
  '{',
  '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"wire"}}',
  'k8s\0',
  '5\r\nabcde\r\n',
  'ffffffffffffffff\r\n',
  '-1\r\n',
  '0\r\n\r\n',
];
const versions = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''];

const pick = <T>(random: RandomStream, from: readonly T[]): T => from[random.integer(from.length)] as T;

/** A request as text; half of its headers fit together. */
function oddRequest(random: RandomStream, { token }: WireTarget): Buffer {
  const isUpgrade = random.next() < 0.5;
  const body = pick(random, bodies);
  const headers = [
    'Host: localhost',
    `Authorization: Bearer ${random.next() < 0.9 ? token : 'nobody'}`,
    ...(isUpgrade ? [`Connection: ${pick(random, ['Upgrade', 'upgrade, keep-alive', 'close'])}`, `Upgrade: ${pick(random, upgrades)}`] : []),
    ...(isUpgrade && random.next() < 0.8
      ? [`Sec-WebSocket-Key: ${pick(random, ['dGhlIHNhbXBsZSBub25jZQ==', 'short', ''])}`, `Sec-WebSocket-Version: ${pick(random, ['13', '8', 'x'])}`]
      : []),
    ...(random.next() < 0.6 ? [`Sec-WebSocket-Protocol: ${pick(random, protocols)}`] : []),
    ...(random.next() < 0.3 ? [`X-Stream-Protocol-Version: ${pick(random, protocols)}`] : []),
    ...(random.next() < 0.3 ? ['Transfer-Encoding: chunked'] : []),
    ...(random.next() < 0.5 ? [`Content-Length: ${pick(random, [String(body.length), '0', '99999', '-1', 'x', '1, 2'])}`] : []),
    ...(random.next() < 0.3 ? [`Content-Type: ${pick(random, ['application/json', 'application/vnd.kubernetes.protobuf', 'x/y;;', ''])}`] : []),
    ...(random.next() < 0.1 ? [`X-Long: ${'x'.repeat(70_000)}`] : []),
    ...(random.next() < 0.1 ? ['Expect: 100-continue'] : []),
  ];
  const method = pick(random, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'TRACE', 'get', '']);
  const bytes = Buffer.from(`${method} ${pick(random, paths)} ${pick(random, versions)}\r\n${headers.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  return random.next() < 0.2 ? bytes.subarray(0, random.integer(bytes.length)) : bytes;
}

/** Frames as WebSocket and SPDY have them, and bytes that are neither. */
function oddFrames(random: RandomStream): Buffer {
  const length = random.integer(200);
  const payload = Buffer.from(Array.from({ length }, () => random.integer(256)));
  const heads: readonly (readonly number[])[] = [
    [0x80 | random.integer(16), 0x80 | Math.min(125, length), 0, 0, 0, 0],
    [random.integer(256), random.integer(256)],
    [0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4],
    [0x80, 0x03, 0x00, random.integer(10), random.integer(256), 0, 0, random.integer(64), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
    [0x80, 0x03, 0x00, 0x01, 0x00, 0xff, 0xff, 0xff],
    [0, 0, 0, 1, 0, 0, 0, random.integer(100)],
  ];
  return Buffer.concat([Buffer.from(pick(random, heads)), payload]);
}

/** One connection: a request, frames whether it was upgraded or not, and an end in one of the ways in which connections end. */
export async function oddConnection(random: RandomStream, target: WireTarget): Promise<void> {
  const request = oddRequest(random, target);
  const frames = Array.from({ length: random.integer(4) }, () => oddFrames(random));
  const ending = pick(random, ['end', 'destroy', 'wait'] as const);
  await new Promise<void>((resolve) => {
    const socket: TLSSocket = connect({ host: '127.0.0.1', port: target.port, rejectUnauthorized: false }, () => {
      socket.write(request);
      for (const frame of frames) socket.write(frame);
      if (ending === 'end') socket.end();
      else if (ending === 'destroy') setImmediate(() => socket.destroy());
      // Whoever waits is heard out for a moment.
      setTimeout(() => socket.destroy(), 60);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
}

/** Several streams of one HTTP/2 connection, some of which end early. */
export async function oddHttp2(random: RandomStream, target: WireTarget): Promise<void> {
  const session = connectHttp2(`https://127.0.0.1:${target.port}`, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  const streams = Array.from({ length: 1 + random.integer(5) }, () => {
    const method = pick(random, ['GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'FROB']);
    const path = pick(random, paths);
    const body = pick(random, bodies);
    const isCut = random.next() < 0.4;
    return new Promise<void>((resolve) => {
      const headers = { ':method': method, ':path': path, authorization: `Bearer ${target.token}`, 'content-type': 'application/json' };
      try {
        const stream = session.request(headers, { endStream: false });
        stream.on('error', () => undefined);
        stream.on('close', () => resolve());
        stream.resume();
        stream.write(body === '' ? ' ' : body);
        if (isCut) stream.close(random.integer(12));
        else stream.end();
        setTimeout(() => stream.destroy(), 80);
      } catch {
        resolve();
      }
    });
  });
  await Promise.all(streams);
  session.destroy();
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** A frame of HTTP/2 whose type, flags, stream and length may fit together. */
function oddHttp2Frame(random: RandomStream): Buffer {
  const payload = Buffer.from(Array.from({ length: random.integer(40) }, () => random.integer(256)));
  const length = random.next() < 0.8 ? payload.length : random.integer(0x1000000);
  const stream = pick(random, [0, 1, 3, 2, 0x7fffffff, 0xffffffff]);
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head[3] = random.next() < 0.9 ? random.integer(10) : random.integer(256);
  head[4] = random.integer(256);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** HTTP/2 by hand: the preface or a part of it, settings, and frames that nobody would send. */
export async function oddHttp2Frames(random: RandomStream, target: WireTarget): Promise<void> {
  const start = random.next() < 0.9 ? preface : preface.subarray(0, random.integer(preface.length));
  const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
  const frames = Array.from({ length: 1 + random.integer(12) }, () => oddHttp2Frame(random));
  await new Promise<void>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: target.port, rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () => {
      socket.write(Buffer.concat([start, ...(random.next() < 0.9 ? [settings] : []), ...frames]));
      setTimeout(() => socket.destroy(), 60);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
}

/** Bytes in place of a TLS handshake, or the beginning of one and bytes behind it. */
export async function noise(random: RandomStream, target: WireTarget): Promise<void> {
  const start = pick(random, [
    '',
    'GET / HTTP/1.1\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
    '\u0016\u0003\u0001\u00ff\u00ff',
  ]);
  const rest = Buffer.from(Array.from({ length: random.integer(600) }, () => random.integer(256)));
  const ending = pick(random, ['end', 'destroy', 'wait'] as const);
  await new Promise<void>((resolve) => {
    const socket = connectTcp({ host: '127.0.0.1', port: target.port }, () => {
      socket.write(Buffer.concat([Buffer.from(start, 'latin1'), rest]));
      if (ending === 'end') socket.end();
      else if (ending === 'destroy') socket.resetAndDestroy();
      setTimeout(() => socket.destroy(), 60);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
}
