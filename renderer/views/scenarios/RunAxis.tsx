/** What became of a run, on an axis of its own: as long as the run was. */
import type { ScenarioRun } from '../../../engine/api/sim/v1alpha1/scenario.ts';
import { formatDuration } from '../../lib/format.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { roundTicks } from './round-ticks.ts';
import { placeOf } from './run-place.ts';
import { SignLane, StepLane } from './RunLanes.tsx';

const words = texts.scenarios;

export function RunAxis({ run }: { readonly run: ScenarioRun }) {
  const { metadata, status = {} } = run;
  const when = useWhen();
  const { steps = [], expectations = [], finishedAt } = status;
  const fromMs = Date.parse(status.startedAt ?? metadata.creationTimestamp ?? '');
  const known = [...steps.flatMap((step) => [step.startedAt, step.finishedAt]), ...expectations.map(({ decidedAt }) => decidedAt), finishedAt];
  const toMs = Math.max(...known.map((time) => Date.parse(time ?? '')).filter((ms) => !Number.isNaN(ms)));
  const spanMs = toMs - fromMs;
  if (!(spanMs > 0)) return null;
  const place = placeOf(run);
  const at = (ms: number): number => (Math.max(0, ms - fromMs) / spanMs) * 100;
  return (
    <div className="run-axis" role="group" aria-label={words.axis}>
      <StepLane {...{ status, at, place, endMs: toMs }} />
      <SignLane {...{ status, at, place }} />
      <div className="run-lane times">
        <span style={{ left: 0 }}>{when(fromMs)}</span>
        {roundTicks(spanMs).map((ms) => (
          <span key={ms} className="is-tick" style={{ left: `${(ms / spanMs) * 100}%` }}>
            {words.after(formatDuration(ms))}
          </span>
        ))}
        <span style={{ left: '100%' }}>{words.after(formatDuration(spanMs))}</span>
      </div>
    </div>
  );
}
