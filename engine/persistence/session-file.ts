/**
 * A session on disk: what to run, what entered from outside, what changed, and restore points. SESSION-FILE.md numbers the rules of
 * the format; here is its life: opening, locking, looking for a restore point, reading what came after it, cutting off what cannot be used.
 */
import { UserError } from '../base/user-error.ts';
import { closeSync, constants, existsSync, fchmodSync, fstatSync, fsyncSync, ftruncateSync, openSync, realpathSync, statSync } from 'node:fs';
import { FileBusyError, type FileLock, lockFile } from './file-lock.ts';
import { decodeLine, isWhole, splitLine, typeOf } from './log-line.ts';
import { copyBytesTo, type RawLine, readLines, readLinesBackward } from './log-reader.ts';
import { LogWriter, type WriteBytes } from './log-writer.ts';
import {
  type BasedRecord,
  type ChangeRecord,
  type PieceRecord,
  type ReplayRecord,
  type RestorePoint,
  type SessionHead,
  type SessionRecord,
  sessionFormat,
} from './session-records.ts';
import { type LineSeals, openLine, SealError } from './sealed-lines.ts';
import { readState, type StoredState } from './session-state.ts';
import { removeUnused, SessionTrim, type TrimmedFile, trimmingPath } from './session-trim.ts';

/** The file cannot be used; the message is one line that says what to do. */
export class SessionError extends UserError {
  constructor(message: string) {
    super(message);
    this.name = 'SessionError';
  }
}

/** A line after a restore point; no record for a damaged one. */
export interface SessionLine {
  readonly offset: number;
  readonly end: number;
  readonly record: ReplayRecord | undefined;
}

/** The line that ends a base, and where it is. */
export interface BaseEnd {
  readonly based: BasedRecord;
  readonly offset: number;
}

const headBytesMax = 1 << 20;
/** Types of lines after which a session can be gone on with. */
const placed: ReadonlySet<string> = new Set(['input', 'mark', 'checkpoint', 'based', 'end']);
const pieces: ReadonlySet<string> = new Set<PieceRecord['t']>(['entry', 'old', 'past', 'part']);

export class SessionFile {
  readonly path: string;
  /** Seals what is written from now on, and opens what was sealed; it may be others later. */
  seals: LineSeals | undefined;
  #head: SessionHead | undefined;
  #file: number;
  #lock: FileLock | undefined;
  #headEnd: number;
  /** End of the last line that can be used. */
  #end: number;
  /** Bytes after it when the file was opened. */
  readonly droppedBytes: number;

  private constructor(path: string, file: number, lock: FileLock | undefined, seals: LineSeals | undefined) {
    this.path = path;
    this.seals = seals;
    this.#file = file;
    this.#lock = lock;
    const { size } = fstatSync(file);
    const head = size === 0 && lock !== undefined ? undefined : readHead(path, file, size);
    this.#head = head?.record;
    this.#headEnd = head?.end ?? 0;
    this.#end = head === undefined ? 0 : endOfUse(file, head.end, size);
    this.droppedBytes = size - this.#end;
    if (lock !== undefined) removeLeftTrimming(path);
  }

