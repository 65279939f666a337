/**
 * What history remembers, to be saved piece by piece while it goes on: each piece is made when it is asked for, and says what was so when
 * saving began. Of a row that is about to change it is made before.
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
import { type ChangeNote, saveNote } from './change-notes.ts';
import { type Row, rowCodec } from './row.ts';

/** A member of what is saved, and the names that lead to it. */
export interface SavedPiece {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

export interface ToSave {
  readonly rows: readonly Row[];
  readonly notes: readonly ChangeNote[];
  /** Small, and saved at once. */
  readonly rest: JsonObject;
}

export class SavedPieces {
  readonly #toSave: ToSave;
  readonly #made = new Set<Row>();
  /** Rows that have changed since. */
  readonly #early = new Map<Row, JsonValue>();

  constructor(toSave: ToSave) {
    this.#toSave = toSave;
  }

  /** Before a row changes. */
  keep(row: Row): void {
    if (!this.#made.has(row) && !this.#early.has(row)) this.#early.set(row, rowCodec.encode(row));
  }

  /** Rows in their order, so that they are taken up in it. */
  *all(): Generator<SavedPiece> {
    const { rows, notes, rest } = this.#toSave;
    for (const [name, value] of Object.entries(rest)) yield { path: [name], value };
    yield { path: ['rows'], value: {} };
    yield { path: ['notes'], value: {} };
    const uids = new Set<string>();
    for (const row of rows) {
      this.#made.add(row);
      uids.add(row.uid);
      yield { path: ['rows', row.uid], value: this.#early.get(row) ?? rowCodec.encode(row) };
    }
    for (const note of notes)
      if (uids.has(note.row.uid)) yield { path: ['notes', String(note.revision)], value: saveNote(note) as unknown as JsonValue };
  }
}
