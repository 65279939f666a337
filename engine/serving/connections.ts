/**
 * The connections of a listener: how many requests of each are being answered, and how all of them come to an end. Closing stops
 * listening first, ends what is open-ended, lets answers that are on their way arrive, and waits for nobody longer than a moment.
 */
import type { Http2Session } from 'node:http2';
import type { Server, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** What carries requests: an HTTP/2 session, or a socket of HTTP/1.1. */
export type Carrier = Http2Session | Socket;

export class Connections {
  readonly #server: Server;
  readonly #graceMs: number;
  /** TCP connections on which TLS does not stand yet, by the client's address. */
  readonly #handshakes = new Map<string, Socket>();
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<Http2Session>();
  readonly #busy = new Map<Carrier, number>();
  #isClosing = false;

  constructor(server: Server, isTls: boolean, graceMs: number) {
    this.#server = server;
    this.#graceMs = graceMs;
    if (isTls) {
      server.on('connection', (socket: Socket) => this.#shakeHands(socket));
      server.on('secureConnection', (socket: TLSSocket) => {
        this.#handshakes.delete(addressOf(socket));
        if (socket.alpnProtocol !== 'h2') this.#add(socket);
      });
    } else server.on('connection', (socket: Socket) => this.#add(socket));
    server.on('session', (session: Http2Session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
      if (this.#isClosing) session.destroy();
    });
  }

  /** A request came in; returns what to call when its answer is over. */
  begin(carrier: Carrier): () => void {
    this.#busy.set(carrier, (this.#busy.get(carrier) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (this.#busy.get(carrier) ?? 1) - 1;
      if (left > 0) this.#busy.set(carrier, left);
      else this.#busy.delete(carrier);
      if (left === 0 && this.#isClosing) end(carrier);
    };
  }

  isBusy(carrier: Carrier): boolean {
    return this.#busy.has(carrier);
  }

  /** Resolves when no connection is left. `endStreams` ends the answers that have no end of their own. */
  async close(endStreams: () => void): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    endStreams();
    for (const socket of this.#handshakes.values()) socket.destroy();
    // A socket that was upgraded carries no request any more and ends here too.
    for (const socket of this.#sockets) if (!this.#busy.has(socket)) socket.destroy();
    for (const session of this.#sessions) session.close();
    const timer = setTimeout(() => {
      for (const one of [...this.#handshakes.values(), ...this.#sockets, ...this.#sessions]) one.destroy();
    }, this.#graceMs);
    await closed;
    clearTimeout(timer);
  }

  #shakeHands(socket: Socket): void {
    if (this.#isClosing) {
      socket.destroy();
      return;
    }
    const address = addressOf(socket);
    this.#handshakes.set(address, socket);
    socket.once('close', () => {
      if (this.#handshakes.get(address) === socket) this.#handshakes.delete(address);
    });
  }

  #add(socket: Socket): void {
    if (this.#isClosing) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}

/** What was written goes out first. */
function end(carrier: Carrier): void {
  if ('destroySoon' in carrier) carrier.destroySoon();
  else carrier.close();
}
