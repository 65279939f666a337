/**
 * Appends lines to a log. Lines are collected and written together; what could not be written is kept and written again from the
 * same offset, so a short write or a full disk never leaves a gap (SESSION-FILE.md F5, F6).
 */
import { fsyncSync, writeSync } from 'node:fs';
import { encodeLine, type LogRecord } from './log-line.ts';
import { type LineSeals, sealLine } from './sealed-lines.ts';

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
  #file: number;
  readonly #write: WriteBytes;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #written: number;
  #isSynced = true;

  /** What an offset is less than an address by. */
  #shift: number;
  readonly #seals: () => LineSeals | undefined;

  /** Goes on at `offset`, the end of the file's last line. */
  constructor(file: number, offset: number, shift: number, write: WriteBytes = systemWrite, seals: () => LineSeals | undefined = () => undefined) {
    this.#seals = seals;
    this.#file = file;
    this.#written = offset;
    this.#shift = shift;
    this.#write = write;
  }

  /** Where the next line will begin. */
  get offset(): number {
    return this.#written + this.#waitingBytes;
  }

  /** The same, as later lines name it: it stays when the file is trimmed. */
  get address(): number {
    return this.offset + this.#shift;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Up to here the operating system has it. */
  get written(): number {
    return this.#written;
  }

  /** A record, or a line that was made of one already. */
  append(record: LogRecord | Buffer): void {
    const isLine = Buffer.isBuffer(record);
    const line = sealLine(isLine ? record : encodeLine(record), isLine ? undefined : record, this.#seals());
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

  /** Goes on in another file, which holds all that was written; what waits follows there. */
  moveTo(file: number, offset: number): void {
    this.#file = file;
    this.#shift += this.#written - offset;
    this.#written = offset;
    this.#isSynced = false;
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
