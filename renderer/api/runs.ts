/** Runs of scenarios, as the user's own cluster tells them: also to a page that looks into the cluster of one of them. */
import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import type { ScenarioRun } from '../../engine/api/sim/v1alpha1/scenario.ts';
import { branchBase } from './branch.ts';
import { useCollection } from './watches.ts';

const runsPath = '/apis/sim.wavetank.dev/v1alpha1/scenarioruns';
/** In wall time: runs are of the user's cluster, which a page that looks into another does not watch. */
const askMs = 3_000;

interface Outside {
  readonly runs: readonly ScenarioRun[];
  /** It is asked for once, whoever reads it. */
  readonly isAsked: boolean;
}

const useOutside = create<Outside>()(() => ({ runs: [], isAsked: false }));

export function useRuns(): readonly ScenarioRun[] {
  const { rows, version } = useCollection(branchBase === '' ? runsPath : undefined, 'full');
  const outside = useOutside((state) => state.runs);
  useEffect(() => {
    if (branchBase === '' || useOutside.getState().isAsked) return;
    useOutside.setState({ isAsked: true });
    void poll();
  }, []);
  return useMemo(() => (branchBase === '' ? ([...rows.values()] as ScenarioRun[]) : outside), [rows, version, outside]);
}

/** The run whose clock is that of the cluster on the page: the one looked into, or else the newest that runs in the user's own. */
export function useRunHere(): ScenarioRun | undefined {
  const runs = useRuns();
  return useMemo(() => {
    if (branchBase !== '') return runs.find(({ status }) => status?.branch === branchBase);
    return runs.filter(({ spec }) => spec.cluster === 'Present').toSorted((a, b) => startOf(b).localeCompare(startOf(a)))[0];
  }, [runs]);
}

function startOf({ metadata, status }: ScenarioRun): string {
  return status?.startedAt ?? metadata.creationTimestamp ?? '';
}

/** From within another cluster. An engine that does not answer is told elsewhere: what was known stays. */
async function poll(): Promise<void> {
  const list = await fetch(runsPath, { credentials: 'same-origin', headers: { accept: 'application/json' } })
    .then((response) => (response.ok ? (response.json() as Promise<{ readonly items: readonly ScenarioRun[] }>) : undefined))
    .catch(() => undefined);
  if (list) useOutside.setState({ runs: list.items });
  setTimeout(() => void poll(), askMs);
}