  #open(line: Buffer): Buffer {
    return this.#telling(() => openLine(line, this.seals));
  }

  /** What cannot be opened is no damage: nothing is cut off, and the user is told which key lacks. */
  #telling<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof SealError) throw new SessionError(`${this.path} ${error.message}`);
      throw error;
    }
  }

  /** Undefined for a file that was just made. */
  get head(): SessionHead | undefined {
    return this.#head;
  }

  /** Opens a session to write it, or makes one. Nobody else writes it until it is closed. */
  static openOrCreate(path: string, seals?: LineSeals): SessionFile {
    for (;;) {
      const file = open(path, constants.O_RDWR | constants.O_CREAT, 'write');
      const lock = lockOrClose(path, file);
      // Between opening and locking another process may have trimmed it: then this is the old file, which nobody finds any more.
      if (isFileAt(path, file)) return closingOnFailure(file, lock, () => new SessionFile(path, file, lock, seals));
      closeSync(file);
      lock.release();
    }
  }

  /** Opens a session to read it, also while another process writes it. */
  static openToRead(path: string, seals?: LineSeals): SessionFile {
    const file = open(path, constants.O_RDONLY, 'read');
    return closingOnFailure(file, undefined, () => new SessionFile(path, file, undefined, seals));
  }

  /** What is added to an offset to have an address, which stays when the file is trimmed. */
  get shift(): number {
    const trimmed = this.#head?.trimmed;
    return trimmed === undefined ? 0 : trimmed.address - this.#headEnd;
  }

  /** The nearest restore point that is not after a place and whole, with all it stands on. */
  readRestorePoint(tasksMax = Number.POSITIVE_INFINITY): StoredState | undefined {
    for (const base of this.bases()) {
      if (base.based.tasksRun > tasksMax) continue;
      const found = this.#readState(base, tasksMax);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #readState({ based, offset }: BaseEnd, tasksMax: number): StoredState | undefined {
    return this.#telling(() => readState(this.#file, { based, offset, shift: this.shift, tasksMax, to: this.#end, seals: this.seals }));
  }

  /** The oldest base that is written and begins behind an offset. */
  firstBaseBehind(offset: number, written: number): BaseEnd | undefined {
    this.#end = written;
    let first: BaseEnd | undefined;
    for (const base of this.bases()) {
      if (base.based.base - this.shift < offset) break;
      first = base;
    }
    return first;
  }

  /** The ends of all bases, the last one first: each names the one before, and what leads nowhere is looked for line by line. */
  *bases(): Generator<BaseEnd> {
    let before = this.#end;
    for (;;) {
      const found = this.#lastBaseBefore(before);
      if (found === undefined) return;
      for (let next: BaseEnd | undefined = found; next !== undefined; next = this.#baseNamedBy(next.based)) {
        yield next;
        before = next.based.base - this.shift;
      }
    }
  }

  #lastBaseBefore(offset: number): BaseEnd | undefined {
    for (const line of readLinesBackward(this.#file, this.#headEnd, offset)) {
      const type = typeOf(line.bytes);
      if (type !== 'based' && type !== 'checkpoint') continue;
      const record = decodeLine(this.#open(line.bytes)) as RestorePoint | undefined;
      if (record?.t === 'based') return { based: record, offset: line.offset };
      const named = record === undefined ? undefined : this.#baseAt(record.based);
      if (named !== undefined) return named;
    }
    return undefined;
  }

  #baseNamedBy({ previous }: BasedRecord): BaseEnd | undefined {
    return previous === undefined ? undefined : this.#baseAt(previous);
  }

  /** Undefined where it was trimmed off or is damaged. */
  #baseAt(address: number): BaseEnd | undefined {
    const offset = address - this.shift;
    if (offset < this.#headEnd || offset >= this.#end) return undefined;
    for (const line of readLines(this.#file, offset, this.#end)) {
      const record = decodeLine(line.bytes) as SessionRecord | undefined;
      return record?.t === 'based' && record.base - this.shift >= this.#headEnd ? { based: record, offset } : undefined;
    }
    return undefined;
  }

  /** Lines from an offset (absent: after the head) to the end, damaged ones included. */
  *lines(from = this.#headEnd): Generator<SessionLine> {
    for (const { offset, end, bytes } of readLines(this.#file, from, this.#end)) yield { offset, end, record: decodeForReplay(this.#open(bytes)) };
  }

  /** Copies everything from an offset on to a file beside this one; what it cuts off here is kept there. Returns its path. */
  cutAt(offset: number): string {
    const kept = `${this.path}.after-damage-${offset}`;
    const copy = openSync(kept, 'wx', 0o600);
    try {
      copyBytesTo(this.#file, offset, this.#end, copy);
      fsyncSync(copy);
    } finally {
      closeSync(copy);
    }
    this.#end = offset;
    return kept;
  }

  /** Begins a new session. */
  begin(head: SessionHead, write?: WriteBytes): LogWriter {
    fchmodSync(this.#file, 0o600);
    const writer = new LogWriter(this.#file, 0, 0, write, () => this.seals);
    writer.append(head);
    writer.flush();
    this.#head = head;
    this.#headEnd = writer.offset;
    this.#end = writer.offset;
    return writer;
  }

  /** Goes on behind what can be used; what cannot be is cut off. */
  goOn(write?: WriteBytes): LogWriter {
    ftruncateSync(this.#file, this.#end);
    return new LogWriter(this.#file, this.#end, this.shift, write, () => this.seals);
  }

  /** Begins to cut off what is before a base; `SessionTrim` says how. */
  beginTrim({ based }: BaseEnd): SessionTrim {
    const [head, path, file] = [this.#head, this.path, this.#file];
    if (head === undefined) throw new Error('a session without a head is not trimmed');
    return new SessionTrim({ path, file, head, offset: based.base - this.shift, address: based.base, mark: based });
  }

  /** Goes on in the file that has taken this one's name. */
  adopt({ file, lock, head, headEnd, length }: TrimmedFile): void {
    closeSync(this.#file);
    this.#lock?.release();
    this.#file = file;
    this.#lock = lock;
    this.#head = head;
    this.#headEnd = headEnd;
    this.#end = length;
  }

  close(): void {
    closeSync(this.#file);
    this.#lock?.release();
  }
}

/** What is long in a line and not asked for here stays text. */
function decodeForReplay(bytes: Buffer): ReplayRecord | undefined {
  const type = typeOf(bytes);
  if (type === 'change') return splitLine<ChangeRecord>(bytes, ['v', 'd'])?.record;
  if (pieces.has(type)) return isWhole(bytes) ? ({ t: type } as PieceRecord) : undefined;
  return decodeLine(bytes) as ReplayRecord | undefined;
}

/** What a process left that was killed while it trimmed the file: whoever holds the file's lock is alone. */
function removeLeftTrimming(path: string): void {
  const left = trimmingPath(realpathSync(path));
  if (!existsSync(left)) return;
  const file = openSync(left, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0 || readHead(left, file, size).record.trimmed !== undefined) removeUnused(left);
  } catch (error) {
    // Something else has that name.
    if (!(error instanceof SessionError)) throw error;
  } finally {
    closeSync(file);
  }
}

function isFileAt(path: string, file: number): boolean {
  const [own, now] = [fstatSync(file, { bigint: true }), statSync(path, { bigint: true, throwIfNoEntry: false })];
  return now !== undefined && now.ino === own.ino && now.dev === own.dev;
}

/** End of the last line that has a place; changes behind it were seen by nobody (F10). A damaged line is not cut off. */
function endOfUse(file: number, from: number, size: number): number {
  for (const line of readLinesBackward(file, from, size)) {
    if (placed.has(typeOf(line.bytes)) || decodeLine(line.bytes) === undefined) return line.end;
  }
  return from;
}

function readHead(path: string, file: number, size: number): { readonly record: SessionHead; readonly end: number } {
  let line: RawLine | undefined;
  for (const first of readLines(file, 0, Math.min(size, headBytesMax))) {
    line = first;
    break;
  }
  if (line === undefined) throw notASession(path);
  const record = (decodeLine(line.bytes) ?? headOfFormat1(line.bytes)) as
    | SessionHead
    | { readonly format: number; readonly engine: string }
    | undefined;
  if (record === undefined || ('t' in record && record.t !== 'session')) throw notASession(path);
  if (record.format !== sessionFormat) {
    throw new SessionError(
      `${path} has session format ${record.format}, this engine reads ${sessionFormat}; open it with the release that wrote it (${record.engine})`,
    );
  }
  return { record: record as SessionHead, end: line.end };
}

/** Lines had no checksums then. */
function headOfFormat1(bytes: Buffer): { readonly format: number; readonly engine: string } | undefined {
  if (!bytes.subarray(0, 64).includes('"type":"wavetank-session"')) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8')) as { readonly format: number; readonly engine: string };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function notASession(path: string): SessionError {
  return new SessionError(`${path} is not a Wavetank session file; give another path with --session`);
}

function open(path: string, flags: number, what: 'read' | 'write'): number {
  try {
    // Without O_NONBLOCK a pipe without a reader would hold the process here.
    const file = openSync(path, flags | (constants.O_NONBLOCK ?? 0), 0o600);
    if (!fstatSync(file).isFile()) {
      closeSync(file);
      throw new SessionError(`${path} is not a file; give another path with --session`);
    }
    return file;
  } catch (error) {
    if (error instanceof SessionError) throw error;
    const hint = what === 'read' ? 'give a readable session file' : 'give another path with --session';
    throw new SessionError(`cannot ${what} ${path} (${(error as NodeJS.ErrnoException).code}); ${hint}`);
  }
}

function lockOrClose(path: string, file: number): FileLock {
  try {
    return lockFile(file);
  } catch (error) {
    closeSync(file);
    if (!(error instanceof FileBusyError)) throw error;
    throw new SessionError(`${path} is the session of a running cluster (process ${error.pid}); stop it or give another path with --session`);
  }
}

function closingOnFailure<T>(file: number, lock: FileLock | undefined, make: () => T): T {
  try {
    return make();
  } catch (error) {
    closeSync(file);
    lock?.release();
    throw error;
  }
}
