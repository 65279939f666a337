/**
 * A session on disk: one JSON text a line, appended only. The head says what to run (seed, start, configuration, engine); `input`
 * lines hold what entered from outside and where; `mark` lines how far time had come; `checkpoint` lines the whole state at a quiet
 * instant; `end` the digest at a clean close. A crash loses what came after the last line; a half-written last line is dropped.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../base/json.ts';

export const sessionFormat = 1;

const lineTypes: ReadonlySet<string> = new Set(['input', 'mark', 'checkpoint', 'end']);
const checkpointStart = Buffer.from('{"type":"checkpoint",');
const closingBrace = 0x7d;

export interface SessionHead {
  readonly type: 'wavetank-session';
  readonly format: number;
  /** Version of the engine that wrote it; running it again asks for the same. */
  readonly engine: string;
  /** Version of the time-zone data. */
  readonly timeZones: string;
  readonly name: string;
  readonly seed: number;
  readonly startMs: number;
  readonly config: JsonObject;
}

/** The place of something in history: tasks run before it, and the virtual time. */
export interface Place {
  readonly tasksRun: number;
  readonly nowMs: number;
}

export type SessionLine =
  | ({ readonly type: 'input'; readonly input: number; readonly what: JsonValue } & Place)
  | ({ readonly type: 'mark' } & Place)
  | SavedCheckpoint
  | ({ readonly type: 'end'; readonly digest: string; readonly revision: number } & Place);

export type SavedCheckpoint = { readonly type: 'checkpoint'; readonly input: number; readonly state: JsonValue } & Place;

/** A line as read: checkpoints are large and only the last one is used, so they are parsed on demand. */
export type ReadLine = Exclude<SessionLine, SavedCheckpoint> | { readonly type: 'checkpoint'; read(): SavedCheckpoint };

export interface Session {
  readonly head: SessionHead;
  readonly lines: readonly ReadLine[];
  /** Bytes of a half-written last line that were left out. */
  readonly droppedBytes: number;
}

/** The file cannot be used; the message is one line that says what to do. */
export class SessionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SessionError';
  }
}

export function readSession(path: string): Session {
  const bytes = readBytes(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  const lines: ReadLine[] = [];
  let head: SessionHead | undefined;
  for (let from = 0, number = 1; from < end; number++) {
    const to = bytes.indexOf(0x0a, from);
    const line = bytes.subarray(from, to);
    if (head === undefined) head = parseHead(path, line);
    else if (line.length > 0) lines.push(parseLine(path, line, number));
    from = to + 1;
  }
  if (head === undefined) throw notASession(path);
  return { head, lines, droppedBytes: bytes.length - end };
}

export function sessionExists(path: string): boolean {
  return existsSync(path);
}

/** Appends to a session. Lines are written at once; `flush` makes them durable. */
export class SessionWriter {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  static create(path: string, head: SessionHead): SessionWriter {
    const writer = new SessionWriter(open(path, 'wx'));
    writer.#write(head);
    return writer;
  }

  /** Goes on with a session that `readSession` has read, after dropping a half-written last line. */
  static append(path: string): SessionWriter {
    const bytes = readBytes(path);
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (end < bytes.length) truncateSync(path, end);
    return new SessionWriter(open(path, 'a'));
  }

  write(line: SessionLine): void {
    this.#write(line);
  }

  flush(): void {
    fsyncSync(this.#file);
  }

  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  #write(line: SessionLine | SessionHead): void {
    writeSync(this.#file, `${JSON.stringify(line, bigintToText)}\n`);
  }
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new SessionError(`cannot read ${path} (${(error as NodeJS.ErrnoException).code}); give a readable session file`);
  }
}

function open(path: string, mode: string): number {
  try {
    return openSync(path, mode);
  } catch (error) {
    throw new SessionError(`cannot write ${path} (${(error as NodeJS.ErrnoException).code}); give another path with --session`);
  }
}

function parseHead(path: string, line: Buffer): SessionHead {
  let head: Partial<SessionHead> | null;
  try {
    head = JSON.parse(line.toString('utf8')) as Partial<SessionHead> | null;
  } catch {
    throw notASession(path);
  }
  if (head?.type !== 'wavetank-session') throw notASession(path);
  if (head.format !== sessionFormat)
    throw new SessionError(
      `${path} has session format ${head.format}, this engine reads ${sessionFormat}; open it with the release that wrote it (${head.engine})`,
    );
  return head as SessionHead;
}

function notASession(path: string): SessionError {
  return new SessionError(`${path} is not a Wavetank session file; give another path with --session`);
}

function parseLine(path: string, line: Buffer, number: number): ReadLine {
  const read = (): SessionLine => {
    try {
      const value = JSON.parse(line.toString('utf8'), textToBigint) as Partial<SessionLine> | null;
      if (lineTypes.has(value?.type ?? '') && Number.isInteger(value?.tasksRun) && typeof value?.nowMs === 'number') return value as SessionLine;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new SessionError(`${path} is damaged at line ${number}; cut the file before that line (head -n ${number - 1}) to use what comes before it`);
  };
  if (line.subarray(0, checkpointStart.length).equals(checkpointStart) && line.at(-1) === closingBrace)
    return { type: 'checkpoint', read: () => read() as SavedCheckpoint };
  return read() as ReadLine;
}

/** 64-bit integers beyond the safe range stay exact. */
function bigintToText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { $bigint: value.toString() } : value;
}

function textToBigint(_key: string, value: unknown): unknown {
  return value !== null && typeof value === 'object' && '$bigint' in value ? BigInt((value as { $bigint: string }).$bigint) : value;
}
