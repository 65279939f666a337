/**
 * A watch for a client that asks for it over a WebSocket, as some libraries do first: each event is a message, of text where its form is text.
 * What the client sends is read over. Mirrors HandleWS of apiserver pkg/endpoints/handlers/watch.go, and the handshake of golang.org/x/net/websocket.
 */
import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Chunk, PlainResponse, StreamChunk, StreamResponse } from './exchange.ts';
import { answerSocket } from './socket-answer.ts';

/** A client that takes less than is said is let go. */
const waitingBytesMax = 64 * 1024 * 1024;
/** From so much on, what comes at the beginning waits. */
const behindBytes = 4 * 1024 * 1024;
const lookAgainMs = 10;
/** For a client that takes nothing of what waits for it. */
const stallMs = 60_000;
/** Before each event in protobuf; a message has a length of its own. */
const lengthBytes = 4;

const acceptor = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  maxPayload: 64 * 1024,
  handleProtocols: ([only]) => only ?? false,
});

/** Whether a request wants its answer as messages. */
export function wantsMessages({ upgrade, connection }: Readonly<Record<string, string | readonly string[] | undefined>>): boolean {
  return String(upgrade ?? '').toLowerCase() === 'websocket' && /(^|,)\s*upgrade\s*($|,)/i.test(String(connection ?? ''));
}

/** `onDefect` is told what kept the watch from beginning, of which the client is told alone that it is the server's fault. */
export function sendWatchMessages(
  raw: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  response: StreamResponse,
  onDefect: (error: Error) => void,
): void {
  const fault = handshakeFault(raw.headers);
  if (fault !== undefined) return answerSocket(socket, fault);
  const mediaType = String(response.headers['content-type'] ?? '');
  const binary = !/json|yaml/.test(mediaType);
  const skipped = mediaType.includes('protobuf') ? lengthBytes : 0;
  acceptor.handleUpgrade(raw, socket, head, (webSocket) => {
    let [isOver, isPumped] = [false, false];
    let [lastBuffered, stalledMs] = [0, 0];
    const later: StreamChunk[] = [];
    const send = (chunk: Chunk): void => {
      const bytes = Buffer.from(chunk as string);
      if (webSocket.bufferedAmount + bytes.length > waitingBytesMax) webSocket.terminate();
      else if (bytes.length > skipped) webSocket.send(bytes.subarray(skipped), { binary });
    };
    const finish = (): void => {
      clearTimeout(timer);
      webSocket.close(1000);
    };
    /** In turns: nobody else waits while a large state is told. */
    const pump = (): void => {
      isPumped = false;
      const next = later.shift();
      if (next === undefined) return isOver ? finish() : undefined;
      send(typeof next === 'function' ? next() : next);
      if (webSocket.readyState === webSocket.OPEN) pumpLater();
    };
    const pumpLater = (): void => {
      if (isPumped) return;
      isPumped = true;
      if (webSocket.bufferedAmount <= behindBytes) setImmediate(pump);
      else setTimeout(lookAgain, lookAgainMs);
    };
    /** While the client takes what it has been sent. */
    const lookAgain = (): void => {
      isPumped = false;
      const { bufferedAmount } = webSocket;
      stalledMs = bufferedAmount < lastBuffered ? 0 : stalledMs + lookAgainMs;
      lastBuffered = bufferedAmount;
      if (stalledMs >= stallMs) webSocket.terminate();
      else pumpLater();
    };
    const end = (): void => {
      isOver = true;
      pumpLater();
    };
    const timer = setTimeout(end, response.timeoutMs ?? 0);
    if (response.timeoutMs === undefined) clearTimeout(timer);
    webSocket.on('error', () => webSocket.terminate());
    let close: () => void;
    try {
      close = response.open({
        write: (chunk) => {
          if (isOver) return;
          later.push(chunk);
          pumpLater();
        },
        end,
        isBehind: () => webSocket.bufferedAmount > behindBytes || later.length > 0,
      });
    } catch (error) {
      clearTimeout(timer);
      webSocket.close(1011);
      return onDefect(error instanceof Error ? error : new Error(String(error)));
    }
    webSocket.on('close', () => {
      isOver = true;
      later.length = 0;
      clearTimeout(timer);
      close();
    });
  });
}

/** What is wrong with how the client asks, in the order in which it is looked at. */
function handshakeFault(headers: IncomingHttpHeaders): PlainResponse | undefined {
  if ((headers['sec-websocket-key'] ?? '') === '') return fault(400, 'mismatch challenge/response');
  if (headers['sec-websocket-version'] !== '13') return fault(400, 'missing or bad WebSocket Version', { 'sec-websocket-version': '13' });
  const { origin = '' } = headers;
  if (origin === '' || !URL.canParse(origin)) return fault(403, '');
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',');
  return protocols.length > 1 ? fault(400, '') : undefined;
}

function fault(status: number, body: string, headers: PlainResponse['headers'] = {}): PlainResponse {
  return { status, headers, body };
}
