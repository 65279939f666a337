/** A difference as a computed object: the fields at the one instant and at the other as far as objects are remembered, else what history noted. */
import type { Difference, DifferenceStatus } from '../../api/sim/v1alpha1/change.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { CompactedError } from '../../store/store.ts';
import { subjectOf } from '../changes/change.ts';
import { levelAt } from '../area.ts';
import { compareFields } from '../changes/field-changes.ts';
import { hiddenPaths } from '../hidden-values.ts';
import { type Mark, marksWithin } from '../marks.ts';
import type { HistoryRecorder } from '../recorder.ts';
import { resourceType, type Row } from '../row.ts';
import { shortIdentity } from '../sentences.ts';
import { simGroup } from '../virtual-kind.ts';
import { isEventMark, type RowDifference, type Span } from './find.ts';

const limits = { fieldsMax: 30, textMax: 400 } as const;
const factsMax = 20;

/** How the two instants were asked for. */
export interface AskedSpan extends Span {
  readonly from: string;
  readonly to: string;
}

export function showDifference(found: RowDifference, span: AskedSpan, past: PastObjects): Difference {
  const { row, type, changes, events, warnings, lastMs } = found;
  const marks = marksWithin(row.marks, span.fromMs, span.toMs).filter(({ ms }) => ms > span.fromMs);
  const last = marks.findLast((mark) => !isEventMark(mark.type));
  const status: DifferenceStatus = {
    ...{ from: span.from, to: span.to, change: type, subject: subjectOf(row) },
    ...(type === 'Changed' || type === 'Recreated' ? inside(row, marks, past) : {}),
    ...(type === 'Created' ? stateAt(row, span.toMs) : {}),
    ...{ changes, events, warnings },
    ...lastEvent(marks),
    ...(last === undefined || last.revision === 0 ? {} : { revision: last.revision, actor: shortIdentity(last.by) }),
    ms: lastMs,
    ...(found.isCut ? { isCut: true } : {}),
  };
  return { kind: 'Difference', apiVersion: `${simGroup}/v1alpha1`, metadata: { name: nameOf(row), namespace: row.namespace || 'default' }, status };
}

/** As problems are named. */
export function nameOf(row: Row): string {
  return `${resourceType(row)}-${row.name}`;
}

function inside(row: Row, marks: readonly Mark[], past: PastObjects): Pick<DifferenceStatus, 'fields' | 'moreFields' | 'facts'> {
  const both = past.both(row);
  if (both === undefined)
    return {
      facts: marks
        .filter(({ type }) => !isEventMark(type))
        .map(({ text }) => text)
        .slice(-factsMax),
    };
  const { fields, more } = compareFields(both.before, both.after, { ...limits, hidden: hiddenPaths(subjectOf(row)) });
  return { fields, ...(more === 0 ? {} : { moreFields: more }) };
}

/** What keeps pods says how many are ready, others the trouble that they are in, else their state. */
function stateAt({ area, segments }: Row, ms: number): Pick<DifferenceStatus, 'state'> {
  const level = levelAt(area, ms);
  if (level !== undefined && (level.wished > 0 || level.ready > 0)) return { state: `${level.ready} of ${level.wished} ready` };
  const segment = segments.findLast(({ fromMs }) => fromMs <= ms);
  if (segment === undefined || segment.state === 'Exists') return {};
  const { state, ready, reason } = segment;
  return { state: reason === '' ? (ready === false && state === 'Running' ? `${state}, not ready` : state) : reason };
}

/** What the last warning said, or the last Event. */
function lastEvent(marks: readonly Mark[]): Pick<DifferenceStatus, 'lastEvent'> {
  const told = marks.filter(({ type }) => isEventMark(type));
  const text = (told.findLast(({ level }) => level === 'Warning') ?? told.at(-1))?.text;
  return text === undefined ? {} : { lastEvent: text };
}

/** Objects as they were at the two instants of a span. */
export class PastObjects {
  readonly #stored: HistoryRecorder['stored'];
  /** Of the last change up to each instant; undefined where that is no longer known. */
  readonly #revisions: readonly [number, number] | undefined;

  constructor({ notes, stored }: Pick<HistoryRecorder, 'notes' | 'stored'>, { fromMs, toMs }: Span) {
    this.#stored = stored;
    const revisionAt = (ms: number): number => notes.before(ms).next().value?.revision ?? 0;
    const isKnown = fromMs >= notes.forgottenUntilMs && revisionAt(fromMs) > 0;
    this.#revisions = isKnown ? [revisionAt(fromMs), revisionAt(toMs)] : undefined;
  }

  /** Undefined where one of them is no longer remembered. */
  both({ key }: Row): { readonly before: KubeObject; readonly after: KubeObject } | undefined {
    if (this.#revisions === undefined) return undefined;
    try {
      const [before, after] = this.#revisions.map((revision) => this.#stored(key, revision));
      return before === undefined || after === undefined ? undefined : { before, after };
    } catch (error) {
      if (error instanceof CompactedError) return undefined;
      throw error;
    }
  }

  /** True also where nobody knows. */
  mayDiffer(row: Row): boolean {
    const both = this.both(row);
    return both === undefined || compareFields(both.before, both.after, { fieldsMax: 1, textMax: 1 }).fields.length > 0;
  }
}
