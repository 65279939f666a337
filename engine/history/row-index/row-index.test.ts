/** What is kept of rows as numbers, held against the rows themselves: after any changes a query answers as if all were looked at anew. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../apimachinery/object.ts';
import { parseSelector } from '../../apimachinery/labels.ts';
import { isPassingTrouble } from '../../component-helpers/pod.ts';
import { createStore } from '../../store/memory-store.ts';
import { shortMs } from '../area.ts';
import { findDifferences, FindRoom } from '../differences/find.ts';
import { markCount, marksWithin } from '../marks.ts';
import { createHistoryRecorder } from '../recorder.ts';
import type { Row } from '../row.ts';
import { type Range, type RowQuery, type RowSort, TimelineRows } from '../timeline-rows.ts';
import { groupRows, type GroupedRows } from '../row-groups.ts';
import { LivingRows } from '../living-rows.ts';
import { SteadyPages } from '../steady-pages.ts';
import { RowIndex } from './row-index.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const plurals: Readonly<Record<string, string>> = { Pod: 'pods', Node: 'nodes', ReplicaSet: 'replicasets', Event: 'events' };
const rowsMax = 12;

interface Step {
  readonly act: 'pod' | 'set' | 'remove' | 'event' | 'ask' | 'restore';
  readonly name: number;
  readonly variant: number;
}

const steps = fc.array(
  fc.record<Step>({
    act: fc.constantFrom('pod', 'pod', 'pod', 'set', 'remove', 'remove', 'event', 'ask', 'restore'),
    name: fc.nat(7),
    variant: fc.nat(5),
  }),
  { maxLength: 80 },
);

class Tank {
  readonly store = createStore<KubeObject>();
  readonly recorder = createHistoryRecorder({
    startMs,
    resourceOf: (_group, kind) => plurals[kind],
    stored: (key) => this.store.get(key)?.value,
    rowsMax,
  });
  readonly index = new RowIndex(this.recorder);
  readonly rows = new TimelineRows(this.index);
  nowMs = startMs;

  constructor() {
    this.store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => this.recorder.onChange(change)) });
  }

  do({ act, name, variant }: Step): void {
    this.nowMs += 10;
    if (act === 'pod') this.#put(`pods/default/p${name}`, pod(name, variant));
    else if (act === 'set')
      this.#put(`replicasets/default/s${name % 3}`, {
        ...named('ReplicaSet', `s${name % 3}`),
        spec: { replicas: 2 },
        status: { readyReplicas: variant },
      });
    else if (act === 'event') this.#put(`events/default/e${this.nowMs}`, event(name, variant));
    else if (act === 'remove')
      this.store.remove(variant > 3 ? `/registry/replicasets/default/s${name % 3}` : `/registry/pods/default/p${name}`, undefined, this.#meta());
    else if (act === 'ask') this.#ask(variant);
    else this.recorder.slots.restore(JSON.parse(JSON.stringify(this.recorder.slots.save())), 'history');
  }

  names(query: RowQuery): readonly string[] {
    return Array.from(this.rows.select(query, { fromMs: 0, toMs: this.nowMs }), (slot) => this.index.row(slot).name);
  }

  /** Whole, or as far as a slice goes. */
  #ask(variant: number): void {
    if (variant > 2) this.index.prepare(variant);
    else this.rows.select({ search: `n${variant + 2}`, labels: parseSelector('app=a1') }, { fromMs: 0, toMs: this.nowMs });
  }

  #put(path: string, object: object): void {
    const key = `/registry/${path}`;
    if (this.store.get(key) === undefined) this.store.create(key, object as KubeObject, this.#meta());
    else this.store.update(key, undefined, object as KubeObject, this.#meta());
  }

  #meta(): { virtualMs: number; identity: string; causes: string[] } {
    return { virtualMs: this.nowMs, identity: 'admin', causes: [] };
  }
}

function named(kind: string, name: string, more: object = {}): object {
  return { apiVersion: kind === 'ReplicaSet' ? 'apps/v1' : 'v1', kind, metadata: { name, namespace: 'default', ...more } };
}

function pod(name: number, variant: number): object {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `s${variant % 3}`, uid: 'x', controller: true };
  const more = { labels: { app: `a${variant % 2}` }, ...(variant === 5 ? {} : { ownerReferences: [owner] }) };
  const status = { phase: ['Pending', 'Running', 'Failed'][variant % 3], conditions: [{ type: 'Ready', status: variant > 2 ? 'True' : 'False' }] };
  return { ...named('Pod', `p${name}`, more), spec: variant > 1 ? { nodeName: `n${variant}` } : {}, status };
}

function event(name: number, variant: number): object {
  const involvedObject = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: `p${name}` };
  return { ...named('Event', 'e'), involvedObject, reason: 'Said', type: variant > 2 ? 'Warning' : 'Normal' };
}

