/**
 * The audit log on disk, or on stdout (`-`): what `--audit-log-*` asks for. A line is written before its request is answered, or in
 * batches; the file is for its owner alone, and is put aside when it has grown. Mirrors apiserver plugin/pkg/audit/{log,buffered} and
 * how upstream's logs are rotated: `audit-2026-01-01T00-00-00.000.log`.
 */
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AuditSink } from '../apiserver/audit/auditor.ts';
import { backupName, tidyBackups } from './audit-backups.ts';
import { Throttle, type ThrottleOptions } from './audit-throttle.ts';
import { CommandError } from './command-error.ts';

export const auditModes = ['batch', 'blocking', 'blocking-strict'] as const;
export type AuditMode = (typeof auditModes)[number];

export interface AuditLogOptions {
  /** `-` is stdout. */
  readonly path: string;
  readonly mode: AuditMode;
  /** 0: never put aside. */
  readonly bytesMax: number;
  /** 0: all are kept. */
  readonly backupsMax: number;
  readonly backupDaysMax: number;
  readonly compresses: boolean;
  readonly bufferSize: number;
  readonly batchSize: number;
  /** How long a batch waits to become full; 0 does not wait. */
  readonly batchWaitMs: number;
  readonly throttle?: ThrottleOptions;
}

/** What the log needs of the system; a test gives its own. */
export interface AuditLogSystem {
  write(fd: number, bytes: Uint8Array): number;
  /** Wall time. */
  nowMs(): number;
  after(delayMs: number, call: () => void): () => void;
  /** Trouble is told once until it is over. */
  say(line: string): void;
}

const stdout = 1;

export class AuditLog implements AuditSink {
  readonly #options: AuditLogOptions;
  readonly #system: AuditLogSystem;
  readonly #throttle: Throttle;
  #fd: number;
  #bytes: number;
  /** The last write ended inside a line. */
  #isTorn = false;
  #isFailing = false;
  #errors = 0;
  #buffer: string[] = [];
  #cancelFlush: (() => void) | undefined;
  #tidied: Promise<void> = Promise.resolve();

  constructor(options: AuditLogOptions, system: AuditLogSystem) {
    this.#options = options;
    this.#system = system;
    this.#throttle = new Throttle(options.throttle ?? { qps: 0, burst: 1 }, () => system.nowMs());
    ({ fd: this.#fd, bytes: this.#bytes } = options.path === '-' ? { fd: stdout, bytes: 0 } : open(options.path));
  }

  /** Lines that are lost. */
  get errors(): number {
    return this.#errors;
  }

  write(line: string): boolean {
    const { mode } = this.#options;
    if (mode === 'batch') {
      this.#keep(line);
      return true;
    }
    return this.#append(`${line}\n`, 1) || mode === 'blocking';
  }

  /** Writes what waits, and closes. Resolves when logs that were put aside are in order too. */
  close(): Promise<void> {
    this.#cancelFlush?.();
    while (this.#buffer.length > 0) this.#flushBatch();
    if (this.#fd !== stdout) closeSync(this.#fd);
    return this.#tidied;
  }

  #keep(line: string): void {
    const { bufferSize, batchSize, batchWaitMs } = this.#options;
    if (this.#buffer.length >= bufferSize) {
      this.#failed(new Error('audit buffer queue is full'), 1);
      return;
    }
    this.#buffer.push(line);
    if (this.#buffer.length >= batchSize) this.#flushIn(0);
    else this.#flushIn(batchWaitMs);
  }

  #flushIn(delayMs: number): void {
    if (this.#cancelFlush !== undefined && delayMs > 0) return;
    this.#cancelFlush?.();
    this.#cancelFlush = this.#system.after(delayMs, () => {
      this.#cancelFlush = undefined;
      const waitMs = this.#throttle.waitMs();
      if (waitMs > 0) return this.#flushIn(waitMs);
      this.#throttle.take();
      this.#flushBatch();
      if (this.#buffer.length > 0) this.#flushIn(this.#buffer.length >= this.#options.batchSize ? 0 : this.#options.batchWaitMs);
    });
  }

  #flushBatch(): void {
    const batch = this.#buffer.splice(0, this.#options.batchSize);
    if (batch.length > 0) this.#append(`${batch.join('\n')}\n`, batch.length);
  }

  #append(text: string, lines: number): boolean {
    const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text);
    try {
      this.#rotateFor(bytes.length);
      let written = 0;
      while (written < bytes.length) {
        const more = this.#system.write(this.#fd, bytes.subarray(written));
        written += more;
        this.#bytes += more;
        this.#isTorn = written < bytes.length && (written > 0 || this.#isTorn);
      }
    } catch (error) {
      this.#failed(error as Error, lines);
      return false;
    }
    if (this.#isFailing) this.#system.say('the audit log is written again');
    this.#isFailing = false;
    return true;
  }

  #failed(error: Error, lines: number): void {
    this.#errors += lines;
    if (!this.#isFailing) this.#system.say(`Error in audit plugin 'log' affecting ${lines} audit events: ${error.message}`);
    this.#isFailing = true;
  }

  #rotateFor(more: number): void {
    const { path, bytesMax } = this.#options;
    if (path === '-' || bytesMax === 0 || this.#bytes === 0 || this.#bytes + more <= bytesMax) return;
    // A device or a pipe is not put aside: it holds nothing, and others use it by its name.
    if (!fstatSync(this.#fd).isFile()) return;
    const nowMs = this.#system.nowMs();
    renameSync(path, backupName(path, nowMs));
    const old = this.#fd;
    ({ fd: this.#fd, bytes: this.#bytes } = open(path));
    closeSync(old);
    this.#tidied = this.#tidied
      .then(() => tidyBackups(this.#options, nowMs))
      .catch((error: unknown) => this.#system.say(`old audit logs cannot be tidied up: ${(error as Error).message}`));
  }
}

function open(path: string): { readonly fd: number; readonly bytes: number } {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const fd = openSync(path, 'a', 0o600);
    return { fd, bytes: fstatSync(fd).size };
  } catch (error) {
    throw new CommandError(`ensureLogFile: ${(error as Error).message}`, 1);
  }
}

export const systemOf = (say: (line: string) => void): AuditLogSystem => ({
  write: (fd, bytes) => writeSync(fd, bytes),
  nowMs: () => Date.now(),
  after: (delayMs, call) => {
    const timer = delayMs === 0 ? setImmediate(call) : setTimeout(call, delayMs);
    return () => (delayMs === 0 ? clearImmediate(timer as NodeJS.Immediate) : clearTimeout(timer as NodeJS.Timeout));
  },
  say,
});
