/**
 * Appends lines to a log. Lines are collected and written together; what could not be written is kept and written again from the
 * same offset, so a short write or a full disk never leaves a gap (SESSION-FILE.md F5, F6).
 */
import { fsyncSync, writeSync } from 'node:fs';
import { encodeLine, type LogRecord } from './log-line.ts';

/** Lines could not be written; they wait. */
export class LogWriteError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code === 'ENOSPC' ? 'no space is left on the device' : `it cannot be written (${code})`);
    this.name = 'LogWriteError';
    this.code = code;
  }
}

/** How bytes reach the file; tests give one that fails. */
export type WriteBytes = (file: number, bytes: Buffer, position: number) => number;

const systemWrite: WriteBytes = (file, bytes, position) => writeSync(file, bytes, 0, bytes.length, position);

export class LogWriter {
  readonly #file: number;
  readonly #write: WriteBytes;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Up to here the operating system has it. */
  #written: number;
  #isSynced = true;

  /** Goes on at `offset`, the end of the file's last line. */
  constructor(file: number, offset: number, write: WriteBytes = systemWrite) {
    this.#file = file;
    this.#written = offset;
    this.#write = write;
  }

  /** Where the next line will begin. */
  get offset(): number {
    return this.#written + this.#waitingBytes;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  append(record: LogRecord): void {
    const line = encodeLine(record);
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
  }

  /** Hands all that waits to the operating system, or throws and keeps what is left. */
  flush(): void {
    if (this.#waitingBytes === 0) return;
    let bytes = this.#waiting.length === 1 ? (this.#waiting[0] as Buffer) : Buffer.concat(this.#waiting, this.#waitingBytes);
    this.#isSynced = false;
    try {
      while (bytes.length > 0) {
        const count = this.#write(this.#file, bytes, this.#written);
        if (count <= 0) throw new LogWriteError('EIO');
        this.#written += count;
        bytes = bytes.subarray(count);
      }
    } catch (error) {
      throw error instanceof LogWriteError ? error : new LogWriteError((error as NodeJS.ErrnoException).code ?? 'EIO');
    } finally {
      this.#waiting = bytes.length === 0 ? [] : [bytes];
      this.#waitingBytes = bytes.length;
    }
  }

  /** Makes durable what was flushed. */
  sync(): void {
    if (this.#isSynced) return;
    try {
      fsyncSync(this.#file);
    } catch (error) {
      throw new LogWriteError((error as NodeJS.ErrnoException).code ?? 'EIO');
    }
    this.#isSynced = true;
  }
}
