/** Which faults were active where and when: bands of the timeline, and the end of a chain of causes that begins in silence. */
import type { Fault } from '../api/sim/v1alpha1/fault.ts';
import type { TimelineFault } from '../api/sim/v1alpha1/timeline.ts';
import { parseDuration, parseTime } from '../apimachinery/time.ts';
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
  /** When it ends by itself; 0 where it does not. */
  healsMs: number;
  affected: readonly string[];
}

const recordCodec = record<FaultRecord>({
  name: text,
  uid: text,
  type: text,
  createdRevision: number,
  fromMs: number,
  toMs: number,
  healsMs: number,
  affected: list(text),
});

const recordsMax = 2_000;

export class FaultRecords {
  #records: FaultRecord[] = [];

  observe(fault: Fault, ms: number, revision: number): void {
    const uid = fault.metadata.uid ?? '';
    let record = this.#records.find((one) => one.uid === uid);
    if (record === undefined) {
      record = begunBy(fault, ms, revision);
      this.#records.push(record);
      if (this.#records.length > recordsMax) this.#records.shift();
    }
    const { phase, injectedAt, healsAt, affected } = fault.status ?? {};
    if (healsAt !== undefined) record.healsMs = parseTime(healsAt) ?? 0;
    if (affected !== undefined) record.affected = affected;
    if (injectedAt !== undefined && record.affected.length > 0) record.fromMs = Math.max(record.fromMs, parseTime(injectedAt) ?? 0);
    if ((phase === 'Healed' || phase === 'Failed') && record.toMs === 0) record.toMs = ms;
  }

  remove(uid: string, ms: number): void {
    const record = this.#records.find((one) => one.uid === uid);
    if (record === undefined || record.toMs !== 0) return;
    // Of what was planned and never struck nothing stays.
    if (record.fromMs > ms) this.#records = this.#records.filter((one) => one !== record);
    else record.toMs = ms;
  }

  /** The fault that a node fell silent of: one that is active then, else the last one before. */
  find(node: string, ms: number): FaultRecord | undefined {
    const hits = this.#records.filter((one) => one.fromMs <= ms && one.affected.includes(node));
    return hits.findLast((one) => one.toMs === 0 || one.toMs >= ms) ?? hits.at(-1);
  }

  within(fromMs: number, toMs: number): readonly TimelineFault[] {
    return this.#records
      .filter((one) => one.fromMs <= toMs && (one.toMs === 0 || one.toMs >= fromMs))
      .map(({ name, type, fromMs: from, toMs: to, healsMs, affected }) => {
        const end = to !== 0 ? { toMs: to } : healsMs === 0 ? {} : { healsMs };
        return { name, type, fromMs: from, ...end, affected };
      });
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

/** What is planned begins at its instant. */
function begunBy({ metadata: { name = '', uid = '' }, spec }: Fault, ms: number, createdRevision: number): FaultRecord {
  const startMs = parseTime(spec.startAt ?? '') ?? 0;
  const isPlanned = startMs > ms;
  const fromMs = Math.max(ms, startMs);
  const durationMs = parseDuration(spec.duration ?? '') ?? 0;
  const affected = isPlanned && spec.target?.node !== undefined ? [spec.target.node] : [];
  return { name, uid, type: spec.type, createdRevision, fromMs, toMs: 0, healsMs: durationMs === 0 ? 0 : fromMs + durationMs, affected };
}
