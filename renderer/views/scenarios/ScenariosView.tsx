/** The scenarios that can be run here, and their runs with the chart's active state. */
import { Play } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Scenario, ScenarioRun } from '../../../engine/api/sim/v1alpha1/scenario.ts';
import { messageOf, request } from '../../api/request.ts';
import { useCollection } from '../../api/watches.ts';
import { Empty } from '../../components/Empty.tsx';
import { plural } from '../../lib/format.ts';
import { useNotices } from '../../state/notices.ts';
import { RunCard } from './RunCard.tsx';

const base = '/apis/sim.wavetank.dev/v1alpha1';

export function ScenariosView() {
  const scenarios = useCollection(`${base}/scenarios`, 'full');
  const runs = useCollection(`${base}/scenarioruns`, 'full');
  const list = useMemo(() => [...scenarios.rows.values()] as Scenario[], [scenarios.rows, scenarios.version]);
  const runList = useMemo(() => ([...runs.rows.values()] as ScenarioRun[]).sort((a, b) => startOf(b) - startOf(a)), [runs.rows, runs.version]);
  const [starting, setStarting] = useState('');
  const start = async (scenario: Scenario): Promise<void> => {
    const name = scenario.metadata.name ?? '';
    setStarting(name);
    try {
      await request(`${base}/scenarioruns`, {
        method: 'POST',
        body: { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'ScenarioRun', metadata: { generateName: `${name}-` }, spec: { scenario: name } },
      });
      useNotices.getState().tell({
        level: 'info',
        title: `“${scenario.spec.title}” started`,
        detail: 'It runs at full speed in a cluster of its own; yours stays as it is.',
      });
    } catch (error) {
      useNotices.getState().tell({ level: 'error', title: 'The scenario did not start', detail: messageOf(error) });
    }
    setStarting('');
  };
  return (
    <>
      <div className="view-head">
        <h1>Scenarios</h1>
        <span className="muted">
          {plural(list.length, 'scenario')} · {plural(runList.length, 'run')}
        </span>
      </div>
      <div className="view-body" tabIndex={0} role="region" aria-label="Scenarios and runs">
        <div className="cards">
          {runList.map((run) => (
            <RunCard key={run.metadata.name} run={run} scenario={list.find(({ metadata }) => metadata.name === run.spec.scenario)} />
          ))}
          {list.map((scenario) => (
            <article key={scenario.metadata.name} className="card">
              <div className="row">
                <h2>{scenario.spec.title}</h2>
                <code className="muted">{scenario.metadata.name}</code>
                <div className="grow" />
                <button
                  type="button"
                  className="button primary"
                  disabled={starting !== ''}
                  onClick={() => {
                    void start(scenario);
                  }}
                  aria-label={`Run ${scenario.spec.title}`}
                >
                  <Play size={14} aria-hidden />
                  Run
                </button>
              </div>
              {scenario.spec.description ? <p>{scenario.spec.description}</p> : null}
              <p className="muted dense">
                {plural(scenario.spec.steps.length, 'step')}: {scenario.spec.steps.map(({ name }) => name).join(' → ')} ·{' '}
                {plural(scenario.spec.expectations?.length ?? 0, 'expectation')}
              </p>
            </article>
          ))}
        </div>
        {scenarios.synced && list.length === 0 ? (
          <Empty title="No scenarios in this cluster">
            Put one in with <code>kubectl apply -f scenario.yaml</code>; the shipped library is in the folder <code>scenarios</code>.
          </Empty>
        ) : null}
      </div>
    </>
  );
}

function startOf(run: ScenarioRun): number {
  return Date.parse(run.status?.startedAt ?? run.metadata.creationTimestamp ?? '') || 0;
}
