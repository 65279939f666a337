/** No run in the shown time: most schedules are slower than what is shown at first, so the way to a day of them is one click. */
import { Empty } from '../../components/Empty.tsx';
import { useClock } from '../../state/clock.ts';
import { texts } from '../../texts/texts.ts';
import { useRange } from '../../timeline/range.ts';

const words = texts.cronJobs;
const dayMs = 86_400_000;

export function NoRuns() {
  const showDay = (): void => {
    const { nowMs, startMs } = useClock.getState();
    useRange.getState().fit(nowMs, startMs, dayMs);
  };
  return (
    <Empty title={words.noneTitle}>
      <p>{words.noneText}</p>
      <button type="button" className="button" onClick={showDay}>
        {words.lastDay}
      </button>
    </Empty>
  );
}
