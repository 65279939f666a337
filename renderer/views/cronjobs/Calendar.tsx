/** A month, day by day: how many instants came to what. A day opens as a stretch of time. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { formatMonth, formatShortDate, formatTime } from '../../lib/format.ts';
import { texts } from '../../texts/texts.ts';
import type { Range } from '../../timeline/viewport.ts';
import { type Run, summaryOf } from './ledger.ts';
import { mostOfMonth, useRuns } from './use-runs.ts';

const words = texts.cronJobs;
const dayMs = 86_400_000;
const parts = ['complete', 'failed', 'missed', 'skipped'] as const;

export function Calendar({
  atMs,
  lane,
  onDay,
}: {
  readonly atMs: number;
  readonly lane: string | undefined;
  readonly onDay: (range: Range) => void;
}) {
  const [monthsAway, setMonthsAway] = useState(0);
  const at = new Date(atMs);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + monthsAway];
  const [first, end] = [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)];
  const { runs, cutBeforeMs } = useRuns('cronjobruns of a month', { fromMs: first, toMs: end }, mostOfMonth);
  const blank = (new Date(first).getUTCDay() + 6) % 7;
  const days = Array.from({ length: (end - first) / dayMs }, (_, index) => first + index * dayMs);
  const ofDay = groupByDay((runs ?? []).filter((run) => lane === undefined || run.lane === lane));
  return (
    <section className="calendar" aria-label={words.month(formatMonth(first))}>
      <div className="calendar-head">
        <button type="button" className="button icon quiet" aria-label={words.before} onClick={() => setMonthsAway(monthsAway - 1)}>
          <ChevronLeft size={15} aria-hidden />
        </button>
        <h2>{formatMonth(first)}</h2>
        <button type="button" className="button icon quiet" aria-label={words.after} onClick={() => setMonthsAway(monthsAway + 1)}>
          <ChevronRight size={15} aria-hidden />
        </button>
      </div>
      {cutBeforeMs !== undefined && cutBeforeMs > first ? (
        <p className="calendar-cut" role="status">
          {words.cut(formatShortDate(cutBeforeMs), formatTime(cutBeforeMs))}
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
  readonly onOpen: () => void;
}

function Day({ ms, column, isToday, runs, onOpen }: DayProps) {
  const summary = summaryOf(runs);
  const told = parts.filter((part) => summary[part] > 0).map((part) => `${summary[part]} ${part}`);
  const waiting = runs.filter(({ fate }) => fate === 'Waiting').length;
  return (
    <button
      type="button"
      className={`calendar-day ${isToday ? 'is-today' : ''}`}
      style={column === undefined ? {} : { gridColumnStart: column }}
      title={words.day(formatShortDate(ms), told.join(', ') || words.nothing)}
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
      {waiting > 0 ? <span className="part">{words.filters.waiting.toLowerCase()}</span> : null}
    </button>
  );
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
