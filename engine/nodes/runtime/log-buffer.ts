/** What a container wrote, bounded: the oldest lines go first, as the runtime rotates files. */
import { logBytesMax, logLinesMax } from '../physics.ts';

export interface LogLine {
  readonly atMs: number;
  readonly text: string;
  /** No newline ends it: it goes on in the next one, or the program ended without. */
  readonly isPartial?: true;
}

/** A line as a reader of the log gets it. */
export function shownLine({ text, isPartial }: Pick<LogLine, 'text' | 'isPartial'>): string {
  return isPartial === true ? text : `${text}\n`;
}

/** One line as it enters history. */
export interface LogRecord extends LogLine {
  readonly node: string;
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
}

/** The buffer with the line; it belongs to its container. Most write a few lines: a list that grows by itself would keep room for seventeen. */
export function appendLog(lines: LogLine[], written: LogLine): LogLine[] {
  const line = written.text.length > logBytesMax ? { ...written, text: written.text.slice(0, logBytesMax) } : written;
  if (lines.length < fewLines) return lines.concat(line);
  lines.push(line);
  // Short lines cannot exceed the bytes before they exceed their number.
  const isFull = lines.length > logLinesMax + logLinesMax / 4 || (line.text.length > shortLineChars && sizeOf(lines) > logBytesMax * 2);
  if (!isFull) return lines;
  let kept = 0;
  let bytes = 0;
  while (kept < Math.min(lines.length, logLinesMax)) {
    bytes += lines[lines.length - 1 - kept]?.text.length ?? 0;
    if (bytes > logBytesMax && kept > 0) break;
    kept++;
  }
  lines.splice(0, lines.length - kept);
  return lines;
}

const fewLines = 8;
const shortLineChars = 200;

function sizeOf(lines: readonly LogLine[]): number {
  let size = 0;
  for (const { text } of lines) size += text.length;
  return size;
}
