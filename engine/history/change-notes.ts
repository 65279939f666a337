/**
 * Why each change was made, in short: what cause chains are walked over, longer than the store remembers its changes. By rising
 * revision; the oldest are forgotten.
 */
import { countWhile } from '../base/bisect.ts';
import { type Cause, type Causes, causesOf, packCauses } from '../base/causes.ts';
import { fixedList, number, oneOf, shape, text } from '../base/codecs.ts';
import type { Row } from './row.ts';

export type Action = 'create' | 'update' | 'delete';

export interface ChangeNote {
  readonly revision: number;
  readonly row: Row;
  readonly action: Action;
  readonly ms: number;
  readonly by: string;
  readonly causes: Causes;
  /** What an update changed, in parts: each is also the text of a mark. */
  readonly facts: readonly string[];
}

/** As data: the row by its uid, the facts as one text. */
export interface SavedNote extends Omit<ChangeNote, 'row' | 'facts' | 'causes'> {
  readonly row: string;
  readonly causes: readonly Cause[];
  readonly text: string;
}

export const noFacts: readonly string[] = [];

/** What an update changed; empty for creations and deletions. */
export function noteText({ facts }: Pick<ChangeNote, 'facts'>): string {
  return facts.join('; ');
}

export const noteCodec = shape<SavedNote>({
  revision: number,
  row: text,
  action: oneOf('create', 'update', 'delete'),
  ms: number,
  by: text,
  causes: fixedList(text),
  text,
});

const notesMax = 100_000;

export class ChangeNotes {
  /** The instant of the last note that was forgotten; 0 while all are kept. */
  forgottenUntilMs = 0;
  #notes: ChangeNote[] = [];

  add(note: ChangeNote): void {
    this.#notes.push(note);
    if (this.#notes.length <= notesMax + notesMax / 4) return;
    this.forgottenUntilMs = this.#notes.at(-notesMax - 1)?.ms ?? 0;
    this.#notes = this.#notes.slice(-notesMax);
  }

  at(revision: number): ChangeNote | undefined {
    const note = this.#notes[this.#firstWith((one) => one.revision >= revision)];
    return note?.revision === revision ? note : undefined;
  }

  /** By rising revision, those after this one. */
  *after(revision: number): Generator<ChangeNote> {
    const from = this.#firstWith((one) => one.revision > revision);
    for (let index = from; index < this.#notes.length; index++) yield this.#notes[index] as ChangeNote;
  }

  /** By falling revision, those of an instant or before it. */
  *before(ms: number): Generator<ChangeNote> {
    for (let index = this.#firstWith((one) => one.ms > ms) - 1; index >= 0; index--) yield this.#notes[index] as ChangeNote;
  }

  #firstWith(isReached: (note: ChangeNote) => boolean): number {
    return countWhile(this.#notes.length, (index) => !isReached(this.#notes[index] as ChangeNote));
  }

  /** As they are now. */
  all(): readonly ChangeNote[] {
    return this.#notes.slice();
  }

  /** Notes of rows that are still there. */
  save(isThere: (uid: string) => boolean): Map<string, SavedNote> {
    const kept = this.#notes.filter(({ row }) => isThere(row.uid));
    return new Map(kept.map((note) => [String(note.revision), saveNote(note)]));
  }

  restore(saved: ReadonlyMap<string, SavedNote>, rowOf: (uid: string) => Row | undefined): void {
    this.#notes = [];
    for (const note of saved.values()) this.takeUp(note, rowOf);
  }

  /** One that was saved; they come by rising revision. */
  takeUp(note: SavedNote, rowOf: (uid: string) => Row | undefined): void {
    const row = rowOf(note.row);
    if (row !== undefined) this.#notes.push(restoreNote(note, row));
  }
}

/** As data. */
export function saveNote(note: ChangeNote): SavedNote {
  const { revision, row, action, ms, by, causes } = note;
  return { revision, row: row.uid, action, ms, by, causes: causesOf(causes), text: noteText(note) };
}

function restoreNote({ revision, action, ms, by, causes, text }: SavedNote, row: Row): ChangeNote {
  return { revision, row, action, ms, by, causes: packCauses(causes), facts: text === '' ? noFacts : [text] };
}
