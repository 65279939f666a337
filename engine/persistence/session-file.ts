/**
 * A session on disk: one JSON text a line, appended only. The head says what to run (seed, start, configuration, engine); `input`
 * lines hold what entered from outside and where; `mark` lines how far time had come; `checkpoint` lines the whole state at a quiet
 * instant; `end` the digest at a clean close. A crash loses what came after the last line; a half-written last line is dropped.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../apimachinery/object.ts';

export const sessionFormat = 1;

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
  | ({ readonly type: 'checkpoint'; readonly input: number; readonly state: JsonValue } & Place)
  | ({ readonly type: 'end'; readonly digest: string; readonly revision: number } & Place);

export interface Session {
  readonly head: SessionHead;
  readonly lines: readonly SessionLine[];
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
  const texts = bytes.subarray(0, end).toString('utf8').split('\n').filter((text) => text !== '');
  const [first, ...rest] = texts.map((text, index) => parseLine(path, text, index + 1));
  const head = first as unknown as SessionHead | undefined;
  if (head?.type !== 'wavetank-session') throw new SessionError(`${path} is not a Wavetank session file; give another path with --session`);
  if (head.format !== sessionFormat) throw new SessionError(`${path} has session format ${head.format}, this engine reads ${sessionFormat}; open it with the release that wrote it (${head.engine})`);
  return { head, lines: rest as unknown as readonly SessionLine[], droppedBytes: bytes.length - end };
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

function parseLine(path: string, text: string, number: number): JsonObject {
  try {
    return JSON.parse(text, textToBigint) as JsonObject;
  } catch {
    throw new SessionError(`${path} is damaged at line ${number}; cut the file before that line to use what comes before it`);
  }
}

/** 64-bit integers beyond the safe range stay exact. */
function bigintToText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { $bigint: value.toString() } : value;
}

function textToBigint(_key: string, value: unknown): unknown {
  return value !== null && typeof value === 'object' && '$bigint' in value ? BigInt((value as { $bigint: string }).$bigint) : value;
}
