/** Leads from the user's own cluster into those of scenario runs and back, from anywhere in the page. */
import { ChevronsUpDown, GitBranch } from 'lucide-react';
import { branchBase } from '../api/branch.ts';
import { useRuns } from '../api/runs.ts';
import { shorten } from '../lib/shorten.ts';
import { texts } from '../texts/texts.ts';

const words = texts.scenarios;
/** In the list; where it is shown it is whole, over as many lines as it takes. */
const nameMax = 60;

export function ClusterSwitch() {
  // Those whose cluster can be looked into.
  const runs = useRuns().filter(({ status }) => status?.branch !== undefined);
  if (runs.length === 0) return null;
  const shown = runs.find(({ status }) => status?.branch === branchBase);
  const name = shown ? words.nameOfRun(shown.metadata.name ?? '') : words.yours;
  return (
    <label className="cluster-switch">
      <GitBranch size={14} aria-hidden />
      <span className="sr-only">{words.switcher}</span>
      <span className="name" aria-hidden>
        {name}
        {shown ? <span className="muted">{words.phases[shown.status?.phase ?? 'Pending']}</span> : null}
      </span>
      <ChevronsUpDown size={13} aria-hidden />
      <select value={branchBase} title={name} onChange={(event) => location.assign(`${event.target.value}/#/timeline`)}>
        <option value="">{words.yours}</option>
        {runs.map(({ metadata, status }) => (
          <option key={metadata.name} value={status?.branch}>
            {words.ofRun(shorten(metadata.name ?? '', nameMax), words.phases[status?.phase ?? 'Pending'])}
          </option>
        ))}
      </select>
    </label>
  );
}
