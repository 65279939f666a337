/** The scenarios that can be run here, and their runs with the chart's active state. */
import { Play, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Scenario, ScenarioRun } from '../../../engine/api/sim/v1alpha1/scenario.ts';
import { kubectlCreate } from '../../acts/kubectl-create.ts';
import { useAccess } from '../../api/access.ts';
import { messageOf, request } from '../../api/request.ts';
import { useCollection, watchAhead } from '../../api/watches.ts';
import { Empty } from '../../components/Empty.tsx';
import { NotRead } from '../../components/NotRead.tsx';
import { Told } from '../../components/Told.tsx';
import { KubectlLine } from '../../editor/KubectlLine.tsx';
import { useOnce } from '../../lib/use-once.ts';
import { engineIsHeard, useClock } from '../../state/clock.ts';
import { onGoingTo } from '../../state/going.ts';
import { useNotices } from '../../state/notices.ts';
import { texts } from '../../texts/texts.ts';
import { RunCard } from './RunCard.tsx';

const words = texts.scenarios;

/** Of the newest; scenarios stand below them. */
const runsShown = 5;
const base = '/apis/sim.wavetank.dev/v1alpha1';
const [scenariosPath, runsPath] = [`${base}/scenarios`, `${base}/scenarioruns`];

onGoingTo('scenarios', () => {
  watchAhead(scenariosPath, 'full');
  watchAhead(runsPath, 'full');
});

export function ScenariosView() {
  const scenarios = useCollection(scenariosPath, 'full');
  const runs = useCollection(runsPath, 'full');
  const list = useMemo(() => [...scenarios.rows.values()] as Scenario[], [scenarios.rows, scenarios.version]);
  const runList = useMemo(() => ([...runs.rows.values()] as ScenarioRun[]).sort((a, b) => startOf(b) - startOf(a)), [runs.rows, runs.version]);
  const isHeard = useClock(engineIsHeard);
  const { access } = useAccess();
  const { busy, once } = useOnce();
  const isRead = scenarios.synced && runs.synced;
  const [started, setStarted] = useState('');
  const [all, setAll] = useState(false);
  // What somebody opened or folded stays so; else the newest is open, and what is under way.
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const start = async (scenario: Scenario): Promise<void> => {
    const name = scenario.metadata.name ?? '';
    try {
      await request(runsPath, { method: 'POST', body: runOf(name) });
      setStarted(name);
      useNotices.getState().tell({ level: 'info', title: words.started(scenario.spec.title), detail: words.startedText });
    } catch (error) {
      useNotices.getState().tell({ level: 'error', title: words.notStarted, detail: messageOf(error) });
    }
  };
  const shown = all ? runList : runList.slice(0, runsShown);
  return (
    <>
      <div className="view-head">
        <h1>{words.title}</h1>
        <span className="muted">{isRead ? words.counts(list.length, runList.length) : ''}</span>
      </div>
      {started === '' ? null : (
        <div className="started">
          <KubectlLine line={kubectlCreate([runOf(started)])} />
          <button type="button" className="button icon quiet" aria-label={words.closeLine} title={words.closeLine} onClick={() => setStarted('')}>
            <X size={14} aria-hidden />
          </button>
        </div>
      )}
      <div className="view-body" tabIndex={0} role="region" aria-label={words.list}>
        <div className="cards">
          {shown.map((run, index) => {
            const name = run.metadata.name ?? '';
            const isUnderWay = run.status?.phase === 'Running' || run.status?.phase === 'Pending';
            return (
              <RunCard
                key={name}
                {...{ run, access }}
                scenario={list.find(({ metadata }) => metadata.name === run.spec.scenario)}
                open={opened.get(name) ?? (index === 0 || isUnderWay)}
                onOpen={(open) => setOpened(new Map([...opened, [name, open]]))}
              />
            );
          })}
          {shown.length < runList.length ? (
            <button type="button" className="button" onClick={() => setAll(true)}>
              {words.showAll(runList.length)}
            </button>
          ) : null}
          {list.map((scenario) => (
            <article key={scenario.metadata.name} className="card">
              <div className="row">
                <h2>{scenario.spec.title}</h2>
                <code className="muted">{scenario.metadata.name}</code>
                <div className="grow" />
                <button
                  type="button"
                  className="button primary"
                  disabled={busy || !isHeard}
                  title={isHeard ? undefined : texts.acts.reasons.lost}
                  onClick={() => once(() => start(scenario))}
                  aria-label={words.runIt(scenario.spec.title)}
                >
                  <Play size={14} aria-hidden />
                  {words.run}
                </button>
              </div>
              {scenario.spec.description ? <p>{scenario.spec.description}</p> : null}
              <p className="muted dense">
                {[
                  words.steps(scenario.spec.steps.length, scenario.spec.steps.map(({ name }) => name).join(' → ')),
                  words.expects(scenario.spec.expectations?.length ?? 0),
                ].join(' · ')}
              </p>
            </article>
          ))}
        </div>
        {!isRead && list.length === 0 && runList.length === 0 ? <NotRead /> : null}
        {scenarios.synced && list.length === 0 ? (
          <Empty title={words.none}>
            <Told parts={words.noneText} />
          </Empty>
        ) : null}
      </div>
    </>
  );
}

function runOf(scenario: string) {
  return { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'ScenarioRun', metadata: { generateName: `${scenario}-` }, spec: { scenario } };
}

function startOf(run: ScenarioRun): number {
  return Date.parse(run.status?.startedAt ?? run.metadata.creationTimestamp ?? '') || 0;
}
