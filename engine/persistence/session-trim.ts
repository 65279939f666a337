/**
 * Cuts off the beginning of a session that is being written: a file beside it gets a head of its own and everything from a base on,
 * in slices while the old one grows, and takes its name at last (SESSION-FILE.md F15). Until then the old file is whole and in force.
 */
import { closeSync, constants, fchmodSync, fstatSync, fsyncSync, ftruncateSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type FileLock, lockFile } from './file-lock.ts';
import { encodeLine } from './log-line.ts';
import { copyBytesTo, writeAll } from './log-reader.ts';
import type { Mark, SessionHead } from './session-records.ts';

/** What takes the place of a file. */
export interface TrimmedFile {
  readonly file: number;
  readonly lock: FileLock;
  readonly head: SessionHead;
  readonly headEnd: number;
  /** Bytes in it. */
  readonly length: number;
}

/** The file behind a path, and the first line of the base that it is to begin with. */
export interface TrimBegin {
  readonly path: string;
  readonly file: number;
  readonly head: SessionHead;
  readonly offset: number;
  readonly address: number;
  readonly mark: Mark;
}

export function trimmingPath(path: string): string {
  return `${path}.trimming`;
}

/** Removes a file that nobody reads. Where that is refused (by a folder, or a program that has it open) it stays: the next to trim writes over it. */
export function removeUnused(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    if (!refusals.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const refusals: ReadonlySet<string> = new Set(['EACCES', 'EBUSY', 'EPERM', 'EROFS']);

export class SessionTrim {
  /** Behind links: the name that the new file takes. */
  readonly #path: string;
  readonly #from: number;
  readonly #at: number;
  readonly #to: number;
  readonly #lock: FileLock;
  readonly #head: SessionHead;
  readonly #headEnd: number;
  #copied: number;

  /** Throws what the system throws. */
  constructor({ path, file, head, offset, ...place }: TrimBegin) {
    this.#path = realpathSync(path);
    this.#from = file;
    this.#at = offset;
    this.#copied = offset;
    const beside = trimmingPath(this.#path);
    this.#to = openSync(beside, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      fchmodSync(this.#to, 0o600);
      this.#lock = lockFile(this.#to);
    } catch (error) {
      closeSync(this.#to);
      throw error;
    }
    try {
      ftruncateSync(this.#to, 0);
      const { tasksRun, nowMs } = place.mark;
      this.#head = { ...head, trimmed: { address: place.address, tasksRun, nowMs } };
      const line = encodeLine(this.#head);
      this.#headEnd = line.length;
      writeAll(this.#to, line);
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  /** Copies at most so many bytes of what is written up to `end`; returns how many are left. */
  copy(end: number, bytesMax: number): number {
    const to = Math.min(end, this.#copied + bytesMax);
    copyBytesTo(this.#from, this.#copied, to, this.#to);
    this.#copied = to;
    return end - to;
  }

  /** Everything up to `end`, which is all there is, is copied and the new file takes the name. */
  finish(end: number): TrimmedFile {
    this.copy(end, Number.POSITIVE_INFINITY);
    fsyncSync(this.#to);
    const [now, own] = [statSync(this.#path, { bigint: true }), fstatSync(this.#from, { bigint: true })];
    if (now.ino !== own.ino || now.dev !== own.dev) throw new Error(`${this.#path} is another file now`);
    renameSync(trimmingPath(this.#path), this.#path);
    return { file: this.#to, lock: this.#lock, head: this.#head, headEnd: this.#headEnd, length: this.#headEnd + end - this.#at };
  }

  /** Makes the new name durable, where a folder can be opened. */
  sync(): void {
    if (process.platform === 'win32') return;
    const folder = openSync(dirname(this.#path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }

  /** Leaves the old file in force. */
  abandon(): void {
    closeSync(this.#to);
    removeUnused(trimmingPath(this.#path));
    this.#lock.release();
  }
}
