/** Keys of YAML that are given twice, as go-yaml 2 finds them when it is strict (decode.go). What `<<` brings in counts as given where it stands. */
import { type AliasEvent, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { strictErrorsMax } from './walk.ts';

interface Entry {
  readonly key: string;
  /** In which line its value begins. */
  readonly line: number;
}

type Entries = ReadonlyMap<string, Entry>;

interface Open {
  /** Of a map: what it holds so far. */
  readonly entries: Map<string, Entry> | undefined;
  /** Of a list that is merged: its maps. */
  readonly parts: Entries[] | undefined;
  readonly anchor: string;
  /** In which line it begins. */
  readonly line: number;
  key: string | typeof merging | undefined;
}

const merging = Symbol('<<');
/** Whether a text may hold a key by which other maps are merged. */
const mayMerge = /(?:^|[\s{,])<<[ \t]*:/m;

export function mergesMaps(text: string): boolean {
  return mayMerge.test(text);
}

/** In the order in which go-yaml comes back from their values: `line 6: key "metadata" already set in map`. */
export function duplicateKeys(text: string, maxDepth: number): readonly string[] {
  const finder = new DuplicateFinder(text);
  for (const event of parseEvents(text, { maxDepth })) {
    if (event.type === EVENT_ID.SCALAR) finder.scalar(event);
    else if (event.type === EVENT_ID.ALIAS) finder.alias(event);
    else if (event.type === EVENT_ID.POP) finder.close();
    else if (event.type === EVENT_ID.DOCUMENT) finder.open(false, '', 0);
    else finder.open(event.type === EVENT_ID.MAPPING, text.slice(event.anchorStart, Math.max(0, event.anchorEnd)), event.start);
    if (finder.found.length >= strictErrorsMax) break;
  }
  return finder.found;
}

class DuplicateFinder {
  readonly found: string[] = [];
  readonly #text: string;
  readonly #lines: LineFinder;
  readonly #open: Open[] = [];
  readonly #anchored = new Map<string, Entries>();

  constructor(text: string) {
    this.#text = text;
    this.#lines = new LineFinder(text);
  }

  open(isMap: boolean, anchor: string, start: number): void {
    const isMerged = this.#open.at(-1)?.key === merging;
    const entries = isMap ? new Map<string, Entry>() : undefined;
    this.#open.push({ entries, parts: isMerged && !isMap ? [] : undefined, anchor, line: this.#lines.at(start), key: undefined });
  }

  close(): void {
    const closed = this.#open.pop();
    if (closed === undefined || this.#open.length === 0) return;
    const { entries, parts = [], anchor, line } = closed;
    if (entries !== undefined && anchor !== '') this.#anchored.set(anchor, entries);
    // Earlier maps of a list take precedence: they come last.
    this.#end(undefined, line, entries === undefined ? parts.toReversed() : [entries]);
  }

  alias({ anchorStart, anchorEnd }: AliasEvent): void {
    const entries = this.#anchored.get(this.#text.slice(anchorStart, anchorEnd));
    this.#end(undefined, this.#lines.at(anchorStart), entries === undefined ? [] : [entries]);
  }

  scalar(event: ScalarEvent): void {
    const value = getScalarValue(this.#text, event);
    const isMarked = event.tagStart >= 0 && this.#text.slice(event.tagStart, event.tagEnd) === '!!merge';
    const isMerge = value === '<<' && (isMarked || (event.tagStart < 0 && event.style === SCALAR_STYLE.PLAIN));
    this.#end(isMerge ? merging : value, this.#lines.at(startOf(event)), []);
  }

  /** A key has been met, or a value has come to its end; `maps` are what could be merged of it. */
  #end(key: Open['key'], line: number, maps: readonly Entries[]): void {
    const around = this.#open.at(-1);
    around?.parts?.push(...maps);
    if (around?.entries === undefined) return;
    if (around.key === undefined) {
      around.key = key ?? '';
      return;
    }
    if (around.key === merging) for (const map of maps) for (const entry of map.values()) this.#set(around.entries, entry);
    else this.#set(around.entries, { key: around.key, line });
    around.key = undefined;
  }

  #set(entries: Map<string, Entry>, entry: Entry): void {
    if (entries.has(entry.key)) this.found.push(`line ${entry.line}: key ${JSON.stringify(entry.key)} already set in map`);
    else entries.set(entry.key, entry);
  }
}

function startOf({ valueStart, tagStart, anchorStart }: ScalarEvent): number {
  return [tagStart, anchorStart].reduce((first, start) => (start >= 0 && start < first ? start : first), valueStart);
}

/** Lines of places that only ever go forward. */
class LineFinder {
  readonly #text: string;
  #position = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  at(position: number): number {
    for (; this.#position < position; this.#position++) if (this.#text[this.#position] === '\n') this.#line++;
    return this.#line;
  }
}
