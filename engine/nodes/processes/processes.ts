/**
 * Commands that clients run in containers, and clients who have joined a container's own process. Mirrors GetExec and GetAttach of
 * pkg/kubelet/kubelet_pods.go and the streams of a container runtime. What is sent enters through the gate of law 5 before it gets here.
 */
import type { ProcessConnection, ProcessEnd, ProcessSink, ProcessTarget } from '../../contracts/connect.ts';
import { bytesOfText, textOfBytes } from '../../base/byte-text.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Slots } from '../../base/slots.ts';
import { componentName, type NodesContext } from '../context.ts';
import { containerSpec, type KubeletEnvironment } from '../kubelet/environment.ts';
import { definitionOf, programHost } from '../kubelet/program-host.ts';
import { commandFault } from '../kubelet/system-disk.ts';
import type { ContainerRun, PodWorker } from '../kubelet/worker.ts';
import type { Machine } from '../machine.ts';
import type { PodWorkers } from '../pod-workers.ts';
import { advanceProgram, programWakeMs, type ProgramHost, type ShellProgram, startCommand, terminateProgram } from '../runtime/program.ts';
import { ShellEnd } from '../runtime/shell-budget.ts';
import { interruptShell } from '../runtime/shell-console.ts';
import { wakeForInput } from '../runtime/shell.ts';
import { feed } from '../runtime/stdin.ts';
import { toTerminal, type as typeOn } from '../runtime/terminal.ts';
import { declareProcesses, type Joined, type OpenProcess } from './open-process.ts';

export const processTimer = 'process';
/** Of SIGKILL, and of what the terminal ends when it goes. */
const killedCode = 137;
const hungUpCode = 129;

/** Who reaches a pod: the worker and its machine, or a StatusError that says why not. */
type Reach = (namespace: string, pod: string) => { readonly worker: PodWorker; readonly machine: Machine };

interface Place {
  readonly worker: PodWorker;
  readonly run: ContainerRun;
  readonly env: KubeletEnvironment;
}

export class Processes {
  readonly #context: NodesContext;
  readonly #workers: PodWorkers;
  readonly #reach: Reach;
  readonly #open: Map<string, OpenProcess>;
  readonly #joined: Map<string, Joined>;
  /** Of clients that are there; a restored cluster has none. */
  readonly #sinks = new Map<number, ProcessSink>();

