/**
 * A watch for a client that asks for it over a WebSocket, as some libraries do first: each event is a message, of text where its form is text.
 * What the client sends is read over. Mirrors HandleWS of apiserver pkg/endpoints/handlers/watch.go, and the handshake of golang.org/x/net/websocket.
 */
import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Chunk, endInTime, type PlainResponse, type StreamChunk, type StreamResponse } from './exchange.ts';
import { answerSocket } from './socket-answer.ts';
import { type MessageTransport, webSocketTransport } from './transports.ts';

/** For a client that takes nothing of what was sent. */
const stallMs = 60_000;
/** Nobody else waits longer while a large state is told. */
const stepMs = 2;
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
  acceptor.handleUpgrade(raw, socket, head, (webSocket) => {
    const messages = new Messages(webSocket, mediaType);
    const callOff = endInTime(response, () => messages.end());
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('close', () => {
      callOff();
      messages.drop();
    });
    try {
      const close = response.open({ write: (chunk) => messages.add(chunk), end: () => messages.end(), isBehind: () => messages.areBehind });
      webSocket.on('close', close);
    } catch (error) {
      webSocket.close(1011);
      onDefect(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** Events on their way in their order: some are made when their turn comes, and none while the client does not take what it was sent. */
class Messages {
  readonly #socket: WebSocket;
  readonly #transport: MessageTransport;
  readonly #isText: boolean;
  readonly #skipped: number;
  #waiting: StreamChunk[] = [];
  #next = 0;
  #isHeld = false;
  #isOver = false;
  #step: NodeJS.Immediate | undefined;
  #underWay = 0;
  #stall: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, mediaType: string) {
    this.#socket = socket;
    this.#isText = /json|yaml/.test(mediaType);
    this.#skipped = mediaType.includes('protobuf') ? lengthBytes : 0;
    this.#transport = webSocketTransport(socket, (isHeld) => {
      this.#isHeld = isHeld;
      this.#goOn();
    });
  }

  get areBehind(): boolean {
    return this.#isHeld || this.#next < this.#waiting.length;
  }

  add(chunk: StreamChunk): void {
    if (this.#isOver) return;
    this.#waiting.push(chunk);
    this.#goOn();
  }

  /** What was added leaves first. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#goOn();
  }

  drop(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#next = 0;
    clearImmediate(this.#step);
    clearTimeout(this.#stall);
  }

  #goOn(): void {
    if (!this.#isHeld) this.#step ??= setImmediate(() => this.#leave());
  }

  #leave(): void {
    this.#step = undefined;
    const endMs = performance.now() + stepMs;
    while (this.#next < this.#waiting.length && performance.now() < endMs) {
      const next = this.#waiting[this.#next++] as StreamChunk;
      this.#send(typeof next === 'function' ? next() : next);
    }
    if (this.areBehind) return this.#goOn();
    this.#waiting = [];
    this.#next = 0;
    if (this.#isOver) this.#transport.close();
  }

  #send(chunk: Chunk): void {
    const bytes = Buffer.from(chunk as string);
    if (bytes.length <= this.#skipped) return;
    this.#underWay++;
    this.#stall ??= setTimeout(() => this.#socket.terminate(), stallMs);
    this.#transport.write(this.#isText ? bytes.toString() : bytes.subarray(this.#skipped), () => this.#left());
  }

  #left(): void {
    this.#underWay--;
    if (this.#underWay > 0) {
      this.#stall?.refresh();
      return;
    }
    clearTimeout(this.#stall);
    this.#stall = undefined;
  }
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
