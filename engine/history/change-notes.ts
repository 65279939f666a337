/**
 * Why each change was made, in short: what cause chains are walked over, longer than the store remembers its changes. By rising
 * revision; the oldest are forgotten.
 */
import type { Cause } from '../base/causes.ts';
import type { Row } from './row.ts';

export type Action = 'create' | 'update' | 'delete';

export interface ChangeNote {
  readonly revision: number;
  readonly row: Row;
  readonly action: Action;
  readonly ms: number;
  readonly by: string;
  readonly causes: readonly Cause[];
  /** What an update changed. */
  readonly text: string;
}

/** As data: the row by its uid. */
export interface SavedNote extends Omit<ChangeNote, 'row'> {
  readonly row: string;
}

const notesMax = 100_000;

export class ChangeNotes {
  #notes: ChangeNote[] = [];

  add(note: ChangeNote): void {
    this.#notes.push(note);
    if (this.#notes.length > notesMax + notesMax / 4) this.#notes = this.#notes.slice(-notesMax);
  }

  at(revision: number): ChangeNote | undefined {
    let low = 0;
    let high = this.#notes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#notes[middle] as ChangeNote).revision < revision) low = middle + 1;
      else high = middle;
    }
    const note = this.#notes[low];
    return note?.revision === revision ? note : undefined;
  }

  /** Notes of rows that are still there. */
  save(isThere: (uid: string) => boolean): Readonly<Record<string, SavedNote>> {
    const kept = this.#notes.filter(({ row }) => isThere(row.uid));
    return Object.fromEntries(kept.map((note) => [note.revision, { ...note, row: note.row.uid }]));
  }

  restore(saved: Readonly<Record<string, SavedNote>>, rowOf: (uid: string) => Row | undefined): void {
    this.#notes = [];
    for (const note of Object.values(saved)) {
      const row = rowOf(note.row);
      if (row !== undefined) this.#notes.push({ ...note, row });
    }
  }
}
