/**
 * One forwarded connection: bytes between a client and a port of a pod, whatever protocol carries them. Made when the client's
 * side is ready; over when the pod's side ends, the client is gone, or forwarding failed. Mirrors the portForward functions of
 * k8s.io/cri-streaming pkg/streaming/portforward.
 */
import type { PortConnection, PortSink } from '../../contracts/connect.ts';

export interface PodTarget {
  readonly namespace: string;
  readonly pod: string;
}

/** Connects to a port of a pod. The sink may be called before this returns; failures may be thrown. */
export type OpenPort = (namespace: string, pod: string, port: number, sink: PortSink) => PortConnection;

/** The client's side. */
export interface ClientSide {
  write(data: Uint8Array): void;
  /** The pod has ended, in good order. */
  end(): void;
  /** Forwarding failed; the text is for people. */
  fail(message: string): void;
}

export class ForwardedPort {
  readonly #client: ClientSide;
  #connection: PortConnection | undefined;
  /** What the client sent while the connection was being made. */
  #early: Uint8Array[] = [];
  #clientEnded = false;
  #over = false;

  constructor(target: PodTarget, port: number, open: OpenPort, client: ClientSide) {
    this.#client = client;
    const describe = (message: string): string => `error forwarding port ${port} to pod ${target.pod}, uid : ${message}`;
    const sink: PortSink = {
      onData: (data) => {
        if (!this.#over) client.write(data);
      },
      onError: (message) => this.#fail(describe(message)),
      onEnd: () => this.#ended(),
    };
    try {
      this.#connected(open(target.namespace, target.pod, port, sink));
    } catch (error) {
      this.#fail(describe(error instanceof Error ? error.message : String(error)));
    }
  }

  write(data: Uint8Array): void {
    if (this.#over || this.#clientEnded) return;
    if (this.#connection === undefined) this.#early.push(data);
    else this.#connection.write(data);
  }

  /** The client sends no more; the pod may still answer. */
  end(): void {
    if (this.#clientEnded) return;
    this.#clientEnded = true;
    this.#connection?.end();
  }

  /** The client is gone: nothing more is told to it. */
  abort(): void {
    if (this.#over) return;
    this.#over = true;
    this.end();
  }

  #connected(connection: PortConnection): void {
    this.#connection = connection;
    if (this.#over) return connection.end();
    const early = this.#early;
    this.#early = [];
    for (const data of early) connection.write(data);
    if (this.#clientEnded) connection.end();
  }

  #fail(message: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#client.fail(message);
    this.end();
  }

  #ended(): void {
    if (this.#over) return;
    this.#over = true;
    this.#client.end();
    this.end();
  }
}
