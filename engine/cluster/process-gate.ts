/**
 * Commands in containers at the gate of law 5: opening one, what is typed, the size of the terminal, that its client
 * does not read and its end are inputs, because
 * a command may change what its container has and does. A process that has ended takes nothing more.
 */
import { decodeBase64, encodeBase64 } from '../base/base64.ts';
import { list, number } from '../base/codecs.ts';
import type { JsonObject } from '../base/json.ts';
import { Slots } from '../base/slots.ts';
import type { KubeletConnections, ProcessConnection, ProcessSink, ProcessTarget } from '../contracts/connect.ts';
import type { Admit } from './inputs.ts';

export type RecordedProcess = { readonly process: number; readonly open: ProcessTarget } | ProcessStep;

type ProcessStep =
  /** Base64. */
  | { readonly process: number; readonly data: string }
  | { readonly process: number; readonly size: readonly [width: number, height: number] }
  | { readonly process: number; readonly held: boolean }
  | { readonly process: number; readonly closed: 'input' | 'all' };

type Kubelets = Pick<KubeletConnections, 'openProcess' | 'reopenProcess'>;

const deafSink: ProcessSink = { onOutput: () => undefined, onEnd: () => undefined };

export class ProcessGate {
  readonly #kubelets: Kubelets;
  readonly #admit: Admit;
  readonly #open = new Map<number, ProcessConnection>();
  /** The processes that are open; restored, they have a client who does not listen. */
  readonly slots = new Slots();
  #last = 0;

  constructor(kubelets: Kubelets, admit: Admit) {
    this.#kubelets = kubelets;
    this.#admit = admit;
    this.slots.field(
      'open',
      list(number),
      () => [...this.#open.keys()],
      (ids) => {
        this.#open.clear();
        for (const id of ids) this.#reopen(id);
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

  open(target: ProcessTarget, sink: ProcessSink): ProcessConnection {
    const process = this.#last + 1;
    this.#enter({ process, open: target }, () => this.#begin(process, target, sink));
    const enter = (what: ProcessStep): void => {
      if (this.#open.has(process)) this.#enter(what, () => this.#act(what));
    };
    return {
      write: (data) => enter({ process, data: encodeBase64(data) }),
      resize: (width, height) => enter({ process, size: [width, height] }),
      hold: (held) => enter({ process, held }),
      endInput: () => enter({ process, closed: 'input' }),
      end: () => enter({ process, closed: 'all' }),
    };
  }

  /** Their clients are gone with the process that served them. */
  endAll(): void {
    for (const process of [...this.#open.keys()]) {
      const what: ProcessStep = { process, closed: 'all' };
      this.#enter(what, () => this.#act(what));
    }
  }

  /** Runs inside an input. */
  replay(what: RecordedProcess): void {
    if ('open' in what) this.#begin(what.process, what.open, deafSink);
    else this.#act(what);
  }

  #reopen(id: number): void {
    const connection = this.#kubelets.reopenProcess(id);
    if (connection !== undefined) this.#open.set(id, connection);
  }

  #begin(id: number, target: ProcessTarget, sink: ProcessSink): void {
    this.#last = Math.max(this.#last, id);
    let isOver = false;
    const connection = this.#kubelets.openProcess(id, target, {
      onOutput: (stream, data) => sink.onOutput(stream, data),
      onEnd: (end) => {
        isOver = true;
        this.#open.delete(id);
        sink.onEnd(end);
      },
    });
    if (!isOver) this.#open.set(id, connection);
  }

  #act(what: ProcessStep): void {
    const connection = this.#open.get(what.process);
    if (connection === undefined) return;
    if ('data' in what) connection.write(decodeBase64(what.data));
    else if ('size' in what) connection.resize(...what.size);
    else if ('held' in what) connection.hold(what.held);
    else if (what.closed === 'input') connection.endInput();
    else {
      this.#open.delete(what.process);
      connection.end();
    }
  }

  #enter(what: RecordedProcess, act: () => void): void {
    this.#admit(what as unknown as JsonObject, act);
  }
}

export function isRecordedProcess(what: unknown): what is RecordedProcess {
  return typeof what === 'object' && what !== null && 'process' in what;
}
