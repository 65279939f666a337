/** What is remembered of commands in containers, and of who has joined a container's process (law 9). */
import { addedLater, flag, nullable, number, record, text } from '../../base/codecs.ts';
import type { Slots } from '../../base/slots.ts';
import type { ShellProgram } from '../runtime/program.ts';
import { shellProgram } from '../saved.ts';

export interface Joined {
  /** Of the connection. */
  readonly id: number;
  /** Of the pod's worker. */
  readonly uid: string;
  readonly container: string;
  readonly containerId: string;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
  /** Its client does not read. */
  isHeld: boolean;
}

export interface OpenProcess extends Joined {
  readonly program: ShellProgram;
  timer: number;
  timerMs: number | null;
}

const joinedFields = {
  id: number,
  uid: text,
  container: text,
  containerId: text,
  stdin: flag,
  stdout: flag,
  stderr: flag,
  tty: flag,
  isHeld: addedLater(flag, () => false),
};

export function declareProcesses(slots: Slots): { readonly open: Map<string, OpenProcess>; readonly joined: Map<string, Joined> } {
  return {
    open: slots.map('open', record<OpenProcess>({ ...joinedFields, program: shellProgram, timer: number, timerMs: nullable(number) })),
    joined: slots.map('joined', record<Joined>(joinedFields)),
  };
}