/** Owners before what they own, by looking at all rows each time. */
function treeOf(rows: readonly Row[]): readonly Row[] {
  const ids = new Set(rows.map(({ id }) => id));
  const isRoot = ({ id, owner }: Row): boolean => owner === '' || owner === id || !ids.has(owner);
  const shown = new Set<Row>();
  const visit = (row: Row): readonly Row[] => {
    const isFirst = ![...shown].some(({ id }) => id === row.id);
    shown.add(row);
    return [row, ...(isFirst ? rows.filter((one) => !isRoot(one) && one.owner === row.id).flatMap(visit) : [])];
  };
  const text = (row: Row): string => `${row.namespace}\0${row.kind}\0${row.name}\0${String(row.createdRevision).padStart(9, '0')}`;
  return rows
    .filter(isRoot)
    .toSorted((a, b) => (text(a) < text(b) ? -1 : 1))
    .flatMap(visit);
}

function troubleOf(row: Row, { fromMs, toMs }: Range): number {
  const isBad = ({ state, reason }: Row['segments'][number]): boolean =>
    ['Failed', 'NotReady', 'Unknown'].includes(state) || !isPassingTrouble(reason);
  const segments = row.segments.filter(isBad).map((one) => Math.max(0, Math.min(one.toMs || toMs, toMs) - Math.max(one.fromMs, fromMs)));
  return segments.reduce((sum, ms) => sum + ms, shortMs(row.area, fromMs, row.deletedMs === 0 ? toMs : Math.min(toMs, row.deletedMs)));
}

function lastOf(row: Row, { fromMs, toMs }: Range): number {
  return Math.max(-1, ...marksWithin(row.marks, fromMs, toMs).map(({ ms }) => ms));
}