  constructor(context: NodesContext, workers: PodWorkers, slots: Slots, reach: Reach) {
    this.#context = context;
    this.#workers = workers;
    this.#reach = reach;
    ({ open: this.#open, joined: this.#joined } = declareProcesses(slots));
  }

  open(id: number, target: ProcessTarget, sink: ProcessSink): ProcessConnection {
    this.#sinks.set(id, sink);
    try {
      this.#begin(id, target);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#end(id, { type: 'refused', message: error.message });
    }
    return this.#connection(id);
  }

  reopen(id: number): ProcessConnection | undefined {
    return this.#open.has(String(id)) || this.#joined.has(String(id)) ? this.#connection(id) : undefined;
  }

  onTimer(id: string): void {
    const process = this.#open.get(id);
    if (process === undefined) return;
    process.timerMs = null;
    this.#advance(process);
  }

  /** What a container's shell writes, as it comes. */
  wrote(worker: PodWorker, run: ContainerRun, text: string, isError: boolean): void {
    for (const joined of this.#joinedTo(worker, run)) this.#emit(joined, joined.tty ? toTerminal(text) : text, isError);
  }

  /** A line that a container's server logs. */
  logged(worker: PodWorker, run: ContainerRun, text: string): void {
    if (run.program?.type === 'shell') return;
    this.wrote(worker, run, `${text}\n`, false);
  }

  /** After each step of a worker: with a container all that runs in it ends. */
  settle(worker: PodWorker): void {
    if (this.#open.size === 0 && this.#joined.size === 0) return;
    const isGone = ({ uid, container, containerId }: Joined): boolean =>
      uid === worker.uid && !worker.containers.some(({ name, id, state }) => name === container && id === containerId && state === 'running');
    for (const process of [...this.#open.values()]) if (isGone(process)) this.#exit(process, killedCode);
    for (const joined of [...this.#joined.values()]) if (isGone(joined)) this.#end(joined.id, { type: 'exited', code: 0 });
  }

  #begin(id: number, target: ProcessTarget): void {
    const { worker, machine } = this.#reach(target.namespace, target.pod);
    const env = this.#workers.environment(machine);
    const run = worker.containers.find(({ name }) => name === target.container);
    if (run === undefined || run.state !== 'running' || run.program === null) {
      this.#end(id, { type: 'refused', message: `container not found (${JSON.stringify(target.container)})` });
      return;
    }
    const { stdin, stdout, stderr, tty, command } = target;
    const joined: Joined = { id, uid: worker.uid, container: run.name, containerId: run.id, stdin, stdout, stderr, tty, isHeld: false };
    if (command === null) {
      this.#join(joined, { worker, run });
      return;
    }
    const program = commandFault(command[0] ?? '', machine) ?? startCommand(command, this.#hostOf(joined, { worker, run, env }), { stdin, tty });
    if (typeof program === 'string') {
      this.#end(id, { type: 'failed', message: `failed to exec in container: failed to start exec "${env.random.hex(64)}": ${program}` });
      return;
    }
    const process: OpenProcess = { ...joined, program, timer: 0, timerMs: null };
    this.#open.set(String(id), process);
    this.#advance(process);
  }

  #join(joined: Joined, { worker, run }: Pick<Place, 'worker' | 'run'>): void {
    // Whether there is a terminal was settled when the container started.
    this.#joined.set(String(joined.id), { ...joined, tty: containerSpec(worker.pod, run).tty === true });
  }

  #connection(id: number): ProcessConnection {
    return {
      write: (data) => this.#write(id, textOfBytes(data)),
      resize: (width, height) => this.#resize(id, width, height),
      hold: (isHeld) => this.#hold(id, isHeld),
      endInput: () => this.#endInput(id),
      end: () => this.#hangUp(id),
    };
  }

  /** Of the terminal of the process, which all who have joined it share. */
  #resize(id: number, columns: number, rows: number): void {
    const process = this.#open.get(String(id));
    const own = process === undefined ? this.#placeOf(this.#joined.get(String(id)))?.run.program : process.program;
    if (own?.type === 'shell' && own.terminal !== null) Object.assign(own.terminal, { columns, rows });
  }

  #write(id: number, text: string): void {
    const process = this.#open.get(String(id));
    if (process !== undefined && process.stdin) {
      this.#type(
        process.program,
        text,
        (echo) => this.#emit(process, echo, false),
        () => this.#advance(process),
      );
      return;
    }
    const place = this.#placeOf(this.#joined.get(String(id)));
    const program = place?.run.program;
    if (place === undefined || this.#joined.get(String(id))?.stdin !== true || program === undefined || program === null) return;
    const { worker, run, env } = place;
    const echo = (shown: string): void => {
      for (const one of this.#joinedTo(worker, run)) this.#emit(one, shown, false);
    };
    if (program.type === 'shell') this.#type(program, text, echo, () => this.#workers.sync(worker));
    else if (text.includes('\u0003') && this.#joined.get(String(id))?.tty === true) {
      terminateProgram(program, definitionOf(worker, run, env), env.nowMs);
      this.#workers.sync(worker);
    }
  }

  /** Characters for a program: through its terminal, if it has one. */
  #type(program: ShellProgram, text: string, echo: (text: string) => void, goOn: () => void): void {
    const { terminal } = program;
    if (terminal === null) {
      this.#feed(program, text);
      goOn();
      return;
    }
    for (const stroke of typeOn(terminal, text)) {
      if (stroke.type === 'echo') echo(stroke.text);
      else {
        if (stroke.type === 'line') this.#feed(program, stroke.text);
        else if (stroke.type === 'interrupt') interruptShell(program.shell, this.#context.loop.nowMs());
        else this.#close(program, true);
        goOn();
      }
    }
  }

  #feed({ shell }: ShellProgram, text: string): void {
    if (shell.stdin === null || shell.exitCode !== null) return;
    try {
      feed(shell.stdin, text);
    } catch (error) {
      if (!(error instanceof ShellEnd)) throw error;
      shell.exitCode = killedCode;
    }
    wakeForInput(shell, this.#context.loop.nowMs());
  }

  #close({ shell }: ShellProgram, isTyped = false): void {
    if (shell.stdin !== null) Object.assign(shell.stdin, { ended: true, endsOnce: isTyped });
    wakeForInput(shell, this.#context.loop.nowMs());
  }

  #endInput(id: number): void {
    const process = this.#open.get(String(id));
    if (process !== undefined) {
      this.#close(process.program);
      this.#advance(process);
      return;
    }
    const joined = this.#joined.get(String(id));
    const place = this.#placeOf(joined);
    if (place === undefined || joined?.stdin !== true) return;
    const { stdin, stdinOnce, tty } = containerSpec(place.worker.pod, place.run);
    if (stdin !== true) return;
    // Who came to say something has done so, and the next who joins may go on. Mirrors Attach of containerd's container_io.go.
    if (stdinOnce !== true || tty === true) {
      this.#end(id, { type: 'exited', code: 0 });
      if (joined.isHeld) this.#settleHeld(joined);
    } else if (place.run.program?.type === 'shell') {
      this.#close(place.run.program);
      this.#workers.sync(place.worker);
    }
  }

  /** A container's own process stands still as long as one of those who have joined it does not read, as under containerd. */
  #hold(id: number, isHeld: boolean): void {
    const process = this.#open.get(String(id));
    if (process !== undefined) {
      process.isHeld = isHeld;
      process.program.shell.isBlocked = isHeld;
      this.#advance(process);
      return;
    }
    const joined = this.#joined.get(String(id));
    if (joined === undefined || joined.isHeld === isHeld) return;
    joined.isHeld = isHeld;
    this.#settleHeld(joined);
  }

  #settleHeld(joined: Joined): void {
    const place = this.#placeOf(joined);
    if (place?.run.program?.type !== 'shell') return;
    place.run.program.shell.isBlocked = this.#joinedTo(place.worker, place.run).some(({ isHeld }) => isHeld);
    this.#workers.sync(place.worker);
  }

  /** With its terminal a process ends; without one it reads the end of its input. */
  #hangUp(id: number): void {
    this.#sinks.delete(id);
    const process = this.#open.get(String(id));
    if (process?.tty === true) this.#exit(process, hungUpCode);
    else {
      // Nobody hears what it writes from now on, which blocks it no longer.
      if (process !== undefined) process.program.shell.isBlocked = false;
      this.#endInput(id);
    }
    const joined = this.#joined.get(String(id));
    this.#joined.delete(String(id));
    if (joined?.isHeld === true) this.#settleHeld(joined);
  }

  #advance(process: OpenProcess): void {
    const place = this.#placeOf(process);
    if (place === undefined || place.run.state !== 'running') {
      this.#exit(process, killedCode);
      return;
    }
    const code = advanceProgram(process.program, this.#hostOf(process, place, process.program));
    if (code !== undefined) this.#exit(process, code);
    else this.#schedule(process);
  }

  /** A command writes to its client and not to the container's log. */
  #hostOf(joined: Joined, { worker, run, env }: Place, program?: ShellProgram): ProgramHost {
    const host = programHost(worker, run, env);
    const { nowMs, hostname, definition } = host;
    return {
      nowMs,
      hostname,
      definition,
      env: host.env,
      readFile: host.readFile,
      workingDir: host.workingDir,
      folders: host.folders,
      mounted: host.mounted,
      isBroken: host.isBroken,
      isReadOnly: host.isReadOnly,
      hasRoom: host.hasRoom,
      ...(host.user === undefined ? {} : { user: host.user }),
      stat: host.stat,
      terminal: () => program?.terminal ?? null,
      get files() {
        return host.files;
      },
      log: () => undefined,
      write: (text, isError) => this.#emit(joined, joined.tty ? toTerminal(text) : text, isError),
    };
  }

