/** How the runs of the shown time went, in a line. */
import { texts } from '../../texts/texts.ts';
import { type Run, summaryOf } from './ledger.ts';

const words = texts.cronJobs;

export function RunsSummary({ name, runs }: { readonly name: string; readonly runs: readonly Run[] }) {
  const summary = summaryOf(runs);
  return (
    <p className="runs-summary">
      <strong>{words.summary(name, summary)}</strong>
      <span className="muted">{words.usually(summary.tookMs, summary.lateMs)}</span>
    </p>
  );
}
