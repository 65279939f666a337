/**
 * Port-forwarded connections at the gate of law 5: opening one, its bytes and its end are inputs, because a container may answer
 * them by writing logs or by dying. A connection that the pod has ended takes nothing more.
 */
import { assert } from '../base/assert.ts';
import { decodeBase64, encodeBase64 } from '../base/base64.ts';
import { bytesOfText, textOfBytes } from '../base/byte-text.ts';
import { addedLater, list, number, record, text } from '../base/codecs.ts';
import { Slots } from '../base/slots.ts';
import type { KubeletConnections, PodConnection, PortConnection, PortPeer, PortReply, PortSink, ProxyPlace } from '../contracts/connect.ts';
import type { JsonObject } from '../base/json.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { ReachPod } from '../apiserver/proxy/proxied.ts';
import type { Admit, DoorListener } from './inputs.ts';

export type RecordedPort =
  | { readonly connection: number; readonly open: { readonly namespace: string; readonly pod: string; readonly port: number } }
  /** Base64. */
  | { readonly connection: number; readonly data: string }
  | { readonly connection: number; readonly end: true };

interface OpenPort {
  readonly connection: PodConnection;
  readonly port: number;
}

interface PortPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

/** What makes a connection again: where it leads, in base64 what came of its request's head, and how much of the body. */
interface SavedPort extends PortPeer {
  readonly connection: number;
  readonly port: number;
  readonly written: readonly string[];
  readonly bodyBytes: number;
}

const savedPort = record<SavedPort>({
  connection: number,
  uid: text,
  container: text,
  port: number,
  written: list(text),
  bodyBytes: addedLater(number, () => 0),
});

type Kubelets = Pick<KubeletConnections, 'openPort' | 'reopenPort'>;

/** Knuth's: neighbours come far apart. */
const spread = 2_654_435_761;

const deafSink: PortSink = { onData: () => undefined, onError: () => undefined, onEnd: () => undefined };

export class PortGate {
  readonly #kubelets: Kubelets;
  readonly #admit: Admit;
  readonly #listener: () => Pick<DoorListener, 'onBefore' | 'onEntered'>;
  readonly #connections = new Map<number, OpenPort>();
  /** The connections that are open; restored, they have a client who does not listen. */
  readonly slots = new Slots();
  #last = 0;

  constructor(kubelets: Kubelets, admit: Admit, listener: () => Pick<DoorListener, 'onBefore' | 'onEntered'>) {
    this.#kubelets = kubelets;
    this.#listener = listener;
    this.#admit = admit;
    this.slots.field(
      'open',
      list(savedPort),
      () => this.#save(),
      (open) => {
        for (const port of open) this.#reopen(port);
      },
    );
    this.slots.field(
      'last',
      number,
      () => this.#last,
      (last) => {
        this.#last = last;
      },
    );
  }

  open(namespace: string, pod: string, port: number, sink: PortSink): PortConnection {
    const connection = this.#last + 1;
    this.#enter({ connection, open: { namespace, pod, port } }, () => this.#open(connection, { namespace, pod, port }, sink));
    return {
      write: (data) => {
        const open = this.#connections.get(connection);
        if (open !== undefined) this.#enter({ connection, data: encodeBase64(data) }, () => open.connection.write(data));
      },
      end: () => {
        const open = this.#connections.get(connection);
        if (open === undefined) return;
        this.#connections.delete(connection);
        this.#enter({ connection, end: true }, () => open.connection.end());
      },
    };
  }

  /** A whole request to one of these places, and what came back of it. */
  exchange: ReachPod = (places, request) => {
    this.#listener().onBefore?.();
    // Whom it is led to follows from how much has come in, so that it changes and a replay needs no draw.
    const place = places[(Math.imul(this.#last + 1, spread) >>> 0) % places.length];
    assert(place !== undefined, 'a proxy leads somewhere');
    return { place, reply: this.#ask(place, request) };
  };

  #ask({ namespace, pod, port }: ProxyPlace, request: Uint8Array): PortReply {
    const pieces: Uint8Array[] = [];
    let isRefused = false;
    try {
      const onError = (): void => {
        isRefused = true;
      };
      const connection = this.open(namespace, pod, port, { onData: (data) => void pieces.push(data), onError, onEnd: () => undefined });
      connection.write(request);
      connection.end();
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { type: 'silent' };
    } finally {
      this.#listener().onEntered?.();
    }
    return isRefused ? { type: 'refused' } : { type: 'data', data: joinedBytes(pieces) };
  }

  #save(): readonly SavedPort[] {
    return Array.from(this.#connections, ([connection, { connection: open, port }]) => {
      const { head, bodyBytes } = open.progress;
      return { connection, ...open.peer, port, written: head === '' ? [] : [encodeBase64(bytesOfText(head))], bodyBytes };
    });
  }

  #reopen({ connection, port, written, bodyBytes, uid, container }: SavedPort): void {
    const progress = { head: written.map((data) => textOfBytes(decodeBase64(data))).join(''), bodyBytes };
    this.#keep(connection, port, deafSink, (sink) => this.#kubelets.reopenPort({ uid, container }, port, sink, progress));
  }

  /** Their clients are gone with the process that served them. */
  endAll(): void {
    for (const [connection, open] of [...this.#connections]) {
      this.#connections.delete(connection);
      this.#enter({ connection, end: true }, () => open.connection.end());
    }
  }

  /** Runs inside an input. */
  replay(what: RecordedPort): void {
    if ('open' in what) {
      try {
        this.#open(what.connection, what.open, deafSink);
      } catch (error) {
        // The client was told so then.
        if (!(error instanceof StatusError)) throw error;
      }
    } else if ('data' in what) {
      this.#connections.get(what.connection)?.connection.write(decodeBase64(what.data));
    } else {
      this.#connections.get(what.connection)?.connection.end();
      this.#connections.delete(what.connection);
    }
  }

  #enter(what: RecordedPort, act: () => void): void {
    this.#admit(what as unknown as JsonObject, act);
  }

  #open(connection: number, { namespace, pod, port }: PortPlace, sink: PortSink): void {
    this.#last = Math.max(this.#last, connection);
    this.#keep(connection, port, sink, (own) => this.#kubelets.openPort(namespace, pod, port, own));
  }

  #keep(connection: number, port: number, sink: PortSink, open: (sink: PortSink) => PodConnection): void {
    let isOver = false;
    const over = (): void => {
      isOver = true;
      this.#connections.delete(connection);
    };
    const opened = open({
      onData: (data) => sink.onData(data),
      onError: (message) => {
        over();
        sink.onError(message);
      },
      onEnd: () => {
        over();
        sink.onEnd();
      },
    });
    if (!isOver) this.#connections.set(connection, { connection: opened, port });
  }
}

export function isRecordedPort(what: unknown): what is RecordedPort {
  return typeof what === 'object' && what !== null && 'connection' in what;
}

function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0] as Uint8Array;
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
