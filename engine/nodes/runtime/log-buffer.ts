/** What a container wrote, bounded: the oldest lines go first, as the runtime rotates files. */
import { logBytesMax, logLinesMax } from '../physics.ts';

export interface LogLine {
  readonly atMs: number;
  readonly text: string;
}

/** One line as it enters history. */
export interface LogRecord extends LogLine {
  readonly node: string;
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
}

/** Appends in place; the buffer belongs to its container. */
export function appendLog(lines: LogLine[], line: LogLine): void {
  lines.push(line.text.length > logBytesMax ? { ...line, text: line.text.slice(0, logBytesMax) } : line);
  if (lines.length <= logLinesMax + logLinesMax / 4) return;
  lines.splice(0, lines.length - logLinesMax);
}
