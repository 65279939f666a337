/** Rows in tree order: owners before what they own, kept until rows come or go. */
import type { HistoryRecorder } from './recorder.ts';
import type { Row } from './row.ts';

export class TreeOrder {
  readonly #recorder: HistoryRecorder;
  #version = -1;
  #rows: readonly Row[] = [];

  constructor(recorder: HistoryRecorder) {
    this.#recorder = recorder;
  }

  rows(): readonly Row[] {
    if (this.#version !== this.#recorder.rowsVersion) {
      this.#rows = order([...this.#recorder.rows()]);
      this.#version = this.#recorder.rowsVersion;
    }
    return this.#rows;
  }
}

function order(rows: readonly Row[]): readonly Row[] {
  const ids = new Set(rows.map((row) => row.id));
  const children = new Map<string, Row[]>();
  const roots: Row[] = [];
  for (const row of rows) {
    if (row.owner === '' || row.owner === row.id || !ids.has(row.owner)) roots.push(row);
    else {
      const siblings = children.get(row.owner);
      if (siblings === undefined) children.set(row.owner, [row]);
      else siblings.push(row);
    }
  }
  roots.sort(compareRoots);
  for (const siblings of children.values()) siblings.sort(compareAges);
  return flatten(roots, children, rows.length);
}

/** Several lives of an owner share what they own: it follows the first of them. */
function flatten(roots: readonly Row[], children: Map<string, Row[]>, total: number): readonly Row[] {
  const ordered: Row[] = [];
  const stack = roots.toReversed();
  while (stack.length > 0) {
    const row = stack.pop() as Row;
    ordered.push(row);
    const owned = children.get(row.id);
    if (owned === undefined) continue;
    children.delete(row.id);
    for (const child of owned.toReversed()) stack.push(child);
  }
  // Owners in a circle have no root.
  if (ordered.length < total) for (const owned of children.values()) ordered.push(...owned);
  return ordered;
}

function compareRoots(a: Row, b: Row): number {
  return (
    compareTexts(a.namespace, b.namespace) || compareTexts(a.kind, b.kind) || compareTexts(a.name, b.name) || a.createdRevision - b.createdRevision
  );
}

function compareAges(a: Row, b: Row): number {
  return a.createdRevision - b.createdRevision;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
