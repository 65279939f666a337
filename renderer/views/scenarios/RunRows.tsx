/** The run of the cluster that is looked into, over the rows of its timeline: steps, expectations and verdict on the axis of all that they moved. */
import { branchBase } from '../../api/branch.ts';
import { useRunHere } from '../../api/runs.ts';
import { shorten } from '../../lib/shorten.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { type Range, xOf } from '../../timeline/viewport.ts';
import { SignLane, StepLane } from './RunLanes.tsx';
import { runThen } from './run-then.ts';

const words = texts.scenarios;
const nameMax = 60;
const tones = { Pending: '', Running: '', Passed: 'good', Failed: 'bad' } as const;

export function RunRows({ range, nowMs }: { readonly range: Range; readonly nowMs: number }) {
  const when = useWhen();
  const run = useRunHere();
  if (!run?.status) return null;
  const at = (ms: number): number => xOf(ms, range, 100);
  // At the end of what is shown, which may be long past.
  const ms = Math.min(nowMs, range.toMs);
  const { phase, step, met, missed, all } = runThen(run.status, ms);
  const name = run.metadata.name ?? '';
  const endMs = run.status.finishedAt === undefined ? nowMs : Date.parse(run.status.finishedAt);
  // In the user's own cluster it is one thing of many.
  if (branchBase === '' && (at(Date.parse(run.status.startedAt ?? '')) > 100 || at(endMs) < 0)) return null;
  return (
    <section className="tl-cluster tl-run" aria-label={words.rows(name)}>
      <div className="tl-cluster-names" title={[name, when(ms), run.status.message].filter(Boolean).join('\n')}>
        <div>
          <span className="ellipsis">{step === '' ? words.noStep(shorten(name, nameMax)) : words.stepAt(shorten(step, nameMax))}</span>
          <strong className={tones[phase]}>{words.phases[phase]}</strong>
        </div>
        <div>
          {words.expectationsRow}
          <strong className={missed > 0 ? 'bad' : ''}>{words.metOf(met, all)}</strong>
        </div>
      </div>
      <div className="tl-run-plot">
        <StepLane status={run.status} at={at} endMs={endMs} />
        <SignLane status={run.status} at={at} />
      </div>
    </section>
  );
}
