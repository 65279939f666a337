/** Which faults were active where and when: bands of the timeline, and the end of a chain of causes that begins in silence. */
import type { Fault } from '../api/sim/v1alpha1/fault.ts';
import type { TimelineFault } from '../api/sim/v1alpha1/timeline.ts';
import { parseTime } from '../apimachinery/time.ts';
import { list, number, record, text } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';

export interface FaultRecord {
  readonly name: string;
  readonly uid: string;
  readonly type: string;
  readonly createdRevision: number;
  fromMs: number;
  /** 0 while it lasts. */
  toMs: number;
  affected: readonly string[];
}

const recordCodec = record<FaultRecord>({
  name: text,
  uid: text,
  type: text,
  createdRevision: number,
  fromMs: number,
  toMs: number,
  affected: list(text),
});

const recordsMax = 2_000;

export class FaultRecords {
  #records: FaultRecord[] = [];

  observe(fault: Fault, ms: number, revision: number): void {
    const uid = fault.metadata.uid ?? '';
    let record = this.#records.find((one) => one.uid === uid);
    if (record === undefined) {
      record = { name: fault.metadata.name ?? '', uid, type: fault.spec.type, createdRevision: revision, fromMs: ms, toMs: 0, affected: [] };
      this.#records.push(record);
      if (this.#records.length > recordsMax) this.#records.shift();
    }
    const { phase, injectedAt, affected } = fault.status ?? {};
    if (affected !== undefined) record.affected = affected;
    if (injectedAt !== undefined && record.affected.length > 0) record.fromMs = Math.max(record.fromMs, parseTime(injectedAt) ?? 0);
    if ((phase === 'Healed' || phase === 'Failed') && record.toMs === 0) record.toMs = ms;
  }

  remove(uid: string, ms: number): void {
    const record = this.#records.find((one) => one.uid === uid);
    if (record !== undefined && record.toMs === 0) record.toMs = ms;
  }

  /** The fault that a node fell silent of: one that is active then, else the last one before. */
  find(node: string, ms: number): FaultRecord | undefined {
    const hits = this.#records.filter((one) => one.fromMs <= ms && one.affected.includes(node));
    return hits.findLast((one) => one.toMs === 0 || one.toMs >= ms) ?? hits.at(-1);
  }

  within(fromMs: number, toMs: number): readonly TimelineFault[] {
    return this.#records
      .filter((one) => one.fromMs <= toMs && (one.toMs === 0 || one.toMs >= fromMs))
      .map(({ name, type, fromMs: from, toMs: to, affected }) => ({ name, type, fromMs: from, ...(to === 0 ? {} : { toMs: to }), affected }));
  }

  keepIn(slots: Slots): void {
    slots.field(
      'faults',
      list(recordCodec),
      () => this.#records,
      (records) => {
        this.#records = [...records];
      },
    );
  }
}
