/**
 * Counts per topology pair that follow the nodes' changes. Values of a label are small numbers, and each node's stands at its slot, so
 * that a look at a node is two look-ups in lists:
 *
 *   column of zone   a=0 b=1   numbers by slot: 0 1 0 absent   totals by number: 3 0   so slots 0 and 2 have 3
 */
import { getOwn } from '../../../base/dictionary.ts';
import type { LabelSet } from '../../../apimachinery/labels.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { NodeTally, type Snapshot } from '../../framework/tally.ts';

const absent = -1;
const columnsMax = 64;

/** The values of one label of all nodes. */
class LabelColumn {
  readonly key: string;
  readonly #numbers = new Map<string, number>();
  readonly #bySlot: number[] = [];
  /** Of the node that each was read from. */
  readonly #labels: (LabelSet | undefined)[] = [];
  #position = -1;

  constructor(key: string) {
    this.key = key;
  }

  sync(snapshot: Snapshot): void {
    if (this.#position === snapshot.changes) return;
    const changed = this.#position < 0 ? undefined : snapshot.changesSince(this.#position);
    if (changed === undefined) for (const node of snapshot.nodes) this.#read(node);
    else for (const slot of changed) this.#read(snapshot.bySlot(slot) as NodeInfo);
    this.#position = snapshot.changes;
  }

  at(slot: number): number {
    return this.#bySlot[slot] ?? absent;
  }

  numberOf({ node: { metadata } }: NodeInfo): number {
    const value = getOwn(metadata.labels, this.key);
    if (value === undefined) return absent;
    let number = this.#numbers.get(value);
    if (number === undefined) this.#numbers.set(value, (number = this.#numbers.size));
    return number;
  }

  #read(node: NodeInfo): void {
    const { labels } = node.node.metadata;
    const { slot } = node;
    if (slot < this.#bySlot.length && this.#labels[slot] === labels) return;
    // Without holes, so that V8 keeps a list of small numbers.
    while (this.#bySlot.length <= slot) this.#bySlot.push(absent);
    this.#labels[slot] = labels;
    this.#bySlot[slot] = this.numberOf(node);
  }
}

/** The columns in use, shared by all classes of pods. Slots mean something within one version of the topology only. */
export class LabelColumns {
  readonly #columns = new Map<string, LabelColumn>();
  #version = -1;

  get(key: string, snapshot: Snapshot): LabelColumn {
    if (snapshot.topologyVersion !== this.#version || (this.#columns.size >= columnsMax && !this.#columns.has(key))) {
      this.#columns.clear();
      this.#version = snapshot.topologyVersion;
    }
    let column = this.#columns.get(key);
    if (column === undefined) this.#columns.set(key, (column = new LabelColumn(key)));
    column.sync(snapshot);
    return column;
  }
}

/** What is counted for the values of one topology key. */
export class Totals {
  readonly column: LabelColumn;
  readonly #totals: number[] = [];
  /** Values with another count than 0. */
  live = 0;

  constructor(column: LabelColumn) {
    this.column = column;
  }

  hasLabel(slot: number): boolean {
    return this.column.at(slot) !== absent;
  }

  /** 0 for nodes without the label. */
  at(slot: number): number {
    const number = this.column.at(slot);
    return number === absent ? 0 : (this.#totals[number] ?? 0);
  }

  add(number: number, by: number): void {
    while (this.#totals.length <= number) this.#totals.push(0);
    const before = this.#totals[number] as number;
    const after = (this.#totals[number] = before + by);
    if (before === 0 && after !== 0) this.live++;
    if (before !== 0 && after === 0) this.live--;
  }
}

type Deltas = readonly { readonly totals: Totals; readonly number: number; by: number }[];
type Add = (topologyKey: string, by: number) => void;

export class Counts {
  readonly #columns: LabelColumns;
  readonly #byKey = new Map<string, Totals>();
  /** Of all keys that any node counted for; those that are dead count nothing. */
  readonly all: Totals[] = [];
  readonly #tally: NodeTally<Deltas>;
  #snapshot: Snapshot | undefined;

  /** `contribute` must depend on the node alone. */
  constructor(columns: LabelColumns, contribute: (node: NodeInfo, add: Add) => void) {
    this.#columns = columns;
    this.#tally = new NodeTally<Deltas>(
      (node) => this.#deltas(node, contribute),
      (deltas, sign) => {
        for (const { totals, number, by } of deltas) totals.add(number, sign * by);
      },
    );
  }

  get isEmpty(): boolean {
    for (const { live } of this.all) if (live > 0) return false;
    return true;
  }

  sync(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    for (const { column } of this.all) column.sync(snapshot);
    this.#tally.sync(snapshot);
  }

  put(node: NodeInfo): void {
    this.#tally.put(node);
  }

  /** After `sync`. */
  of(key: string): Totals {
    let totals = this.#byKey.get(key);
    if (totals !== undefined) return totals;
    totals = new Totals(this.#columns.get(key, this.#snapshot as Snapshot));
    this.#byKey.set(key, totals);
    this.all.push(totals);
    return totals;
  }

  #deltas(node: NodeInfo, contribute: (node: NodeInfo, add: Add) => void): Deltas | undefined {
    let deltas: { readonly totals: Totals; readonly number: number; by: number }[] | undefined;
    contribute(node, (key, by) => {
      const known = deltas?.find(({ totals }) => totals.column.key === key);
      if (known !== undefined) known.by += by;
      // What no node has a label for is not counted, whatever pods ask for.
      else if (getOwn(node.node.metadata.labels, key) !== undefined) {
        const totals = this.of(key);
        (deltas ??= []).push({ totals, number: totals.column.numberOf(node), by });
      }
    });
    return deltas;
  }
}
