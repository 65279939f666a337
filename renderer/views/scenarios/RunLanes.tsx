/** A run on an axis of time: its steps as bars, and expectations and verdict as signs at the instants at which they were decided. */
import type { CSSProperties, ReactNode } from 'react';
import { CircleCheck, CircleX, Flag } from 'lucide-react';
import type { ExpectationStatus, ScenarioRunStatus } from '../../../engine/api/sim/v1alpha1/scenario.ts';
import { formatDuration } from '../../lib/format.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.scenarios;

export interface LaneProps {
  readonly status: ScenarioRunStatus;
  /** Where an instant stands, in percent of the axis; what is below 0 or above 100 is not drawn. */
  readonly at: (ms: number) => number;
  /** Of the timeline of the run's cluster, where that is still there: the stretch, and the instant it was about. */
  readonly place: ((fromMs: number, toMs: number) => string) | undefined;
}

/** A link where there is something to look at. */
function Part({ href, className, style, title, children }: PartProps) {
  const shared = { className, style, title };
  return href === undefined ? (
    <span {...shared}>{children}</span>
  ) : (
    <a href={href} {...shared}>
      {children}
    </a>
  );
}

interface PartProps {
  readonly href: string | undefined;
  readonly className: string;
  readonly style: CSSProperties;
  readonly title: string;
  readonly children: ReactNode;
}

/** A step that goes on lasts until `endMs`. */
export function StepLane({ status: { steps = [], phase }, at, place, endMs }: LaneProps & { readonly endMs: number }) {
  const when = useWhen();
  return (
    <div className="run-lane">
      {steps.map(({ name, startedAt, finishedAt }) => {
        const [from, to] = [Date.parse(startedAt ?? ''), finishedAt === undefined ? endMs : Date.parse(finishedAt)];
        const [left, right] = [Math.max(0, at(from)), Math.min(100, at(to))];
        if (Number.isNaN(from) || right < left) return null;
        const took = to - from;
        return (
          <Part
            key={name}
            href={place?.(from, to)}
            className={`run-step ${finishedAt === undefined ? (phase === 'Failed' ? 'bad' : 'is-active') : ''}`}
            style={{ left: `${left}%`, width: `max(3px, ${right - left}%)` }}
            title={`${name} · ${when(from)}${took > 0 ? ` · ${formatDuration(took)}` : ''}`}
          >
            <span>{name}</span>
          </Part>
        );
      })}
    </div>
  );
}

export function SignLane({ status: { expectations = [], phase, finishedAt }, at, place }: LaneProps) {
  const when = useWhen();
  const isOver = phase === 'Passed' || phase === 'Failed';
  const verdict = Date.parse(finishedAt ?? '');
  return (
    <div className="run-lane signs">
      {groupsOf(expectations, at).map((group) => {
        const isMet = group.every(({ result }) => result === 'Met');
        const Sign = isMet ? CircleCheck : CircleX;
        const said = group.map(({ name, result, decidedAt = '' }) => `${name} · ${words.results[result]}${words.at(when(Date.parse(decidedAt)))}`);
        const left = at(msOf(group[0]));
        if (!isOn(left)) return null;
        return (
          <Part
            key={said[0]}
            href={place?.(msOf(group[0]), msOf(group[0]))}
            className="run-sign"
            style={{ left: `${left}%` }}
            title={said.join('\n')}
          >
            <Sign size={13} aria-hidden className={isMet ? 'good' : 'bad'} />
            <span className="sr-only">{said.join(', ')}</span>
            {group.length > 1 ? <span className="muted">{group.length}</span> : null}
          </Part>
        );
      })}
      {isOver && isOn(at(verdict)) ? (
        <Part
          href={place?.(verdict, verdict)}
          className="run-sign is-verdict"
          style={{ left: `${at(verdict)}%` }}
          title={`${words.verdict}: ${words.phases[phase]}${words.at(when(verdict))}`}
        >
          <span className="sr-only">{words.verdict}</span>
          <Flag size={14} aria-hidden className={phase === 'Passed' ? 'good' : 'bad'} />
        </Part>
      ) : null}
    </div>
  );
}

function isOn(percent: number): boolean {
  return percent >= 0 && percent <= 100;
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

function msOf(expectation: ExpectationStatus | undefined): number {
  return Date.parse(expectation?.decidedAt ?? '');
}
