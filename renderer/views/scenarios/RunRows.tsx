/** The run of the cluster that is looked into, over the rows of its timeline: steps, expectations and verdict on the axis of all that they moved. */
import { branchBase } from '../../api/branch.ts';
import { useRunHere } from '../../api/runs.ts';
import { shorten } from '../../lib/shorten.ts';
import { useClock } from '../../state/clock.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { type Range, xOf } from '../../timeline/viewport.ts';
import { SignLane, StepLane } from './RunLanes.tsx';
import { placeOf } from './run-place.ts';
import { type RunThen, runThen } from './run-then.ts';

const words = texts.scenarios;
const nameMax = 60;
const tones = { Pending: '', Running: '', Passed: 'good', Failed: 'bad' } as const;

export function RunRows({ range, nowMs }: { readonly range: Range; readonly nowMs: number }) {
  const when = useWhen();
  const run = useRunHere();
  const status = run?.status;
  // What it is called at that instant is exact, however coarse the axis is; the API tells instants of runs to the second.
  const told = useClock(({ nowMs: exactMs }) => {
    const ms = Math.min(Math.floor(exactMs / 1000) * 1000, range.toMs);
    return status ? JSON.stringify({ ms, ...runThen(status, ms) }) : '';
  });
  if (!run?.status) return null;
  const at = (ms: number): number => xOf(ms, range, 100);
  // At the end of what is shown, which may be long past.
  const { ms, phase, step, met, missed, all } = JSON.parse(told) as RunThen & { readonly ms: number };
  const place = placeOf(run);
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
        <StepLane {...{ status: run.status, at, place, endMs }} />
        <SignLane {...{ status: run.status, at, place }} />
      </div>
    </section>
  );
}
