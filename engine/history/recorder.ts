/**
 * Builds the timeline while the cluster runs: a row per life of an object with segments and marks, fed by the store's synchronous
 * watch. Bounded: rows of deleted objects leave in the order of their deletion, full rows forget their least telling marks.
 */
import type { CronJob } from '../api/batch/v1/types.gen.ts';
import type { Event } from '../api/core/v1/types.gen.ts';
import type { Fault } from '../api/sim/v1alpha1/fault.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { assert } from '../base/assert.ts';
import { packCauses } from '../base/causes.ts';
import { list, membersOf, number, text } from '../base/codecs.ts';
import { SharedTexts } from '../base/shared-values.ts';
import { Slots } from '../base/slots.ts';
import type { CronGrammar } from '../component-helpers/cron/parse.ts';
import type { Change } from '../store/store.ts';
import { Areas } from './areas.ts';
import { type Action, ChangeNotes, noFacts, noteCodec } from './change-notes.ts';
import { cronEventType, markLost, markRun } from './cron-marks.ts';
import { diffObjects, factsOf } from './diff.ts';
import { FaultRecords } from './fault-records.ts';
import { eventMark } from './event-mark.ts';
import type { MarkType } from './marks.ts';
import type { RowFollower } from './row-index/row-index.ts';
import { addMark, endRow, enterState, newRow, ownerOf, type ResourceOf, resourceType, type Row, rowCodec, rowIdOf } from './row.ts';
import type { HistoryObserver, RecorderOptions } from './recorder-options.ts';
import { type SavedPiece, SavedPieces } from './saved-pieces.ts';
import { stateOf } from './states.ts';
import { Unheard } from './unheard.ts';

export type { HistoryObserver, RecorderOptions } from './recorder-options.ts';

const rowsMaxDefault = 50_000;
const textsMax = 4_000;
const silentPrefixes = ['/registry/leases/', '/registry/masterleases/', '/registry/ranges/'];
const eventPrefix = '/registry/events/';
const faultPrefix = '/registry/sim.wavetank.dev/faults/';

