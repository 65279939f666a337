/** Leads from the user's own cluster into those of scenario runs and back, from anywhere in the page. */
import { GitBranch } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { ScenarioRun } from '../../engine/api/sim/v1alpha1/scenario.ts';
import { branchBase } from '../api/branch.ts';
import { useCollection } from '../api/watches.ts';
import { shorten } from '../lib/shorten.ts';
import { texts } from '../texts/texts.ts';

const words = texts.scenarios;
const runsPath = '/apis/sim.wavetank.dev/v1alpha1/scenarioruns';
/** In wall time: runs are of the user's cluster, which a page that looks into another does not watch. */
const askMs = 3_000;
const nameMax = 60;

export function ClusterSwitch() {
  const runs = useRuns();
  if (runs.length === 0) return null;
  return (
    <label className="cluster-switch">
      <GitBranch size={14} aria-hidden />
      <span className="sr-only">{words.switcher}</span>
      <select className="field" value={branchBase} onChange={(event) => location.assign(`${event.target.value}/#/timeline`)}>
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

/** Those whose cluster can be looked into. */
function useRuns(): readonly ScenarioRun[] {
  const { rows, version } = useCollection(branchBase === '' ? runsPath : undefined, 'full');
  const outside = useRunsOutside();
  return useMemo(() => {
    const all = branchBase === '' ? ([...rows.values()] as ScenarioRun[]) : outside;
    return all.filter(({ status }) => status?.branch !== undefined);
  }, [rows, version, outside]);
}

/** From within another cluster. An engine that does not answer is told elsewhere: what was known stays. */
function useRunsOutside(): readonly ScenarioRun[] {
  const [runs, setRuns] = useState<readonly ScenarioRun[]>([]);
  useEffect(() => {
    if (branchBase === '') return undefined;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const response = await fetch(runsPath, { credentials: 'same-origin', headers: { accept: 'application/json' } }).catch(() => undefined);
      if (response?.ok !== true || !isCurrent) return;
      const { items } = (await response.json()) as { readonly items: readonly ScenarioRun[] };
      if (isCurrent) setRuns(items);
    };
    void ask();
    const timer = setInterval(() => void ask(), askMs);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, []);
  return runs;
}
