/** The same instants as in the lanes: what became of each, and the way to its Job. */
import type { Told } from '../../api/changes.ts';
import { StateSign } from '../../components/StateSign.tsx';
import { formatDated, formatDuration, withDurations } from '../../lib/format.ts';
import { shorten } from '../../lib/shorten.ts';
import { Behind } from '../../shell/inspector/Behind.tsx';
import { useNavigation } from '../../state/navigation.ts';
import { texts } from '../../texts/texts.ts';
import { fromNowOn, isOverdue, type Run } from './ledger.ts';

const words = texts.cronJobs;
const runsMax = 300;

export function RunsTable({ runs, nowMs }: { readonly runs: readonly Run[]; readonly nowMs: number }) {
  const { selected, select } = useNavigation();
  const shown = fromNowOn(runs, nowMs).slice(0, runsMax);
  return (
    <table className="table">
      <thead>
        <tr>
          <th>{words.columns.cronJob}</th>
          <th>{words.columns.planned}</th>
          <th>{words.columns.fate}</th>
          <th className="number">{words.columns.late}</th>
          <th className="number">{words.columns.took}</th>
          <th>{words.columns.result}</th>
          <th>{words.columns.job}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((run) => {
          const { key, cronJob, lane, plannedMs, startMs, finishMs, fate, result, job, jobRow, reason } = run;
          return (
            <tr key={key} className={jobRow !== undefined && jobRow === selected ? 'is-selected' : ''}>
              <td className="tight">
                <button type="button" className="link" onClick={() => select(lane)}>
                  {shorten(cronJob, 60)}
                </button>
              </td>
              <td className="tight">{formatDated(plannedMs)}</td>
              <td className={`tight ${toneOf(run, nowMs)}`}>
                <Behind {...behindFate(run)}>{words.fates[fate]}</Behind>
              </td>
              <td className="number tight">
                {startMs !== undefined ? formatDuration(startMs - plannedMs) : isOverdue(run, nowMs) ? formatDuration(nowMs - plannedMs) : ''}
              </td>
              <td className="number tight">{startMs !== undefined && finishMs !== undefined ? formatDuration(finishMs - startMs) : ''}</td>
              <td className="tight">
                {result && jobRow !== undefined && finishMs !== undefined ? (
                  <Behind row={jobRow} says={`${result}:`} atMs={finishMs}>
                    <StateSign state={result} />
                  </Behind>
                ) : result ? (
                  <StateSign state={result} />
                ) : null}
              </td>
              <td>
                {jobRow !== undefined ? (
                  <button type="button" className="link mono" onClick={() => select(jobRow)}>
                    {job}
                  </button>
                ) : null}
                {reason ? <span className="muted"> {shorten(whyOf(reason), 300)}</span> : null}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** What ran came of a Job; what did not of what the CronJob said at the time. */
function behindFate({ fate, lane, jobRow, startMs, plannedMs }: Run): Told & { readonly row: string } {
  if (jobRow !== undefined && startMs !== undefined) return { row: jobRow, atMs: startMs, verb: 'create' };
  return { row: lane, untilMs: plannedMs, ...(fate === 'Suspended' ? { says: 'spec.suspend' } : {}) };
}

function toneOf(run: Run, nowMs: number): string {
  if (run.fate === 'Missed' || run.fate === 'DeadlineExceeded') return 'bad';
  if (run.fate === 'Waiting') return isOverdue(run, nowMs) ? 'warn' : 'muted';
  return run.fate === 'Ran' ? '' : 'warn';
}

/** How late it was stands in a column of its own; spans read as everywhere. */
function whyOf(reason: string): string {
  return withDurations(reason.replace(/^late by \S+: /, ''));
}
