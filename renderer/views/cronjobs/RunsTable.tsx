/** Runs with their lateness and duration, newest first. */
import { StateSign } from '../../components/StateSign.tsx';
import { formatDuration, formatShortDate, formatTime } from '../../lib/format.ts';
import { useNavigation } from '../../state/navigation.ts';
import { runsOf, type Lane } from './lanes.ts';

const runsMax = 200;

export function RunsTable({ lanes }: { readonly lanes: readonly Lane[] }) {
  const { selected, select } = useNavigation();
  const runs = lanes
    .flatMap(runsOf)
    .sort((a, b) => (b.startedMs ?? b.plannedMs ?? 0) - (a.startedMs ?? a.plannedMs ?? 0))
    .slice(0, runsMax);
  return (
    <table className="table">
      <thead>
        <tr>
          <th>CronJob</th>
          <th>Planned</th>
          <th>Started</th>
          <th className="number">Late by</th>
          <th className="number">Took</th>
          <th>Result</th>
          <th>Job</th>
        </tr>
      </thead>
      <tbody>
        {runs.map(({ plannedMs, startedMs, finishedMs, result, job, cronJob, note }, index) => (
          <tr key={index} className={job !== undefined && job.id === selected ? 'is-selected' : ''}>
            <td className="tight">{cronJob}</td>
            <td className="tight">{plannedMs === undefined ? '' : `${formatShortDate(plannedMs)} ${formatTime(plannedMs)}`}</td>
            <td className="tight">{startedMs === undefined ? '' : formatTime(startedMs)}</td>
            <td className="number tight">{plannedMs !== undefined && startedMs !== undefined ? formatDuration(startedMs - plannedMs) : ''}</td>
            <td className="number tight">{startedMs !== undefined && finishedMs !== undefined ? formatDuration(finishedMs - startedMs) : ''}</td>
            <td className="tight">{job ? <StateSign state={result} /> : <span className={result === 'missed' ? 'bad' : 'warn'}>{result}</span>}</td>
            <td>
              {job ? (
                <button type="button" className="link mono" onClick={() => select(job.id)}>
                  {job.name}
                </button>
              ) : (
                <span className="muted">{note}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
