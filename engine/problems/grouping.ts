/**
 * Findings made problems: each under the object that it comes from, so that a dead node is one problem and not one for each of its pods, and
 * what is wrong with the pods of a workload is told of the workload.
 */
import type { KubeObject } from '../apimachinery/object.ts';
import { getControllerOf } from '../component-helpers/owners.ts';
import type { Finding } from './finding.ts';

/** Something wrong with an object. */
export interface Entry {
  readonly row: string;
  readonly object: KubeObject;
  readonly finding: Finding;
  readonly sinceMs: number;
  readonly revision: number;
}

/** Entries below what they come from. */
export interface Group {
  /** Row of the subject. */
  readonly row: string;
  /** What is wrong with the subject itself; undefined where only others suffer from it. */
  readonly own: Entry | undefined;
  /** The first by time is first. */
  readonly others: readonly Entry[];
  /** What parts of it suffer from and are told under. */
  readonly roots: readonly Entry[];
}

export interface Rows {
  rowOf(object: KubeObject): string;
  /** Of an owner in a namespace: the object, if it is there. */
  owner(namespace: string | undefined, apiVersion: string, kind: string, name: string): KubeObject | undefined;
}

const levelsMax = 4;

export function groupEntries(found: readonly Entry[], rows: Rows): readonly Group[] {
  const known = new Map<string, string | undefined>();
  const homes = new Map(found.map((entry) => [entry.row, homeOf(entry.object, rows, known)]));
  const byRow = new Map(found.map((entry) => [entry.row, entry]));
  const entries = found.flatMap(eachCause);
  const guests = new Map<string, Entry[]>();
  for (const entry of entries) {
    const home = homes.get(entry.row);
    if (home !== undefined && home !== entry.row) add(guests, home, entry);
  }
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) add(groups, subjectOf(entry, homes.get(entry.row), guests, byRow), entry);
  return [...groups].map(([row, members]) => ({
    row,
    own: members.find((one) => one.row === row),
    others: once(members.filter((one) => one.row !== row).sort((a, b) => a.sinceMs - b.sinceMs || (a.row < b.row ? -1 : 1))),
    roots: rootsOf(guests.get(row) ?? [], byRow),
  }));
}

function rootsOf(guests: readonly Entry[], byRow: ReadonlyMap<string, Entry>): readonly Entry[] {
  const roots = new Set(guests.flatMap(({ finding: { root } }) => root ?? []));
  return [...roots].flatMap((root) => byRow.get(root) ?? []);
}

function eachCause(entry: Entry): readonly Entry[] {
  const { also } = entry.finding;
  return also === undefined ? [entry] : [entry, ...also.map((finding) => ({ ...entry, finding, sinceMs: finding.sinceMs ?? entry.sinceMs }))];
}

/** Two causes of one object may be told in one place: it is one that suffers. */
function once(entries: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ row }) => !seen.has(row) && seen.add(row));
}

/** What an entry is told under. */
function subjectOf(entry: Entry, home: string | undefined, guests: ReadonlyMap<string, readonly Entry[]>, byRow: ReadonlyMap<string, Entry>): string {
  const { root } = entry.finding;
  if (root !== undefined) return root;
  const pods = guests.get(entry.row);
  // A workload whose pods all suffer from one thing suffers from it too.
  if (pods !== undefined) return commonRoot(pods) ?? entry.row;
  if (home === undefined) return entry.row;
  const owner = byRow.get(home);
  return owner?.finding.root ?? home;
}

function commonRoot(pods: readonly Entry[]): string | undefined {
  const [first] = pods;
  const root = first?.finding.root;
  return root !== undefined && pods.every(({ finding }) => finding.root === root) ? root : undefined;
}

/** The workload that an object is a part of: its controller, and the controller of that one. */
function homeOf(object: KubeObject, rows: Rows, known: Map<string, string | undefined>): string | undefined {
  const uid = getControllerOf(object)?.uid;
  if (uid === undefined || uid === '') return findHome(object, rows);
  // Those that one controller made are at home in one place.
  if (!known.has(uid)) known.set(uid, findHome(object, rows));
  return known.get(uid);
}

function findHome(object: KubeObject, rows: Rows): string | undefined {
  let at: KubeObject | undefined = object;
  let home: string | undefined;
  for (let level = 0; level < levelsMax && at !== undefined; level++) {
    const reference = getControllerOf(at);
    if (reference === undefined || reference.kind === 'CronJob' || reference.kind === 'Node') break;
    at = rows.owner(at.metadata.namespace, reference.apiVersion, reference.kind, reference.name);
    if (at !== undefined) home = rows.rowOf(at);
  }
  return home;
}

function add(groups: Map<string, Entry[]>, row: string, entry: Entry): void {
  const members = groups.get(row);
  if (members === undefined) groups.set(row, [entry]);
  else members.push(entry);
}
