/** `kubectl exec` and `kubectl attach`, for an upgraded request: numbered WebSocket channels, or streams of SPDY/3.1. */
import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { ProcessTarget } from '../../contracts/connect.ts';
import { answerSocket } from '../socket-answer.ts';
import { messageBytesMax, socketTransport } from '../transports.ts';
import { channelProtocols, isTranslatedProtocol, streamOverChannels } from './channel-streams.ts';
import { openedBefore, type OpenProcess } from './remote-process.ts';
import { type SpdyProtocol, spdyProtocols, SpdyStreams } from './spdy-streams.ts';

export type ProcessStreamer = (raw: IncomingMessage, socket: Duplex, head: Buffer, target: ProcessTarget) => void;

/** `endsInput`: clients may speak the protocol in which input can end. */
export function createProcessStreamer(open: OpenProcess, endsInput = true): ProcessStreamer {
  const protocols = channelProtocols.filter((name) => endsInput || !isTranslatedProtocol(name));
  const channels = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: messageBytesMax,
    handleProtocols: (offered) => protocols.find((name) => offered.has(name)) ?? false,
  });
  return (raw, socket, head, target) => {
    const upgrade = String(raw.headers.upgrade ?? '').toLowerCase();
    if (upgrade === 'spdy/3.1') return acceptSpdy(raw, socket, head, target, open);
    if (upgrade !== 'websocket') return answerText(socket, 400, 'unable to upgrade: missing upgrade headers in request');
    const offered = namesIn(raw.headers['sec-websocket-protocol']);
    if (offered.length > 0 && !protocols.some((name) => offered.includes(name)))
      return answerText(socket, 403, `requested protocol(s) are not supported: [${offered.join(' ')}]; supports [${protocols.join(' ')}]`);
    if (isTranslatedProtocol(protocols.find((name) => offered.includes(name)) ?? ''))
      return channels.handleUpgrade(raw, socket, head, (webSocket) => streamOverChannels(webSocket, target, open));
    const opened = openedBefore(target, open);
    if (opened.refusal !== undefined) return answerText(socket, 500, opened.refusal);
    socket.once('close', opened.abandon);
    channels.handleUpgrade(raw, socket, head, (webSocket) => {
      socket.off('close', opened.abandon);
      streamOverChannels(webSocket, target, opened.open);
    });
  };
}

function acceptSpdy(raw: IncomingMessage, socket: Duplex, head: Buffer, target: ProcessTarget, open: OpenProcess): void {
  const wanted = namesIn(raw.headers['x-stream-protocol-version']);
  // Who asks for none speaks the first one.
  const protocol: SpdyProtocol | undefined = wanted.length === 0 ? 'channel.k8s.io' : spdyProtocols.find((name) => wanted.includes(name));
  if (protocol === undefined) {
    const text = `unable to upgrade: unable to negotiate protocol: client supports [${wanted.join(' ')}], server accepts [${spdyProtocols.join(' ')}]`;
    return answerText(socket, 403, text, { 'X-Accepted-Stream-Protocol-Versions': spdyProtocols.join(',') });
  }
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`);
  const streams = new SpdyStreams(target, protocol, open, socketTransport(socket, ignoreHold));
  socket.on('data', (bytes: Buffer) => streams.receive(bytes));
  socket.on('end', () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => streams.lost());
  if (head.length > 0) streams.receive(head);
}

/** The process is held by what its streams have to send. */
const ignoreHold = (): void => undefined;

/** Of a header that lists names. */
function namesIn(header: string | string[] | undefined): readonly string[] {
  return String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function answerText(socket: Duplex, status: number, text: string, headers: Readonly<Record<string, string>> = {}): void {
  answerSocket(socket, { status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` });
}
