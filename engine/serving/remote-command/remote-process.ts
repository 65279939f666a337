/**
 * One command in a container, or one client who has joined a container: what the transports have in common. The status at the end says
 * how it went. Mirrors k8s.io/cri-streaming pkg/streaming/remotecommand (exec.go, attach.go, status.go).
 */
import { Buffer } from 'node:buffer';
import type { ProcessConnection, ProcessEnd, ProcessSink, ProcessTarget } from '../../contracts/connect.ts';
import { StatusError } from '../../apimachinery/status.ts';

/** Starts or joins a process. The sink may be called before this returns; failures may be thrown. */
export type OpenProcess = (target: ProcessTarget, sink: ProcessSink) => ProcessConnection;

/** The client's side. */
export interface ProcessClient {
  write(stream: 'stdout' | 'stderr', data: Uint8Array): void;
  /** How it ended; nothing follows. */
  end(end: ProcessEnd): void;
}

export class RemoteProcess {
  readonly #client: ProcessClient;
  #connection: ProcessConnection | undefined;
  #isOver = false;
  #sizes = '';

  constructor(target: ProcessTarget, open: OpenProcess, client: ProcessClient) {
    this.#client = client;
    try {
      this.#connection = open(target, {
        onOutput: (stream, data) => {
          if (!this.#isOver) client.write(stream, data);
        },
        onEnd: (end) => this.#end(end),
      });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#end({ type: 'refused', message: error.message });
    }
  }

  write(data: Uint8Array): void {
    if (!this.#isOver && data.length > 0) this.#connection?.write(data);
  }

  /** JSON objects one after the other, in pieces as they come. */
  resize(data: Uint8Array): void {
    this.#sizes += Buffer.from(data).toString('utf8');
    if (this.#sizes.length > sizeTextMax) this.#sizes = '';
    for (let match = sizeText.exec(this.#sizes); match !== null; match = sizeText.exec(this.#sizes)) {
      this.#sizes = this.#sizes.slice(match.index + match[0].length);
      const size = readSize(match[0]);
      if (size !== undefined && !this.#isOver) this.#connection?.resize(...size);
    }
  }

  /** Its client does not read, or reads again. Never while the process says something. */
  hold(isHeld: boolean): void {
    if (!this.#isOver) this.#connection?.hold(isHeld);
  }

  endInput(): void {
    if (!this.#isOver) this.#connection?.endInput();
  }

  /** The client is gone. */
  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection?.end();
  }

  #end(end: ProcessEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#client.end(end);
  }
}

/**
 * A process that was opened before its client is joined to it, who may be refused instead. What it says meanwhile is kept; `open` hands
 * it on, once. Without a client who comes, `abandon` ends it.
 */
export function openedBefore(target: ProcessTarget, open: OpenProcess): { readonly refusal?: string; readonly open: OpenProcess; abandon(): void } {
  let sink: ProcessSink | undefined;
  const early: ((sink: ProcessSink) => void)[] = [];
  let refusal: string | undefined;
  const pass = (event: (to: ProcessSink) => void): void => {
    if (sink === undefined) early.push(event);
    else event(sink);
  };
  let connection: ProcessConnection;
  try {
    connection = open(target, {
      onOutput: (stream, data) => pass((to) => to.onOutput(stream, data)),
      onEnd: (end) => {
        if (sink === undefined && end.type === 'refused') refusal = end.message;
        pass((to) => to.onEnd(end));
      },
    });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { refusal: error.message, open, abandon: () => {} };
  }
  const join: OpenProcess = (_target, to) => {
    sink = to;
    for (const event of early.splice(0)) event(to);
    return connection;
  };
  return { ...(refusal === undefined ? {} : { refusal }), open: join, abandon: () => connection.end() };
}

const sizeText = /\{[^{}]*\}/;
const sizeTextMax = 4_096;
const lengthMax = 65_535;

function readSize(text: string): readonly [number, number] | undefined {
  try {
    const { Width: width, Height: height } = JSON.parse(text) as { readonly Width?: unknown; readonly Height?: unknown };
    const isLength = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= lengthMax;
    return isLength(width) && isLength(height) ? [width, height] : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** As clients that know exit codes read it. `isTranslated`: the API server speaks for the kubelet, and says so once more. */
export function statusText(end: ProcessEnd, isAttach: boolean, isTranslated: boolean): string {
  const message = failureText(end, isAttach, isTranslated);
  if (message === undefined) return JSON.stringify({ metadata: {}, status: 'Success' });
  if (end.type !== 'exited') {
    const details = { causes: [{ message: message.replace(/^Internal error occurred: /, '') }] };
    return JSON.stringify({ metadata: {}, status: 'Failure', message, reason: 'InternalError', details, code: 500 });
  }
  const details = { causes: [{ reason: 'ExitCode', message: String(end.code) }] };
  return JSON.stringify({ metadata: {}, status: 'Failure', message, reason: 'NonZeroExitCode', details });
}

/** As older clients read it; nothing where all went well. */
export function failureText(end: ProcessEnd, isAttach: boolean, isTranslated: boolean): string | undefined {
  switch (end.type) {
    case 'exited':
      return end.code === 0 ? undefined : `command terminated with non-zero exit code: command terminated with exit code ${end.code}`;
    case 'refused':
      return isTranslated ? `Internal error occurred: unable to upgrade connection: ${end.message}` : end.message;
    case 'failed': {
      const told = `Internal error occurred: ${isAttach ? 'error attaching to container' : 'error executing command in container'}: ${end.message}`;
      return isTranslated ? `Internal error occurred: ${told}` : told;
    }
  }
}
