/** The frame: time above, ways at the left, the view, what is selected at the right, events below. */
import { lazy, Suspense, useEffect } from 'react';
import type { Clock } from '../../engine/api/sim/v1alpha1/clock.ts';
import { useResources } from '../api/resources.ts';
import { Boundary } from '../components/Boundary.tsx';
import { useKeys } from '../lib/keys.ts';
import { loadClock, steer, togglePlay, useClock } from '../state/clock.ts';
import { useNavigation, views } from '../state/navigation.ts';
import { messageOf } from '../api/request.ts';
import { useNotices } from '../state/notices.ts';
import { texts } from '../texts/texts.ts';
import { useRange } from '../timeline/range.ts';
import { ClusterView } from '../views/cluster/ClusterView.tsx';
import { CronJobsView } from '../views/cronjobs/CronJobsView.tsx';
import { FaultsView } from '../views/faults/FaultsView.tsx';
import { ObjectsView } from '../views/objects/ObjectsView.tsx';
import { ProblemsView } from '../views/problems/ProblemsView.tsx';
import { RequestsView } from '../views/requests/RequestsView.tsx';
import { ScenariosView } from '../views/scenarios/ScenariosView.tsx';
import { SettingsView } from '../views/settings/SettingsView.tsx';
import { TimelineView } from '../views/timeline/TimelineView.tsx';
import { useDroppedFiles } from '../views/create/read-file.ts';
import { BranchBanner } from './BranchBanner.tsx';
import { Drawer } from './Drawer.tsx';
import { EngineBanner } from './EngineLost.tsx';
import { FirstRun } from './FirstRun.tsx';
import { Help } from './Help.tsx';
import { Inspector } from './Inspector.tsx';
import { Nav } from './Nav.tsx';
import { Notices } from './Notices.tsx';
import { OfNow } from './OfNow.tsx';
import { OverviewStrip } from './OverviewStrip.tsx';
import { TimeBar } from './TimeBar.tsx';

const shown = {
  timeline: TimelineView,
  problems: ProblemsView,
  cronjobs: CronJobsView,
  cluster: ClusterView,
  objects: ObjectsView,
  scenarios: ScenariosView,
  faults: FaultsView,
  requests: RequestsView,
  settings: SettingsView,
  // With what reads YAML: fetched when it is opened.
  create: lazy(() => import('../views/create/CreateView.tsx').then((module) => ({ default: module.CreateView }))),
} as const;

export function App() {
  const { view, selected, inspectorOpen, helpOpen, set, go } = useNavigation();
  useStart();
  useKeys({
    ' ': togglePlay,
    '.': () => {
      void steer({ step: 'instant' });
    },
    n: () => {
      void steer({ step: 'event' });
    },
    g: () => {
      document.querySelector<HTMLInputElement>('#goto')?.focus();
    },
    '/': () => {
      document.querySelector<HTMLInputElement>('.view input[type=search]')?.focus();
    },
    '?': () => {
      set({ helpOpen: !helpOpen });
    },
    p: () => {
      go({ view: 'problems' });
    },
    c: () => {
      go({ view: 'create' });
    },
    i: () => {
      set({ inspectorOpen: !inspectorOpen });
    },
    Escape: () => {
      if (helpOpen) set({ helpOpen: false });
      else go({ selected: '' });
    },
    ...Object.fromEntries(
      views.map((name, index) => [
        String(index + 1),
        () => {
          go({ view: name });
        },
      ]),
    ),
  });
  const View = shown[view];
  const hearing = useClock((state) => state.hearing);
  const held = useDroppedFiles();
  return (
    <div
      className={`app ${selected !== '' && inspectorOpen ? 'inspector-open' : ''} ${hearing === 'heard' || hearing === 'opening' ? '' : 'is-stale'}`}
    >
      <TimeBar />
      <Boundary>
        <OverviewStrip />
      </Boundary>
      <section className="banners" aria-label={texts.frame.banners}>
        <EngineBanner />
        <BranchBanner />
      </section>
      <Nav />
      <main className="view" aria-label={texts.frame.views[view]}>
        <Boundary>
          <FirstRun />
        </Boundary>
        <OfNow />
        <Boundary key={view}>
          <Suspense fallback={null}>
            <View />
          </Suspense>
        </Boundary>
      </main>
      {selected !== '' && inspectorOpen ? (
        <Boundary key={selected}>
          <Inspector id={selected} />
        </Boundary>
      ) : null}
      <Drawer />
      {helpOpen ? <Help /> : null}
      {held ? <div className="drop-note">{texts.create.drop}</div> : null}
      <Notices />
    </div>
  );
}

/** Another cluster under the same name and address: nothing that the page remembers is true of it. */
function isSameCluster({ status: a }: Clock, { status: b }: Clock): boolean {
  return a.seed === b.seed && a.startTime === b.startTime;
}

function useStart(): void {
  useEffect(() => {
    const complain = (error: unknown) => {
      useNotices.getState().tell({ level: 'error', title: texts.frame.cannotRead, detail: messageOf(error) });
    };
    loadClock().catch(complain);
    void useResources.getState().load();
    return useClock.subscribe(({ nowMs, startMs, hearing, clock }, before) => {
      if (nowMs > 0) useRange.getState().tick(nowMs, startMs);
      if (hearing === 'heard' && before.hearing === 'lost') void useResources.getState().load();
      if (clock && before.clock && !isSameCluster(clock, before.clock)) location.reload();
    });
  }, []);
}
