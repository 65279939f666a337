/** What became of a run, on one axis of time: its steps as bars, expectations as ticks where they were decided, the verdict at its end. */
import { CircleCheck, CircleX, Flag } from 'lucide-react';
import type { ExpectationStatus, ScenarioRun } from '../../../engine/api/sim/v1alpha1/scenario.ts';
import { formatDuration, formatTime } from '../../lib/format.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.scenarios;
const ticks = 4;

export function RunAxis({ run: { metadata, status = {} } }: { readonly run: ScenarioRun }) {
  const { steps = [], expectations = [], finishedAt, phase } = status;
  const fromMs = Date.parse(status.startedAt ?? metadata.creationTimestamp ?? '');
  const known = [...steps.flatMap((step) => [step.startedAt, step.finishedAt]), ...expectations.map(({ decidedAt }) => decidedAt), finishedAt];
  const toMs = Math.max(...known.map((time) => Date.parse(time ?? '')).filter((ms) => !Number.isNaN(ms)));
  const spanMs = toMs - fromMs;
  if (!(spanMs > 0)) return null;
  const at = (ms: number): number => (Math.max(0, ms - fromMs) / spanMs) * 100;
  const isOver = phase === 'Passed' || phase === 'Failed';
  return (
    <div className="run-axis" role="img" aria-label={words.axis}>
      <div className="run-lane">
        {steps.map(({ name, startedAt, finishedAt: endedAt }) => {
          const [from, to] = [Date.parse(startedAt ?? ''), endedAt === undefined ? toMs : Date.parse(endedAt)];
          if (Number.isNaN(from)) return null;
          const took = to - from;
          return (
            <span
              key={name}
              className={`run-step ${endedAt === undefined ? (phase === 'Failed' ? 'bad' : 'is-active') : ''}`}
              style={{ left: `${at(from)}%`, width: `max(3px, ${at(to) - at(from)}%)` }}
              title={`${name} · ${formatTime(from)}${took > 0 ? ` · ${formatDuration(took)}` : ''}`}
            >
              {name}
            </span>
          );
        })}
      </div>
      <div className="run-lane signs">
        {groupsOf(expectations, at).map((group) => {
          const isMet = group.every(({ result }) => result === 'Met');
          const Sign = isMet ? CircleCheck : CircleX;
          const said = group.map(
            ({ name, result, decidedAt = '' }) => `${name} · ${words.results[result]}${words.at(formatTime(Date.parse(decidedAt)))}`,
          );
          return (
            <span key={said[0]} className="run-sign" style={{ left: `${at(Date.parse(group[0]?.decidedAt ?? ''))}%` }} title={said.join('\n')}>
              <Sign size={13} aria-hidden className={isMet ? 'good' : 'bad'} />
              {group.length > 1 ? <span className="muted">{group.length}</span> : null}
            </span>
          );
        })}
        {isOver && finishedAt ? (
          <span
            className="run-sign is-verdict"
            style={{ left: `${at(Date.parse(finishedAt))}%` }}
            title={`${words.verdict}: ${words.phases[phase]}${words.at(formatTime(Date.parse(finishedAt)))}`}
          >
            <Flag size={14} aria-hidden className={phase === 'Passed' ? 'good' : 'bad'} />
          </span>
        ) : null}
      </div>
      <div className="run-lane times">
        {Array.from({ length: ticks + 1 }, (_, index) => (
          <span key={index} style={{ left: `${(index / ticks) * 100}%` }}>
            {index === 0 ? formatTime(fromMs) : `+${formatDuration((spanMs * index) / ticks)}`}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Of the axis, in percent: what was decided closer together is one sign with their number. */
const apart = 2;

function groupsOf(expectations: readonly ExpectationStatus[], at: (ms: number) => number): readonly (readonly ExpectationStatus[])[] {
  const decided = expectations.filter(({ decidedAt }) => decidedAt !== undefined).toSorted((a, b) => msOf(a) - msOf(b));
  const groups: ExpectationStatus[][] = [];
  for (const one of decided) {
    const [first] = groups.at(-1) ?? [];
    if (first !== undefined && at(msOf(one)) - at(msOf(first)) < apart) groups.at(-1)?.push(one);
    else groups.push([one]);
  }
  return groups;
}

function msOf({ decidedAt = '' }: ExpectationStatus): number {
  return Date.parse(decidedAt);
}
