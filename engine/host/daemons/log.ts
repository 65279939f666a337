/**
 * What a daemon logs, as klog writes it: a severity, a time, the process, a place, the line; to standard error or to files, as its
 * flags say. Lines for files wait for a flush, lines of errors do not.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { badUsage, type FlagValues } from './flag-set.ts';

export type Severity = 'INFO' | 'WARNING' | 'ERROR' | 'FATAL';

export interface DaemonLog {
  /** Higher says more; a line of a level above it is left out. */
  verbosity: number;
  info(place: string, line: string, level?: number): void;
  warning(place: string, line: string): void;
  error(place: string, line: string): void;
  /** Writes what waits, and ends. */
  close(): void;
}

export interface LogSinks {
  stderr(text: string): void;
  nowMs(): number;
  readonly pid: number;
}

const severities: readonly Severity[] = ['INFO', 'WARNING', 'ERROR', 'FATAL'];
const formats: readonly string[] = ['text', 'json'];
const fileMode = 0o600;

/** Throws a CommandError for a threshold or format that is none, or a file that cannot be written. */
export function openLog(daemon: string, flags: FlagValues, sinks: LogSinks): DaemonLog {
  const threshold = thresholdOf(flags.text('stderrthreshold'));
  const format = flags.text('logging-format');
  if (!formats.includes(format)) throw badUsage(`format: Invalid value: ${JSON.stringify(format)}: Unsupported log format`);
  const toFiles = !flags.isOn('logtostderr');
  const file = toFiles ? openFile(daemon, flags, sinks) : undefined;
  return new Log({
    sinks,
    file,
    flushMs: flags.milliseconds('log-flush-frequency'),
    stderrFrom: !toFiles || flags.isOn('alsologtostderr') ? 0 : threshold,
    line: format === 'json' ? jsonLine : flags.isOn('skip-headers') ? (_severity, _place, line) => `${line}\n` : klogLine(sinks),
    verbosity: flags.number('v'),
  });
}

type Line = (severity: Severity, place: string, line: string, nowMs: number) => string;

interface LogParts {
  readonly sinks: LogSinks;
  readonly file: number | undefined;
  readonly flushMs: number;
  /** Index of the first severity that goes to standard error. */
  readonly stderrFrom: number;
  readonly line: Line;
  readonly verbosity: number;
}

class Log implements DaemonLog {
  verbosity: number;
  readonly #parts: LogParts;
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: LogParts) {
    this.#parts = parts;
    this.verbosity = parts.verbosity;
  }

  info(place: string, line: string, level = 0): void {
    if (level <= this.verbosity) this.#write('INFO', place, line);
  }

  warning(place: string, line: string): void {
    this.#write('WARNING', place, line);
  }

  error(place: string, line: string): void {
    this.#write('ERROR', place, line);
  }

  close(): void {
    this.#flush();
    if (this.#parts.file !== undefined) closeSync(this.#parts.file);
  }

  #write(severity: Severity, place: string, line: string): void {
    const { sinks, file, flushMs, stderrFrom } = this.#parts;
    const text = this.#parts.line(severity, place, line, sinks.nowMs());
    const rank = severities.indexOf(severity);
    if (rank >= stderrFrom) sinks.stderr(text);
    if (file === undefined) return;
    this.#waiting += text;
    if (rank >= severities.indexOf('ERROR') || flushMs <= 0) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { file } = this.#parts;
    const text = this.#waiting;
    this.#waiting = '';
    if (file !== undefined && text !== '') writeSync(file, text);
  }
}

function thresholdOf(text: string): number {
  const rank = /^[0-3]$/.test(text) ? Number(text) : severities.findIndex((severity) => severity === text.toUpperCase());
  if (rank < 0)
    throw badUsage(
      `invalid argument ${JSON.stringify(text)} for "--stderrthreshold" flag: strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  return rank;
}

function openFile(daemon: string, flags: FlagValues, { nowMs, pid }: LogSinks): number {
  const folder = flags.text('log-dir') || tmpdir();
  const stamp = new Date(nowMs())
    .toISOString()
    .replace(/[-:]|\..*$/g, '')
    .replace('T', '-');
  const path = flags.text('log-file') || join(folder, `${daemon}.${hostname()}.log.${stamp}.${pid}`);
  try {
    if (flags.text('log-file') === '') mkdirSync(folder, { recursive: true });
    return openSync(path, 'a', fileMode);
  } catch (error) {
    throw badUsage(`log: cannot create log: ${(error as Error).message}`);
  }
}

/** `I1122 08:40:04.160166    4268 place] line`. */
function klogLine({ pid }: LogSinks): Line {
  return (severity, place, line, nowMs) => {
    const [day = '', time = ''] = new Date(nowMs).toISOString().replace('Z', '').split('T');
    const micros = String(Math.floor((nowMs % 1) * 1000)).padStart(3, '0');
    return `${severity[0]}${day.slice(5).replace('-', '')} ${time}${micros} ${String(pid).padStart(7)} ${place}] ${line}\n`;
  };
}

function jsonLine(severity: Severity, place: string, line: string, nowMs: number): string {
  const level = severity === 'ERROR' || severity === 'FATAL' ? { err: line } : { v: 0 };
  return `${JSON.stringify({ ts: nowMs, logger: place, ...(severity === 'WARNING' ? { severity: 'warning' } : {}), msg: line, ...level })}\n`;
}