  #schedule(process: OpenProcess): void {
    const { loop } = this.#context;
    const dueMs = programWakeMs(process.program) ?? null;
    if (dueMs === process.timerMs) return;
    if (process.timerMs !== null) loop.cancelTimer(process.timer);
    process.timerMs = dueMs;
    if (dueMs !== null) process.timer = loop.setTimer(componentName, dueMs, processTimer, String(process.id));
  }

  #exit(process: OpenProcess, code: number): void {
    if (process.timerMs !== null) this.#context.loop.cancelTimer(process.timer);
    this.#open.delete(String(process.id));
    this.#end(process.id, { type: 'exited', code });
  }

  #end(id: number, end: ProcessEnd): void {
    this.#joined.delete(String(id));
    const sink = this.#sinks.get(id);
    this.#sinks.delete(id);
    sink?.onEnd(end);
  }

  /** A terminal has one stream. */
  #emit({ id, tty, stdout, stderr }: Joined, text: string, isError: boolean): void {
    const stream = isError && !tty ? 'stderr' : 'stdout';
    if (text !== '' && (stream === 'stdout' ? stdout : stderr)) this.#sinks.get(id)?.onOutput(stream, bytesOfText(text));
  }

  #joinedTo({ uid }: PodWorker, { id }: ContainerRun): readonly Joined[] {
    if (this.#joined.size === 0) return [];
    return [...this.#joined.values()].filter((joined) => joined.uid === uid && joined.containerId === id);
  }

  #placeOf(joined: Joined | undefined): Place | undefined {
    const worker = joined === undefined ? undefined : this.#context.workers.get(joined.uid);
    const machine = this.#context.machines.get(worker?.node ?? '');
    const run = worker?.containers.find(({ name, id }) => name === joined?.container && id === joined.containerId);
    if (worker === undefined || machine === undefined || run === undefined) return undefined;
    return { worker, run, env: this.#workers.environment(machine) };
  }
}
