/** What the view says where it has nothing to show. */
import { Empty } from '../../components/Empty.tsx';
import { KubectlLine } from '../../editor/KubectlLine.tsx';
import { useClock } from '../../state/clock.ts';
import { texts } from '../../texts/texts.ts';
import { useRange } from '../../timeline/range.ts';
import { beginWith } from '../create/read-file.ts';
import type { RunFilter } from './ledger.ts';

const words = texts.cronJobs;
const dayMs = 86_400_000;

/** As far as the cluster is that old. */
export function showLastDay(): void {
  const { nowMs, startMs } = useClock.getState();
  useRange.getState().fit(nowMs, startMs, dayMs);
}

/** No run in the shown time: most schedules are slower than what is shown at first, so the way to a day of them is one click. */
export function NoRuns({ filter }: { readonly filter: RunFilter }) {
  return (
    <Empty title={filter === '' ? words.noneTitle : words.noSuchTitle}>
      <p>{filter === '' ? words.noneText : words.noSuchText}</p>
      <button type="button" className="button" onClick={showLastDay}>
        {words.lastDay}
      </button>
    </Empty>
  );
}

export function NoCronJobs({ existNow }: { readonly existNow: boolean }) {
  if (existNow) return <Empty title={words.noneThenTitle}>{words.noneText}</Empty>;
  return (
    <Empty title={words.emptyTitle}>
      {words.emptyText}
      <KubectlLine line={words.emptyLine} />
      <button type="button" className="button" onClick={() => beginWith('CronJob')}>
        {words.emptyCreate}
      </button>
    </Empty>
  );
}