describe('rows as numbers', () => {
  test('are in tree order, filtered and sorted as the rows themselves', () => {
    const spans = fc.record({ from: fc.nat(80), length: fc.nat(80) });
    fc.assert(
      fc.property(steps, spans, fc.constantFrom<RowSort>('tree', 'trouble', 'time', 'size'), (done, { from, length }, sort) => {
        const tank = new Tank();
        for (const step of done) tank.do(step);
        const range: Range = { fromMs: startMs + from * 10, toMs: startMs + (from + length) * 10 };
        const all = [...tank.recorder.rows()];
        const living = treeOf(all).filter((row) => row.createdMs <= range.toMs && (row.deletedMs === 0 || row.deletedMs >= range.fromMs));
        const ask = (query: RowQuery): readonly string[] => Array.from(tank.rows.select(query, range), (slot) => tank.index.row(slot).uid);
        const uids = (wanted: (row: Row) => boolean): readonly string[] => living.filter(wanted).map(({ uid }) => uid);
        expect(ask({})).toEqual(uids(() => true));
        expect(ask({ isChanged: true })).toEqual(uids((row) => lastOf(row, range) >= 0));
        for (const node of ['n2', 'n3']) expect(ask({ search: node.toUpperCase() })).toEqual(uids((row) => row.node === node));
        expect(ask({ search: 'p1' })).toEqual(uids(({ name }) => name === 'p1'));
        expect(ask({ kinds: ['Pod'], owner: 'replicasets.apps/default/s1' })).toEqual(
          uids(({ kind, owner }) => kind === 'Pod' && owner === 'replicasets.apps/default/s1'),
        );
        const labels = parseSelector('app=a1');
        expect(ask({ labels })).toEqual(
          uids(({ key, deletedMs }) => deletedMs === 0 && tank.store.get(key)?.value.metadata.labels?.['app'] === 'a1'),
        );
        const weights: Readonly<Record<RowSort, (row: Row) => number>> = {
          tree: () => 0,
          trouble: (row) => troubleOf(row, range),
          time: (row) => lastOf(row, range),
          size: ({ id }) => all.filter(({ owner }) => owner === id).length,
        };
        const sorted = living.toSorted((a, b) => weights[sort](b) - weights[sort](a)).map(({ uid }) => uid);
        const slots = tank.rows.select({}, range);
        expect(Array.from(tank.rows.sorted(slots, sort, range, 1, 4), (slot) => tank.index.row(slot).uid)).toEqual(sorted.slice(1, 4));
        expect(ask({ isTroubled: true })).toEqual(
          uids((row) => weights.trouble(row) > 0 || marksWithin(row.marks, range.fromMs, range.toMs).some(({ level }) => level === 'Warning')),
        );
      }),
      { numRuns: 150 },
    );
  });

  test('pages that are kept from one question to the next are those that would be found anew', () => {
    const spans = fc.array(fc.record({ after: fc.nat(20), from: fc.nat(80), length: fc.nat(80) }), { maxLength: 12 });
    fc.assert(
      fc.property(steps, spans, (done, asked) => {
        const tank = new Tank();
        const pages = new SteadyPages(tank.index, tank.rows);
        const todo = [...done];
        for (const { after, from, length } of asked) {
          for (const step of todo.splice(0, after)) tank.do(step);
          const range: Range = { fromMs: startMs + from * 10, toMs: startMs + (from + length) * 10 };
          for (const group of ['owner', 'node', 'kind', 'none'] as const) {
            const told = ({ slots, groups }: GroupedRows) => ({ rows: Array.from(slots, (slot) => tank.index.row(slot).uid), groups });
            const kept = told(pages.page({ kinds: ['Pod', 'ReplicaSet'], collapsed: ['n3'] }, group, range));
            const found = tank.rows.select({ kinds: ['Pod', 'ReplicaSet'] }, range);
            expect(kept).toEqual(told(groupRows(tank.index, found, group, new Set(['n3']))));
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test('what is asked again while pods only change their states is not found anew, and is when one ends or the range leaves it', () => {
    const tank = new Tank();
    const pages = new SteadyPages(tank.index, tank.rows);
    for (const name of [1, 2]) tank.do({ act: 'pod', name, variant: 2 });
    const page = (toMs = tank.nowMs): GroupedRows => pages.page({}, 'owner', { fromMs: startMs, toMs });
    const first = page();
    const living = tank.rows.select({}, { fromMs: startMs, toMs: tank.nowMs });
    for (let turn = 0; turn < 10; turn++) {
      tank.do({ act: 'event', name: 1, variant: 4 });
      const range = { fromMs: startMs, toMs: tank.nowMs };
      // What is searched in between is found among the same rows, and is no page of all of them.
      expect(pages.page({ search: 'p2' }, 'owner', range).slots.length).toBe(1);
      expect(tank.rows.select({}, range)).toBe(living);
      expect(page()).toBe(first);
    }
    expect(page(startMs)).not.toBe(first);
    const again = page();
    tank.do({ act: 'remove', name: 2, variant: 0 });
    expect(page()).not.toBe(again);
  });

  test('a search that is asked again finds what came there since, and no more what left', () => {
    const tank = new Tank();
    for (const [name, variant] of [
      [1, 2],
      [2, 3],
    ] as const)
      tank.do({ act: 'pod', name, variant });
    expect(tank.names({ search: 'n2' })).toEqual(['p1']);
    for (const [name, variant] of [
      [1, 3],
      [2, 2],
    ] as const)
      tank.do({ act: 'pod', name, variant });
    expect(tank.names({ search: 'n2' })).toEqual(['p2']);
  });

  test('what is owned by a row that was forgotten stands by itself, in its place', () => {
    const tank = new Tank();
    tank.do({ act: 'set', name: 1, variant: 0 });
    tank.do({ act: 'pod', name: 1, variant: 1 });
    tank.do({ act: 'pod', name: 0, variant: 5 });
    expect(tank.names({})).toEqual(['p0', 's1', 'p1']);
    tank.do({ act: 'remove', name: 1, variant: 4 });
    for (let turn = 0; turn < rowsMax; turn++) {
      tank.do({ act: 'pod', name: 7, variant: 5 });
      tank.do({ act: 'remove', name: 7, variant: 0 });
    }
    expect(tank.names({ search: 's1' })).toEqual([]);
    expect(tank.names({}).slice(0, 2)).toEqual(['p0', 'p1']);
  });

  test('tell what was touched between two instants, and when last, as the marks do', () => {
    const room = new FindRoom();
    fc.assert(
      fc.property(steps, fc.nat(80), fc.nat(80), (done, from, length) => {
        const tank = new Tank();
        for (const step of done) tank.do(step);
        const [fromMs, toMs] = [startMs + from * 10, startMs + (from + length) * 10];
        const found = findDifferences(tank.index, { fromMs, toMs }, { differs: () => false }, room);
        const told = Array.from(found.slots, (_slot, place) => found.tell(place));
        const touched = [...tank.recorder.rows()].filter(
          (row) => marksWithin(row.marks, fromMs, toMs).some(({ ms }) => ms > fromMs) && (row.deletedMs === 0 || row.deletedMs > fromMs),
        );
        expect(new Set(told.map(({ row }) => row.id))).toEqual(new Set(touched.map(({ id }) => id)));
        expect(told.length).toBe(new Set(touched.map(({ id }) => id)).size);
        for (const { row, lastMs } of told) {
          const lives = touched.filter(({ id }) => id === row.id);
          expect(lastMs).toBe(Math.max(...lives.map((life) => lastOf(life, { fromMs: fromMs + 1, toMs }))));
          expect(markCount(row.marks)).toBeGreaterThan(0);
        }
      }),
      { numRuns: 100 },
    );
  });
});

/** Ends that fall on instants at which rows come and go, and between them. */
const ranges = fc.array(fc.tuple(fc.nat(90), fc.nat(90)), { minLength: 2, maxLength: 12 });

test('rows that lived in a range are those of a first look, whatever range was asked of before', () => {
  fc.assert(
    fc.property(steps, ranges, (all, asked) => {
      const tank = new Tank();
      for (const step of all) tank.do(step);
      const kept = new LivingRows(tank.index);
      for (const [from, to] of asked) {
        const range = { fromMs: startMs + 5 * from, toMs: startMs + 5 * (from + to) };
        expect([...kept.of({}, range)]).toEqual([...new LivingRows(tank.index).of({}, range)]);
      }
    }),
  );
});
