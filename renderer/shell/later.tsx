/** What the first picture does not need: views but the first, and what shows one object. */
import { later } from '../lib/later.tsx';
import { rested } from '../lib/rested.ts';
import { texts } from '../texts/texts.ts';
import { Coming } from './Coming.tsx';

/** In the order of their keys, which is that in which they are looked at first. */
const fetchedBefore = {
  problems: later(() => import('../views/problems/ProblemsView.tsx').then((module) => module.ProblemsView), Coming),
  cronjobs: later(() => import('../views/cronjobs/CronJobsView.tsx').then((module) => module.CronJobsView), Coming),
  cluster: later(() => import('../views/cluster/ClusterView.tsx').then((module) => module.ClusterView), Coming),
  objects: later(() => import('../views/objects/ObjectsView.tsx').then((module) => module.ObjectsView), Coming),
  scenarios: later(() => import('../views/scenarios/ScenariosView.tsx').then((module) => module.ScenariosView), Coming),
  faults: later(() => import('../views/faults/FaultsView.tsx').then((module) => module.FaultsView), Coming),
  requests: later(() => import('../views/requests/RequestsView.tsx').then((module) => module.RequestsView), Coming),
  settings: later(() => import('../views/settings/SettingsView.tsx').then((module) => module.SettingsView), Coming),
};

export const laterViews = {
  ...fetchedBefore,
  // With what reads YAML, which nothing else needs: never fetched before.
  create: later(() => import('../views/create/CreateView.tsx').then((module) => module.CreateView), Coming),
} as const;

/** Its place, so that nothing moves when it comes. */
function WithoutInspector() {
  return (
    <aside className="inspector" aria-label={texts.frame.inspector.label} aria-busy>
      <Coming />
    </aside>
  );
}

export const Inspector = later(() => import('./Inspector.tsx').then((module) => module.Inspector), WithoutInspector);

/**
 * One after the other, so that the page has its turns between them: problems first, which are small and gone to by whoever just opened the page, before the
 * inspector and what it brings. One that does not come is asked for again when it is looked at.
 */
export async function fetchLater(): Promise<void> {
  for (const { fetch } of [fetchedBefore.problems, Inspector, ...Object.values(fetchedBefore)]) {
    await rested();
    await fetch().catch(() => undefined);
  }
}