export class HistoryRecorder {
  readonly name = 'history';
  readonly startMs: number;
  readonly slots = new Slots();
  readonly #faults = new FaultRecords();
  readonly #areas = new Areas();
  readonly #unheard = new Unheard();
  readonly #observers: readonly HistoryObserver[];
  readonly #notes = new ChangeNotes();
  readonly resourceOf: ResourceOf;
  readonly stored: RecorderOptions['stored'];
  readonly #onDefect: NonNullable<RecorderOptions['onDefect']>;
  /** Changes that have not been looked at, in their order; `#behind` is the place of the first. */
  #waiting: Change<KubeObject>[] = [];
  #behind = 0;
  /** What was saved and has not been taken up; it comes before what waits. */
  #later: Iterator<SavedPiece> | undefined;
  readonly #rowsMax: number;
  readonly #cronGrammar: CronGrammar;
  /** By uid, in the order of creation. */
  readonly #rows = new Map<string, Row>();
  readonly #living = new Map<string, Row>();
  /** The latest life under each row id. */
  readonly #latest = new Map<string, Row>();
  /** Uids in the order of deletion. */
  #deleted: string[] = [];
  /** Equal texts share one string. */
  readonly #texts = new SharedTexts(textsMax);
  #forgottenUntilMs = 0;
  /** Being saved while history goes on. */
  #pieces: SavedPieces | undefined;
  readonly #followers = new Set<RowFollower>();
  readonly #rowToChange = (id: string): Row | undefined => {
    const row = this.#latest.get(id);
    if (row !== undefined) this.#willChange(row);
    return row;
  };

  constructor(options: RecorderOptions) {
    this.resourceOf = options.resourceOf;
    this.startMs = options.startMs;
    this.stored = options.stored;
    this.#onDefect =
      options.onDefect ??
      ((_key, error) => {
        throw error;
      });
    this.#rowsMax = options.rowsMax ?? rowsMaxDefault;
    this.#cronGrammar = options.cronGrammar ?? 'v3';
    this.#observers = options.observers ?? [];
    this.#declare();
  }

  /** Whoever keeps something of all rows hears which to look at again; it reads them when it is asked, not now. */
  follow(follower: RowFollower): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  rows(): IterableIterator<Row> {
    this.catchUp();
    return this.#rows.values();
  }

  get rowCount(): number {
    this.catchUp();
    return this.#rows.size;
  }

  /** The latest life of the object with this row id. */
  find(id: string): Row | undefined {
    this.catchUp();
    return this.#latest.get(id);
  }

  /** Who made each change, and why; leases and Events are not noted. */
  get notes(): Pick<ChangeNotes, 'at' | 'after' | 'before' | 'forgottenUntilMs'> {
    this.catchUp();
    return this.#notes;
  }

  /** Rows of objects that were deleted up to this instant may be gone; 0 while all are there. */
  get forgottenUntilMs(): number {
    this.catchUp();
    return this.#forgottenUntilMs;
  }

  get faults(): FaultRecords {
    this.catchUp();
    return this.#faults;
  }

  get areas(): Areas {
    this.catchUp();
    return this.#areas;
  }

  /** Something was saved or heard and has not been looked at. */
  get isBehind(): boolean {
    return this.#later !== undefined || this.#behind < this.#waiting.length;
  }

  onChange(change: Change<KubeObject>): void {
    if (this.isBehind) this.#waiting.push(change);
    else this.#lookAt(change);
  }

  /**
   * A change of a session that is opened. Looking at it makes its values out of their text, which takes longer than all else that an opening
   * does: so it waits until somebody asks for what history knows, or for `catchUp`, and whatever changes meanwhile waits behind it.
   */
  onOldChange(change: Change<KubeObject>): void {
    this.#waiting.push(change);
  }

  /** Takes up what `savePieces` gave when somebody asks for it, or with `catchUp`, before any change. Pieces are of this very build. */
  restoreLater(pieces: Iterable<SavedPiece>): void {
    assert(this.#rows.size === 0 && !this.isBehind, 'a history that is taken up is empty');
    this.#later = pieces[Symbol.iterator]();
  }

  /** Takes up and looks at what waits, or at so many pieces and changes of it. What they were before must not have been forgotten. */
  catchUp(most = Number.POSITIVE_INFINITY): void {
    let count = 0;
    for (; this.#later !== undefined && count < most; count++) this.#takeUpNext(this.#later);
    for (; this.isBehind && count < most; count++) {
      const change = this.#waiting[this.#behind] as Change<KubeObject>;
      try {
        this.#lookAt(change);
      } catch (error) {
        this.#onDefect(change.key, error);
      }
      this.#behind++;
    }
    if (this.isBehind) return;
    this.#waiting = [];
    this.#behind = 0;
  }

  #takeUpNext(pieces: Iterator<SavedPiece>): void {
    let at = '';
    try {
      const { value: piece, done } = pieces.next();
      if (done === true) {
        this.#later = undefined;
        return;
      }
      at = piece.path.join('.');
      this.#takeUp(piece, at);
    } catch (error) {
      this.#onDefect(at, error);
    }
  }

  #takeUp({ path: [name = '', member], value }: SavedPiece, at: string): void {
    if (name !== 'rows' && name !== 'notes') this.slots.restoreOne(name, value, this.name);
    else if (member === undefined) return;
    else if (name === 'rows') this.#keep(rowCodec.decode(value, at));
    else this.#notes.takeUp(noteCodec.decode(value, at), (uid) => this.#rows.get(uid));
  }

  #lookAt(change: Change<KubeObject>): void {
    const { key } = change;
    if (key.startsWith(eventPrefix)) {
      if (change.current !== undefined) this.#onEvent(change.current.value as Event, change);
      return;
    }
    for (const prefix of silentPrefixes) if (key.startsWith(prefix)) return;
    if (key.startsWith(faultPrefix)) this.#onFault(change);
    const object = change.current?.value ?? change.previous?.value;
    if (object?.metadata === undefined) return;
    const living = this.#living.get(key);
    if (living !== undefined) this.#willChange(living);
    const isReady = living !== undefined && this.#unheard.isReady(living);
    const row = living ?? this.#begin(key, object, change);
    if (change.current === undefined) this.#end(row, change);
    else if (change.previous !== undefined) this.#update(row, change.previous.value, change.current.value, change);
    if (this.#unheard.isReady(row) !== isReady) for (const pod of this.#unheard.waiting(row.name)) this.#turn(pod, change);
    this.#areas.onChange(change, row, this.#rowToChange);
    for (const observer of this.#observers) observer.onChange(change, row);
    const cronJob = row.resource === 'jobs' && row.owner.startsWith('cronjobs.batch/') ? this.#rowToChange(row.owner) : undefined;
    if (cronJob !== undefined) markRun(cronJob, change);
  }

  /** What `slots` would save now, piece by piece: each is made when it is asked for, as it is now. Whoever asks again ends the former. */
  savePieces(): Iterable<SavedPiece> {
    this.catchUp();
    const rest = this.slots.saveWithout(['rows', 'notes']);
    this.#pieces = new SavedPieces({ rows: [...this.#rows.values()], notes: this.#notes.all(), rest });
    return this.#drain(this.#pieces);
  }

  *#drain(pieces: SavedPieces): Generator<SavedPiece> {
    yield* pieces.all();
    if (this.#pieces === pieces) this.#pieces = undefined;
  }

  #declare(): void {
    const { slots } = this;
    slots.field(
      'rows',
      membersOf(rowCodec),
      () => {
        this.catchUp();
        return this.#rows;
      },
      (rows) => {
        this.#waiting = [];
        this.#behind = 0;
        this.#later = undefined;
        for (const follower of [...this.#followers]) follower.onReset();
        this.#unheard.clear();
        this.#rows.clear();
        this.#living.clear();
        this.#latest.clear();
        for (const row of rows.values()) this.#keep(row);
      },
    );
    slots.field(
      'deleted',
      list(text),
      () => this.#deleted,
      (deleted) => {
        this.#deleted = [...deleted];
      },
    );
    slots.field(
      'notes',
      membersOf(noteCodec),
      () => this.#notes.save((uid) => this.#rows.has(uid)),
      (notes) => this.#notes.restore(notes, (uid) => this.#rows.get(uid)),
    );
    slots.field(
      'forgottenUntilMs',
      list(number),
      () => [this.#forgottenUntilMs, this.#notes.forgottenUntilMs],
      ([rows = 0, notes = 0]) => {
        this.#forgottenUntilMs = rows;
        this.#notes.forgottenUntilMs = notes;
      },
    );
    this.#faults.keepIn(slots);
    this.#areas.keepIn(slots);
    for (const observer of this.#observers) observer.keepIn(slots);
  }

  #keep(row: Row): void {
    this.#rows.set(row.uid, row);
    if (row.deletedMs === 0) this.#living.set(row.key, row);
    this.#latest.set(row.id, row);
    this.#unheard.place(row, row.segments.at(-1));
    for (const follower of this.#followers) follower.onRow(row);
  }

  #willChange(row: Row): void {
    this.#pieces?.keep(row);
    for (const follower of this.#followers) follower.onRow(row);
  }

  #begin(key: string, object: KubeObject, change: Change<KubeObject>): Row {
    const { revision, meta } = change;
    const row = newRow(key, object, this.resourceOf, meta.virtualMs, revision);
    row.owner = this.#texts.one(row.owner);
    this.#keep(row);
    this.#mark(row, 'create', 'created', revision, meta.virtualMs, meta.identity);
    this.#note(row, 'create', noFacts, change);
    this.#enter(row, object, meta.virtualMs);
    this.#forgetOldest();
    return row;
  }

  #update(row: Row, old: KubeObject, next: KubeObject, change: Change<KubeObject>): void {
    const { revision, meta } = change;
    const { virtualMs: ms, identity } = meta;
    row.lastRevision = revision;
    if (old.metadata.ownerReferences !== next.metadata.ownerReferences) row.owner = this.#texts.one(ownerOf(next, this.resourceOf));
    const diff = diffObjects(old, next);
    if (diff.update !== '') this.#mark(row, 'update', diff.update, revision, ms, identity);
    if (diff.status !== '') this.#mark(row, 'status', diff.status, revision, ms, identity);
    if (diff.restarts !== '') this.#mark(row, 'restart', diff.restarts, revision, ms, identity);
    if (diff.conditions !== '') this.#mark(row, 'condition', diff.conditions, revision, ms, identity);
    const isLeaving = next.metadata.deletionTimestamp !== undefined && old.metadata.deletionTimestamp === undefined;
    this.#note(row, isLeaving ? 'delete' : 'update', factsOf(diff), change);
    this.#enter(row, next, ms);
  }

  #end(row: Row, change: Change<KubeObject>): void {
    const { revision, meta } = change;
    row.lastRevision = revision;
    this.#mark(row, 'delete', 'deleted', revision, meta.virtualMs, meta.identity);
    this.#note(row, 'delete', noFacts, change);
    endRow(row, meta.virtualMs);
    this.#unheard.place(row, undefined);
    this.#living.delete(row.key);
    this.#deleted.push(row.uid);
    this.#forgetOldest();
  }

  #enter(row: Row, object: KubeObject, ms: number): void {
    if (row.resource === 'pods') row.node = (object as { spec?: { nodeName?: string } }).spec?.nodeName ?? '';
    enterState(row, ms, this.#unheard.enter(row, stateOf(resourceType(row), object)));
  }

  /** Nobody writes anything of a pod that was not ready when its node turned. */
  #turn(row: Row, { revision, meta }: Change<KubeObject>): void {
    const pod = this.stored(row.key, this.isBehind ? revision : undefined);
    if (pod?.metadata.uid !== row.uid) return;
    this.#willChange(row);
    this.#enter(row, pod, meta.virtualMs);
  }

  #onEvent(event: Event, change: Change<KubeObject>): void {
    const { uid = '', apiVersion = 'v1', kind = '', namespace, name = '' } = event.involvedObject;
    const row = this.#rows.get(uid) ?? this.#latest.get(rowIdOf({ apiVersion, kind }, namespace, name, this.resourceOf));
    if (row === undefined) return;
    this.#willChange(row);
    for (const observer of this.#observers) observer.onEvent(event, row, change.meta.virtualMs);
    const lost = row.resource === 'cronjobs' ? cronEventType(event.reason ?? '') : undefined;
    const mark = eventMark(event, lost ?? 'event', change, this.#texts);
    if (lost === undefined) addMark(row, mark);
    else markLost(row, mark, this.stored(row.key, this.isBehind ? change.revision : undefined) as CronJob | undefined, this.#cronGrammar);
  }

  #onFault(change: Change<KubeObject>): void {
    const { current, previous, revision, meta } = change;
    if (current !== undefined) this.#faults.observe(current.value as Fault, meta.virtualMs, revision);
    else this.#faults.remove(previous?.value.metadata.uid ?? '', meta.virtualMs);
  }

  #mark(row: Row, type: MarkType, text: string, revision: number, ms: number, by: string): void {
    addMark(row, { ms, type, revision, text: this.#texts.one(text), level: '', by });
  }

  #note(row: Row, action: Action, facts: readonly string[], { revision, meta }: Change<KubeObject>): void {
    this.#notes.add({
      revision,
      row,
      action,
      ms: meta.virtualMs,
      by: meta.identity,
      causes: packCauses(meta.causes),
      facts: facts.length === 0 ? noFacts : facts.map((fact) => this.#texts.one(fact)),
    });
  }

  #forgetOldest(): void {
    let forgotten = 0;
    while (this.#rows.size > this.#rowsMax && forgotten < this.#deleted.length) {
      const row = this.#rows.get(this.#deleted[forgotten++] as string);
      if (row === undefined) continue;
      this.#rows.delete(row.uid);
      this.#forgottenUntilMs = Math.max(this.#forgottenUntilMs, row.deletedMs);
      if (this.#latest.get(row.id) === row) this.#latest.delete(row.id);
      for (const follower of this.#followers) follower.onGone(row);
    }
    if (forgotten > 0) this.#deleted = this.#deleted.slice(forgotten);
  }
}

export function createHistoryRecorder(options: RecorderOptions): HistoryRecorder {
  return new HistoryRecorder(options);
}
