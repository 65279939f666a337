/** One run: its chart with the active state lit, expectations, verdict. */
import { ChevronDown, ChevronRight, Circle, CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import type { Scenario, ScenarioRun, ScenarioStep } from '../../../engine/api/sim/v1alpha1/scenario.ts';
import type { ClusterAccess } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { KubectlLine } from '../../editor/KubectlLine.tsx';
import { formatDuration, withDurations } from '../../lib/format.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { RunAxis } from './RunAxis.tsx';
import { keepLine, RunButtons } from './RunButtons.tsx';
import { placeOf } from './run-place.ts';

const words = texts.scenarios;

const verdicts = { Pending: '', Running: 'accent', Passed: 'good', Failed: 'bad' } as const;

interface RunCardProps {
  readonly run: ScenarioRun;
  readonly scenario: Scenario | undefined;
  readonly access: ClusterAccess | null | undefined;
  /** What came of it is told, not its name and its verdict alone. */
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

export function RunCard({ run, scenario, access, open, onOpen }: RunCardProps) {
  const when = useWhen();
  const status = run.status ?? {};
  const phase = status.phase ?? 'Pending';
  const steps = scenario?.spec.steps ?? (status.steps ?? []).map(({ name }): ScenarioStep => ({ name }));
  const done = (status.steps ?? []).filter(({ finishedAt }) => finishedAt !== undefined).length;
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <article className="card" aria-label={words.card(run.metadata.name ?? '')}>
      <div className="row">
        <button
          type="button"
          className="button icon quiet"
          aria-expanded={open}
          aria-label={words.detailsOf(run.metadata.name ?? '')}
          title={open ? words.fold : words.unfold}
          onClick={() => onOpen(!open)}
        >
          <Chevron size={15} aria-hidden />
        </button>
        <h2>{scenario?.spec.title ?? run.spec.scenario}</h2>
        <code className="muted">{run.metadata.name}</code>
        <div className="grow" />
        <progress
          max={steps.length}
          value={phase === 'Passed' ? steps.length : done}
          className={`progress-${verdicts[phase]}`}
          aria-label={words.progress}
        />
        <span className={`badge ${verdicts[phase]}`}>{words.phases[phase]}</span>
        <RunButtons run={run} />
      </div>
      {status.message ? (
        <p className={phase === 'Failed' ? 'bad' : ''}>
          {words.said(status.message)}
          {status.finishedAt ? <span className="muted">{words.decided(when(Date.parse(status.finishedAt)))}</span> : null}
        </p>
      ) : null}
      {open ? (
        <>
          <Where run={run} access={access} />
          <RunAxis run={run} />
          <div className="run">
            <ol className="chart">
              {steps.map((step) => (
                <StepLine
                  key={step.name}
                  step={step}
                  record={status.steps?.find(({ name }) => name === step.name)}
                  active={status.state === step.name}
                  failed={phase === 'Failed'}
                />
              ))}
            </ol>
            <Expectations run={run} />
          </div>
        </>
      ) : null}
    </article>
  );
}

/** In which cluster it runs or ran, and the ways into it. */
function Where({ run, access }: Pick<RunCardProps, 'run' | 'access'>) {
  const { phase = 'Pending', branch } = run.status ?? {};
  const isToCome = phase === 'Pending' || phase === 'Running';
  return (
    <>
      <p className="muted dense">
        {run.spec.cluster === 'Present' ? words.present : branch || isToCome ? words.own : words.ownGone}
        {branch ? (
          <>
            {' '}
            <a className="link" href={`${branch}/#/timeline`}>
              {words.lookInto}
            </a>
          </>
        ) : null}
      </p>
      {branch && access ? <KubectlLine line={words.kubectl({ ...access, branch })} /> : null}
      {branch ? (
        <>
          <p className="muted dense">{words.keepText}</p>
          <KubectlLine line={keepLine(run)} />
        </>
      ) : null}
    </>
  );
}

function Expectations({ run }: { readonly run: ScenarioRun }) {
  const when = useWhen();
  const place = placeOf(run);
  const expectations = run.status?.expectations ?? [];
  if (expectations.length === 0) return null;
  return (
    <section className="expectations">
      <h3 className="small-title">{words.expectations(expectations.filter(({ result }) => result === 'Met').length, expectations.length)}</h3>
      <ul className="conditions">
        {expectations.map(({ name, result, decidedAt, message }) => {
          const Sign = result === 'Met' ? CircleCheck : result === 'Missed' ? CircleX : CircleDashed;
          const atMs = Date.parse(decidedAt ?? '');
          const at = decidedAt === undefined ? '' : when(atMs);
          return (
            <li key={name}>
              <Sign size={14} aria-hidden className={result === 'Met' ? 'good' : result === 'Missed' ? 'bad' : 'muted'} />
              <span>
                {name}{' '}
                <span className="muted">
                  {words.because(words.results[result])}
                  {at === '' ? '' : place === undefined ? words.at(at) : words.at('')}
                  {at !== '' && place !== undefined ? (
                    <a className="link" href={place(atMs, atMs)} title={words.openAt(at)}>
                      {at}
                    </a>
                  ) : null}
                  {message ? <span title={message}>{words.because(withDurations(message))}</span> : null}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function tookText(ms: number): string {
  return ms < 1 ? words.atOnce : formatDuration(ms);
}

function StepLine({
  step,
  record,
  active,
  failed,
}: {
  readonly step: ScenarioStep;
  readonly record: { readonly startedAt?: string; readonly finishedAt?: string } | undefined;
  readonly active: boolean;
  readonly failed: boolean;
}) {
  const when = useWhen();
  const [hint, setHint] = useState(false);
  const done = record?.finishedAt !== undefined;
  const Sign = done ? CircleCheck : active ? (failed ? CircleX : LoaderCircle) : Circle;
  const took =
    record?.startedAt && record.finishedAt
      ? tookText(Date.parse(record.finishedAt) - Date.parse(record.startedAt))
      : record?.startedAt
        ? words.since(when(Date.parse(record.startedAt)))
        : '';
  return (
    <li className={`${done ? 'is-done' : ''} ${active ? 'is-active' : ''}`} aria-current={active ? 'step' : undefined}>
      <span className="sign">
        <Sign size={16} aria-label={done ? words.signs.done : active ? words.signs.active : words.signs.next} />
      </span>
      <div>
        <span className="step">{step.name}</span>
        {step.description ? <span className="muted"> {step.description}</span> : null}
        {step.hint ? (
          <>
            {' '}
            <button type="button" className="link dense" aria-expanded={hint} onClick={() => setHint(!hint)}>
              {words.hint}
            </button>
            {hint ? <div className="dense">{step.hint}</div> : null}
          </>
        ) : null}
      </div>
      <span className="muted dense" style={{ paddingRight: 8 }}>
        {took}
      </span>
    </li>
  );
}
