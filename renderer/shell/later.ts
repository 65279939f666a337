/**
 * What the first picture does not need: views but the first, and what shows one object. Each is a file of its own, fetched when it is looked at, or before,
 * once the page rests.
 */
import { lazy } from 'react';

const files = {
  cluster: () => import('../views/cluster/ClusterView.tsx').then((module) => ({ default: module.ClusterView })),
  cronjobs: () => import('../views/cronjobs/CronJobsView.tsx').then((module) => ({ default: module.CronJobsView })),
  faults: () => import('../views/faults/FaultsView.tsx').then((module) => ({ default: module.FaultsView })),
  objects: () => import('../views/objects/ObjectsView.tsx').then((module) => ({ default: module.ObjectsView })),
  problems: () => import('../views/problems/ProblemsView.tsx').then((module) => ({ default: module.ProblemsView })),
  requests: () => import('../views/requests/RequestsView.tsx').then((module) => ({ default: module.RequestsView })),
  scenarios: () => import('../views/scenarios/ScenariosView.tsx').then((module) => ({ default: module.ScenariosView })),
  settings: () => import('../views/settings/SettingsView.tsx').then((module) => ({ default: module.SettingsView })),
};
const inspector = () => import('./Inspector.tsx').then((module) => ({ default: module.Inspector }));

export const laterViews = {
  cluster: lazy(files.cluster),
  cronjobs: lazy(files.cronjobs),
  faults: lazy(files.faults),
  objects: lazy(files.objects),
  problems: lazy(files.problems),
  requests: lazy(files.requests),
  scenarios: lazy(files.scenarios),
  settings: lazy(files.settings),
  // With what reads YAML, which nothing else needs: never fetched before.
  create: lazy(() => import('../views/create/CreateView.tsx').then((module) => ({ default: module.CreateView }))),
} as const;

export const Inspector = lazy(inspector);

/** One after the other, so that the page has its turns between them. One that does not come is asked for again when it is looked at. */
export async function fetchLater(): Promise<void> {
  for (const fetchOne of [inspector, ...Object.values(files)]) {
    await new Promise<void>((resolve) => requestIdleCallback(() => resolve()));
    await fetchOne().catch(() => undefined);
  }
}
