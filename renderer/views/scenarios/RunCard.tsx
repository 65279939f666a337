/** One run: its chart with the active state lit, expectations, verdict. */
import { Circle, CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import type { Scenario, ScenarioRun, ScenarioStep } from '../../../engine/api/sim/v1alpha1/scenario.ts';
import { Told } from '../../components/Told.tsx';
import { formatDuration, withDurations } from '../../lib/format.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { RunAxis } from './RunAxis.tsx';
import { RunButtons } from './RunButtons.tsx';

const words = texts.scenarios;

const verdicts = { Pending: '', Running: 'accent', Passed: 'good', Failed: 'bad' } as const;

export function RunCard({ run, scenario }: { readonly run: ScenarioRun; readonly scenario: Scenario | undefined }) {
  const when = useWhen();
  const status = run.status ?? {};
  const phase = status.phase ?? 'Pending';
  const steps = scenario?.spec.steps ?? (status.steps ?? []).map(({ name }): ScenarioStep => ({ name }));
  const done = (status.steps ?? []).filter(({ finishedAt }) => finishedAt !== undefined).length;
  return (
    <article className="card" aria-label={words.card(run.metadata.name ?? '')}>
      <div className="row">
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
      <p className="muted dense">
        {run.spec.cluster === 'Present' ? words.present : status.branch || phase === 'Pending' || phase === 'Running' ? words.own : words.ownGone}
        {status.branch ? (
          <>
            {' '}
            <a className="link" href={`${status.branch}/#/timeline`}>
              {words.lookInto}
            </a>
            <Told parts={words.kubectl(status.branch)} />
          </>
        ) : null}
      </p>
      {status.message ? (
        <p className={phase === 'Failed' ? 'bad' : ''}>
          {status.message}
          {status.finishedAt ? <span className="muted">{words.decided(when(Date.parse(status.finishedAt)))}</span> : null}
        </p>
      ) : null}
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
        {(status.expectations ?? []).length > 0 ? (
          <section className="expectations">
            <h3 className="small-title">
              {words.expectations(status.expectations?.filter(({ result }) => result === 'Met').length ?? 0, status.expectations?.length ?? 0)}
            </h3>
            <ul className="conditions">
              {status.expectations?.map(({ name, result, decidedAt, message }) => {
                const Sign = result === 'Met' ? CircleCheck : result === 'Missed' ? CircleX : CircleDashed;
                return (
                  <li key={name}>
                    <Sign size={14} aria-hidden className={result === 'Met' ? 'good' : result === 'Missed' ? 'bad' : 'muted'} />
                    <span>
                      {name}{' '}
                      <span className="muted">
                        {words.because(words.results[result])}
                        {decidedAt ? words.at(when(Date.parse(decidedAt))) : ''}
                        {message ? <span title={message}>{words.because(withDurations(message))}</span> : null}
                      </span>
                    </span>
                  </li>
                );
              })}
            </ul>
          </section>
        ) : null}
      </div>
    </article>
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
