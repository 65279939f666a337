/** A month, day by day: how many instants came to what. A day opens as a stretch of time. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatDated, formatMonth, formatShortDate } from '../../lib/format.ts';
import { isMonth } from '../../state/address.ts';
import { texts } from '../../texts/texts.ts';
import type { Range } from '../../timeline/viewport.ts';
import { type Run, summaryOf, toldUntil } from './ledger.ts';
import { ahead } from './use-runs.ts';

const words = texts.cronJobs;
const dayMs = 86_400_000;
const parts = ['complete', 'failed', 'replaced', 'deleted', 'running', 'missed', 'skipped'] as const;

export function Calendar({
  atMs,
  month,
  lane,
  runs,
  cutBeforeMs,
  onMonth,
  onDay,
}: {
  readonly atMs: number;
  /** As `2026-11`; '' is that of `atMs`. */
  readonly month: string;
  readonly lane: string | undefined;
  /** Undefined until they were read. */
  readonly runs: readonly Run[] | undefined;
  readonly cutBeforeMs: number | undefined;
  readonly onMonth: (month: string) => void;
  readonly onDay: (range: Range) => void;
}) {
  const { fromMs: first, toMs: end } = rangeOfMonth(month, atMs);
  const turn = (by: number) => {
    const other = monthOf(firstOf(first, by));
    // That of now is left to follow it.
    return { disabled: !isMonth(other), onClick: () => onMonth(other === monthOf(atMs) ? '' : other) };
  };
  const blank = (new Date(first).getUTCDay() + 6) % 7;
  const days = Array.from({ length: (end - first) / dayMs }, (_, index) => first + index * dayMs);
  const ofDay = groupByDay((runs ?? []).filter((run) => lane === undefined || run.lane === lane));
  const toldUntilMs = toldUntil([...ofDay.values()].flat(), atMs, ahead);
  return (
    <section className="calendar" aria-label={words.month(formatMonth(first))}>
      <div className="calendar-head">
        <button type="button" className="button icon quiet" aria-label={words.before} {...turn(-1)}>
          <ChevronLeft size={15} aria-hidden />
        </button>
        <h2>{formatMonth(first)}</h2>
        <button type="button" className="button icon quiet" aria-label={words.after} {...turn(1)}>
          <ChevronRight size={15} aria-hidden />
        </button>
      </div>
      {cutBeforeMs !== undefined && cutBeforeMs > first ? (
        <p className="calendar-cut" role="status">
          {words.cut(formatDated(cutBeforeMs))}
        </p>
      ) : null}
      <div className="calendar-days">
        {words.weekdays.map((name) => (
          <span key={name} className="muted dense" aria-hidden>
            {name}
          </span>
        ))}
        {days.map((ms, index) => (
          <Day
            key={ms}
            ms={ms}
            column={index === 0 ? blank + 1 : undefined}
            isToday={Math.floor(atMs / dayMs) * dayMs === ms}
            runs={ofDay.get(ms) ?? []}
            mayCome={ms >= toldUntilMs}
            isCut={cutBeforeMs !== undefined && ms < cutBeforeMs}
            onOpen={() => onDay({ fromMs: ms, toMs: ms + dayMs })}
          />
        ))}
      </div>
    </section>
  );
}

interface DayProps {
  readonly ms: number;
  readonly column: number | undefined;
  readonly isToday: boolean;
  readonly runs: readonly Run[];
  /** More is planned than is told of. */
  readonly mayCome: boolean;
  /** Some are left out. */
  readonly isCut: boolean;
  readonly onOpen: () => void;
}

function Day({ ms, column, isToday, runs, mayCome, isCut, onOpen }: DayProps) {
  const summary = summaryOf(runs);
  const waiting = runs.some(({ fate }) => fate === 'Waiting') ? words.filters.waiting.toLowerCase() : mayCome ? words.mayCome : '';
  const told = [...parts.filter((part) => summary[part] > 0).map((part) => `${summary[part]} ${part}`), waiting, isCut ? words.leftOut : ''];
  return (
    <button
      type="button"
      className={`calendar-day ${isToday ? 'is-today' : ''}`}
      style={column === undefined ? {} : { gridColumnStart: column }}
      title={words.day(formatShortDate(ms), told.filter((part) => part !== '').join(', ') || words.nothing)}
      onClick={onOpen}
    >
      <span className="date">{new Date(ms).getUTCDate()}</span>
      {parts.map((part) =>
        summary[part] > 0 ? (
          <span key={part} className={`part ${part}`}>
            {summary[part]} {part}
          </span>
        ) : null,
      )}
      {waiting === '' ? null : <span className="part">{waiting}</span>}
    </button>
  );
}

/** `month` as `2026-11`; '' is that of `atMs`. */
export function rangeOfMonth(month: string, atMs: number): Range {
  const fromMs = month === '' ? firstOf(atMs, 0) : Date.parse(`${month}-01T00:00:00Z`);
  return { fromMs, toMs: firstOf(fromMs, 1) };
}

/** The first instant of a month so many after that of an instant. */
function firstOf(ms: number, by: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + by, 1);
}

function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'yyyy-mm'.length);
}

function groupByDay(runs: readonly Run[]): ReadonlyMap<number, readonly Run[]> {
  const days = new Map<number, Run[]>();
  for (const run of runs) {
    const day = Math.floor(run.plannedMs / dayMs) * dayMs;
    const list = days.get(day);
    if (list) list.push(run);
    else days.set(day, [run]);
  }
  return days;
}
