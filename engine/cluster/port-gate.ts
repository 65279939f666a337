/**
 * Port-forwarded connections at the gate of law 5: opening one, its bytes and its end are inputs, because a container may answer
 * them by writing logs or by dying. A connection that the pod has ended takes nothing more.
 */
import { decodeBase64, encodeBase64 } from '../base/base64.ts';
import type { KubeletConnections, PortConnection, PortSink } from '../contracts/connect.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { StatusError } from '../apimachinery/status.ts';

export type RecordedPort =
  | { readonly connection: number; readonly open: { readonly namespace: string; readonly pod: string; readonly port: number } }
  /** Base64. */
  | { readonly connection: number; readonly data: string }
  | { readonly connection: number; readonly end: true };

/** A connection, and what makes it again: where it leads and what was written to it. */
interface OpenPort {
  readonly connection: PortConnection;
  readonly to: PortPlace;
  readonly written: Uint8Array[];
}

interface PortPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

interface SavedPorts {
  readonly last: number;
  /** Base64 of what was written, by connection. */
  readonly open: Readonly<Record<string, PortPlace & { readonly written: readonly string[] }>>;
}

/** Writes an input down and lets it act. */
type Admit = <T>(what: JsonValue, act: () => T) => T;

const deafSink: PortSink = { onData: () => undefined, onError: () => undefined, onEnd: () => undefined };

export class PortGate {
  readonly #kubelets: Pick<KubeletConnections, 'openPort'>;
  readonly #admit: Admit;
  readonly #connections = new Map<number, OpenPort>();
  #last = 0;

  constructor(kubelets: Pick<KubeletConnections, 'openPort'>, admit: Admit) {
    this.#kubelets = kubelets;
    this.#admit = admit;
  }

  open(namespace: string, pod: string, port: number, sink: PortSink): PortConnection {
    const connection = this.#last + 1;
    this.#enter({ connection, open: { namespace, pod, port } }, () => this.#open(connection, { namespace, pod, port }, sink));
    return {
      write: (data) => {
        const open = this.#connections.get(connection);
        if (open !== undefined) this.#enter({ connection, data: encodeBase64(data) }, () => write(open, data));
      },
      end: () => {
        const open = this.#connections.get(connection);
        if (open === undefined) return;
        this.#connections.delete(connection);
        this.#enter({ connection, end: true }, () => open.connection.end());
      },
    };
  }

  /** Plain data of the connections that are open (law 9). */
  save(): JsonValue {
    const open = [...this.#connections].map(([connection, { to, written }]) => [connection, { ...to, written: written.map(encodeBase64) }]);
    return { last: this.#last, open: Object.fromEntries(open) as JsonValue };
  }

  /** Makes the saved connections again, for a client who does not listen. */
  restore(saved: JsonValue): void {
    const { last, open } = saved as unknown as SavedPorts;
    for (const [connection, { written, ...to }] of Object.entries(open)) {
      this.replay({ connection: Number(connection), open: to });
      for (const data of written) this.replay({ connection: Number(connection), data });
    }
    this.#last = last;
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
      const open = this.#connections.get(what.connection);
      if (open !== undefined) write(open, decodeBase64(what.data));
    } else {
      this.#connections.get(what.connection)?.connection.end();
      this.#connections.delete(what.connection);
    }
  }

  #enter(what: RecordedPort, act: () => void): void {
    this.#admit(what as unknown as JsonObject, act);
  }

  #open(connection: number, to: PortPlace, sink: PortSink): void {
    this.#last = Math.max(this.#last, connection);
    let isOver = false;
    const over = (): void => {
      isOver = true;
      this.#connections.delete(connection);
    };
    const opened = this.#kubelets.openPort(to.namespace, to.pod, to.port, {
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
    if (!isOver) this.#connections.set(connection, { connection: opened, to, written: [] });
  }
}

function write(open: OpenPort, data: Uint8Array): void {
  open.written.push(data);
  open.connection.write(data);
}

export function isRecordedPort(what: unknown): what is RecordedPort {
  return typeof what === 'object' && what !== null && 'connection' in what;
}
