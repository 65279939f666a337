/**
 * Lines of a session that hold what must not be read by whoever has the file: their type stands open, all else is sealed text. What they
 * hold is the line as it would have been, with its checksum (SESSION-FILE.md F17).
 */
import { decodeLine, encodeLine, type LogRecord, isWhole, typeOf } from './log-line.ts';

export interface LineSeals {
  /** Undefined where the line may be read by everybody. `key` is the object's, for lines about one; others are about many. */
  seal(line: Buffer, key: string | undefined): string | undefined;
  /** Throws SealError. */
  open(sealed: string): Buffer;
}

/** A sealed line cannot be opened: the message says which key lacks. */
export class SealError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SealError';
  }
}

/** Types of lines that hold objects, or what somebody sent. */
const sealable: ReadonlySet<string> = new Set(['input', 'change', 'entry', 'old', 'past', 'part', 'checkpoint']);
const start = Buffer.from(',"sealed":"');
const lineFeedLength = 1;
const typeAt = 8 + 1 + '{"t":"'.length;
const typeLengthMax = 12;

interface SealedRecord extends LogRecord {
  readonly sealed: string;
}

/** The line as it is to be written; `record` is what it was made of, where that is known. */
export function sealLine(line: Buffer, record: LogRecord | undefined, seals: LineSeals | undefined): Buffer {
  if (seals === undefined) return line;
  const t = typeOf(line);
  if (!sealable.has(t)) return line;
  const { k } = (record ?? {}) as { readonly k?: unknown };
  const sealed = seals.seal(line.subarray(0, line.length - lineFeedLength), typeof k === 'string' ? k : undefined);
  return sealed === undefined ? line : encodeLine({ t, sealed } as SealedRecord);
}

/** The line that was sealed; the same where it was not, or is damaged. Throws SealError. */
export function openLine(line: Buffer, seals: LineSeals | undefined): Buffer {
  if (!isSealed(line) || !isWhole(line)) return line;
  const { sealed, t } = decodeLine(line) as SealedRecord;
  if (seals === undefined) throw new SealError(`holds sealed lines (${prefixOf(sealed)}); give --encryption-provider-config with that key`);
  const opened = seals.open(sealed);
  if (!isWhole(opened) || typeOf(opened) !== t)
    throw new SealError(
      `holds lines that the key ${prefixOf(sealed)} of --encryption-provider-config does not open; give the one that they were sealed with`,
    );
  return opened;
}

/** Told by the bytes behind the type. */
export function isSealed(block: Buffer, from = 0, to = block.length): boolean {
  const quote = block.indexOf(0x22, from + typeAt);
  if (quote < 0 || quote > from + typeAt + typeLengthMax || quote + 1 + start.length > to) return false;
  return block.compare(start, 0, start.length, quote + 1, quote + 1 + start.length) === 0;
}

/** `k8s:enc:aescbc:v1:key1`: what is sealed says by what. */
function prefixOf(sealed: string): string {
  return sealed.split(':', 5).join(':');
}
