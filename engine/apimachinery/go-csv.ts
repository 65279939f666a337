/** Records of fields with commas between them, as Go's encoding/csv reads them. */

/** Columns were counted in letters from 0 once, and are in bytes from 1 now. */
export type CsvDialect = 'present' | 'old';

/** A text that is not CSV, in Go's words. */
export class CsvFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CsvFault';
  }
}

/** Empty lines are no records; a field in quotes may hold everything, line ends too. Throws CsvFault when it comes to what is wrong. */
export function* csvRecords(text: string, dialect: CsvDialect = 'present'): Generator<readonly string[]> {
  const lines = linesOf(text);
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] === '\n' || lines[at] === '') continue;
    const record = new RecordReader(lines, at, dialect);
    yield record.read();
    at = record.line;
  }
}

/** Each with its end, which is `\n` also where `\r\n` stood. */
function linesOf(text: string): readonly string[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.map((line) => line.replace(/\r(?=\n$|$)/, ''));
}

const misplaced = 'extraneous or missing " in quoted-field';

class RecordReader {
  readonly #lines: readonly string[];
  readonly #first: number;
  readonly #dialect: CsvDialect;
  #text: string;
  #at = 0;
  /** The index of the line in which it stands. */
  line: number;

  constructor(lines: readonly string[], first: number, dialect: CsvDialect) {
    this.#lines = lines;
    this.#first = first;
    this.#dialect = dialect;
    this.line = first;
    this.#text = lines[first] ?? '';
  }

  read(): readonly string[] {
    const fields: string[] = [];
    for (;;) {
      fields.push(this.#text[this.#at] === '"' ? this.#quoted() : this.#plain());
      if (this.#text[this.#at] !== ',') return fields;
      this.#at++;
    }
  }

  #plain(): string {
    const [field = ''] = /^[^,\n]*/.exec(this.#text.slice(this.#at)) ?? [];
    const quote = field.indexOf('"');
    if (quote >= 0) throw this.#fault(this.line, this.#text.slice(0, this.#at + quote), 'bare " in non-quoted-field');
    this.#at += field.length;
    return field;
  }

  #quoted(): string {
    let field = '';
    this.#at++;
    for (;;) {
      const quote = this.#text.indexOf('"', this.#at);
      if (quote < 0) {
        field += this.#text.slice(this.#at);
        this.#nextLine();
        continue;
      }
      field += this.#text.slice(this.#at, quote);
      const next = this.#text[quote + 1];
      if (next === undefined || next === ',' || next === '\n') {
        this.#at = quote + 1;
        return field;
      }
      if (next !== '"') throw this.#fault(this.line, this.#text.slice(0, quote), misplaced);
      field += '"';
      this.#at = quote + 2;
    }
  }

  #nextLine(): void {
    const next = this.#lines[this.line + 1];
    // At the end the older one had gone on to a line that is not there.
    if (next === undefined) throw this.#dialect === 'old' ? this.#fault(this.line + 1, '', misplaced) : this.#fault(this.line, this.#text, misplaced);
    this.line++;
    this.#text = next;
    this.#at = 0;
  }

  #fault(line: number, before: string, said: string): CsvFault {
    const column = this.#dialect === 'old' ? [...before].length : new TextEncoder().encode(before).length + 1;
    const start = line === this.#first ? '' : `record on line ${this.#first + 1}; `;
    return new CsvFault(`${start}parse error on line ${line + 1}, column ${column}: ${said}`);
  }
}
