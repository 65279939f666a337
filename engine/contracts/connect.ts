/**
 * What the API server can ask of a kubelet on behalf of a client: container logs and byte streams to ports of a pod. The nodes
 * room implements it, the composition root hands it to the API server. Everything here is synchronous in virtual time; bytes that
 * come from outside enter through the gate of law 5 before they get here.
 */
export interface LogOptions {
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
}

export interface StreamHandle {
  cancel(): void;
}

/** One direction of a byte stream to a container's port; the pod answers through `onData`. */
export interface PortConnection {
  write(data: Uint8Array): void;
  /** The client has closed its side. */
  end(): void;
}

/** The container that a connection leads to, whatever has its pod's name later. */
export interface PortPeer {
  readonly uid: string;
  readonly container: string;
}

/** How far a connection to a port has come: the head of its request, as text of bytes, and how much of the body. */
export interface PortProgress {
  readonly head: string;
  readonly bodyBytes: number;
}

export interface PodConnection extends PortConnection {
  readonly peer: PortPeer;
  readonly progress: PortProgress;
}

export interface PortSink {
  onData(data: Uint8Array): void;
  /** Upstream's error text, e.g. connection refused. */
  onError(message: string): void;
  onEnd(): void;
}

/** A command to run in a container, or the container's own process to be joined. */
export interface ProcessTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Null joins what runs already. */
  readonly command: readonly string[] | null;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** `refused`: there is no such container, or it does not run. `failed`: there is no such program, in the runtime's words. */
export type ProcessEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string };

export interface ProcessSink {
  onOutput(stream: 'stdout' | 'stderr', data: Uint8Array): void;
  /** It is over; nothing follows. */
  onEnd(end: ProcessEnd): void;
}

/** What a client sends to a process. */
export interface ProcessConnection {
  write(data: Uint8Array): void;
  /** Characters. */
  resize(width: number, height: number): void;
  /** Its output is full: it stands still before its next command until it is taken again. */
  hold(isHeld: boolean): void;
  /** There is no more input. */
  endInput(): void;
  /** The client is gone. */
  end(): void;
}

/** A port of a pod, and the address that is told of it. */
export interface ProxyPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly address: string;
  readonly port: number;
}

/** What came back of a request: bytes, or nobody listens there, or nobody can be reached. */
export type PortReply = { readonly type: 'data'; readonly data: Uint8Array } | { readonly type: 'refused' } | { readonly type: 'silent' };

/** What a kubelet's own server answers. */
export interface KubeletPage {
  readonly text: string;
  readonly contentType: string;
}

export interface PodQuestion {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface PodAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** It would come so long after the question. */
  readonly tookMs?: number;
}

/** Who listens at a port of a pod; asking changes nothing. */
export interface PodServer {
  /** Whether somebody has described it; else it is taken to do as its cluster expects. */
  readonly isDescribed: boolean;
  /** PEM of what it shows who calls it over HTTPS: `tls.crt` of the Secret that it has mounted; undefined where nobody knows. */
  readonly certificate?: string | undefined;
  answer(question: PodQuestion): PodAnswer;
}

/** Failures (no such container, container not started, node unreachable) are thrown as StatusError with upstream's texts. */
export interface KubeletConnections {
  /** Log text written so far, as the options select it. */
  readLogs(namespace: string, pod: string, options: LogOptions): string;
  /** Calls `onText` for what is written from now on, `onEnd` when the container has ended. */
  followLogs(namespace: string, pod: string, options: LogOptions, onText: (text: string) => void, onEnd: () => void): StreamHandle;
  /** A page of the kubelet itself: `stats/summary`, `metrics/resource`, `healthz`; others are not found. Undefined where the node has no kubelet. */
  readNode(node: string, path: readonly string[]): KubeletPage | undefined;
  /** Who listens at a port; a text says that nobody does, undefined that the pod cannot be reached. */
  serverAt(namespace: string, pod: string, port: number): PodServer | string | undefined;
  openPort(namespace: string, pod: string, port: number, sink: PortSink): PodConnection;
  /** `id` is not in use. The sink may be called before this returns. */
  openProcess(id: number, target: ProcessTarget, sink: ProcessSink): ProcessConnection;
  /** Of a process that was there when the cluster was saved; undefined when it has ended. */
  reopenProcess(id: number): ProcessConnection | undefined;
  /** A connection that was open when the cluster was saved. */
  reopenPort(peer: PortPeer, port: number, sink: PortSink, progress: PortProgress): PodConnection;
}
