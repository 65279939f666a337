/** Lists of flags: the first record of a text, as encoding/csv reads it. */
import type { FlagDialect } from './go-values.ts';
import { ValueError } from './value-error.ts';

/** Its fields; none of an empty text. Throws a ValueError with the words of the dialect. */
export function readCsvRecord(text: string, dialect: FlagDialect): readonly string[] {
  if (text === '') return [];
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const [field, end] = text[at] === '"' ? quotedField(text, at, dialect) : plainField(text, at, dialect);
    fields.push(field);
    if (text[end] !== ',') return fields;
    at = end + 1;
  }
}

function plainField(text: string, start: number, dialect: FlagDialect): readonly [field: string, end: number] {
  const end = firstOf(text, start, /[,\n]/g);
  const field = text.slice(start, end);
  const quote = field.indexOf('"');
  // Go counted columns from 0 once, and does from 1 now.
  if (quote >= 0) throw fault(1, start + quote + (dialect === 'old' ? 0 : 1), 'bare " in non-quoted-field');
  return [field, end];
}

function quotedField(text: string, start: number, dialect: FlagDialect): readonly [field: string, end: number] {
  const said = 'extraneous or missing " in quoted-field';
  let field = '';
  for (let at = start + 1; ; at++) {
    const quote = text.indexOf('"', at);
    if (quote < 0)
      throw dialect === 'old' ? new ValueError(`record on line 1; parse error on line 2, column 0: ${said}`) : fault(1, text.length + 1, said);
    field += text.slice(at, quote);
    const next = text[quote + 1];
    if (next === undefined || next === ',' || next === '\n') return [field, quote + 1];
    if (next !== '"') throw fault(1, quote + (dialect === 'old' ? 0 : 1), said);
    field += '"';
    at = quote + 1;
  }
}

function firstOf(text: string, start: number, what: RegExp): number {
  what.lastIndex = start;
  return what.exec(text)?.index ?? text.length;
}

function fault(line: number, column: number, said: string): ValueError {
  return new ValueError(`parse error on line ${line}, column ${column}: ${said}`);
}
