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
  /** What HTTP/2 sessions stand on, by the client's address: a session that is over waits for its client to hang up, which may be never. */
  readonly #wires = new Map<string, Socket>();
  readonly #busy = new Map<Carrier, number>();
  #isClosing = false;

  constructor(server: Server, isTls: boolean, graceMs: number) {
    this.#server = server;
    this.#graceMs = graceMs;
    if (isTls) {
      server.on('connection', (socket: Socket) => this.#shakeHands(socket));
      server.on('secureConnection', (socket: TLSSocket) => {
        this.#handshakes.delete(addressOf(socket));
        if (socket.alpnProtocol === 'h2') keep(this.#wires, socket);
        else this.#add(socket);
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

  /** Ends a session that carries nothing; a client that does not hang up then is not waited for. */
  retire(session: Http2Session): void {
    const wire = this.#wires.get(addressOf(session.socket));
    session.close();
    const timer = setTimeout(() => wire?.destroy(), this.#graceMs);
    session.once('close', () => clearTimeout(timer));
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
      for (const one of [...this.#handshakes.values(), ...this.#sockets, ...this.#sessions, ...this.#wires.values()]) one.destroy();
    }, this.#graceMs);
    await closed;
    clearTimeout(timer);
  }

  #shakeHands(socket: Socket): void {
    if (this.#isClosing) {
      socket.destroy();
      return;
    }
    keep(this.#handshakes, socket);
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

/** As long as it is open: the address may be another client's by the time it closes. */
function keep(sockets: Map<string, Socket>, socket: Socket): void {
  const address = addressOf(socket);
  sockets.set(address, socket);
  socket.once('close', () => {
    if (sockets.get(address) === socket) sockets.delete(address);
  });
}

function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}

/** What was written goes out first. */
function end(carrier: Carrier): void {
  if ('destroySoon' in carrier) carrier.destroySoon();
  else carrier.close();
}
