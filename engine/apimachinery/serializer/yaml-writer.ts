/**
 * Lays out YAML as sigs.k8s.io/yaml does: keys in byte order, lists as deep as their key. Linear in what is written; how a text is
 * quoted is for the library to say, where it is none of the plain words that objects mostly hold.
 */
type DumpOne = (value: unknown) => string;

/** Begins with a letter and holds nothing that YAML gives a meaning; the words that are no text stand below. */
const plain = /^[A-Za-z](?:[\w./-]|:(?=\w))*$/;
/** Digits that are no number: UIDs, addresses. */
const otherPlain = /^(?:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const word = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

export function writeYaml(value: unknown, dumpOne: DumpOne): string {
  const writer = new Writer(dumpOne);
  writer.value(value, 0, '');
  return writer.text();
}

class Writer {
  readonly #dumpOne: DumpOne;
  readonly #indents: string[] = [];
  #text = '';

  constructor(dumpOne: DumpOne) {
    this.#dumpOne = dumpOne;
  }

  text(): string {
    return this.#text;
  }

  /** Writes a value that stands behind `lead` (nothing, a dash or a key), its own lines `level` deep. */
  value(value: unknown, level: number, lead: string): void {
    if (Array.isArray(value) && value.length > 0) this.#list(value, level, lead);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value) && keysOf(value).length > 0)
      this.#map(value as Readonly<Record<string, unknown>>, level, lead);
    else this.#text += `${lead}${lead === '' || lead.endsWith(' ') ? '' : ' '}${this.#scalar(value, level)}\n`;
  }

  #list(list: readonly unknown[], level: number, lead: string): void {
    const isNested = lead.endsWith('- ');
    if (lead !== '' && !isNested) this.#text += `${lead}\n`;
    let start = isNested ? lead : '';
    for (const element of list) {
      this.value(element === undefined ? null : element, level + 1, `${start === '' ? this.#indent(level) : start}- `);
      start = '';
    }
  }

  #map(map: Readonly<Record<string, unknown>>, level: number, lead: string): void {
    const isInList = lead.endsWith('- ');
    if (lead !== '' && !isInList) this.#text += `${lead}\n`;
    let start = isInList ? lead : '';
    for (const key of keysOf(map).sort(byCodeUnits)) {
      const inner = map[key];
      const deeper = Array.isArray(inner) ? level : level + 1;
      this.value(inner, deeper, `${start === '' ? this.#indent(level) : start}${this.#key(key)}:`);
      start = '';
    }
  }

  #key(key: string): string {
    if (plain.test(key) && !word.test(key)) return key;
    const dumped = this.#dumpOne({ [key]: 0 });
    // Keys of several lines, or longer than YAML lets a simple key be: quoted they are still read everywhere.
    return dumped.startsWith('? ') ? JSON.stringify(key) : dumped.slice(0, -4);
  }

  #scalar(value: unknown, level: number): string {
    if (Array.isArray(value)) return '[]';
    if (typeof value === 'object' && value !== null) return '{}';
    if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
    if (typeof value === 'string') {
      if ((plain.test(value) && !word.test(value)) || otherPlain.test(value)) return value;
      if (time.test(value)) return `"${value}"`;
    }
    const document = this.#dumpOne(value);
    // The library ends a document whose last text keeps its empty lines.
    const dumped = document.slice(0, /^[|>][0-9]*\+/.test(document) && document.endsWith('\n...\n') ? -5 : -1);
    if (!dumped.includes('\n')) return dumped;
    // A block that begins with spaces has to name its indentation, and readers differ on what that counts from.
    if (/^[|>][0-9]/.test(dumped)) return JSON.stringify(value);
    if (level <= 1) return dumped;
    // The lines of a block stand two deeper than what holds it.
    const indent = this.#indent(level - 1);
    return dumped.replaceAll(/\n(?=[^\n])/g, `\n${indent}`);
  }

  #indent(level: number): string {
    return (this.#indents[level] ??= '  '.repeat(level));
  }
}

/** As with JSON, what is undefined is not there. */
function keysOf(map: object): string[] {
  return Object.keys(map).filter((key) => (map as Readonly<Record<string, unknown>>)[key] !== undefined);
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
