/** What is looked at: a place of the page in one of the worlds, and what a person does there first. */
import type { Page } from 'playwright-core';
import type { WorldName } from './worlds.ts';

export interface Scene {
  readonly name: string;
  readonly world: WorldName;
  /** Behind the `#` of the address; `{now-90}` is ninety seconds before now. */
  readonly place: string;
  act?(page: Page): Promise<void>;
  /** The engine is killed first; such scenes come last. */
  readonly isLost?: boolean;
}

const click =
  (role: 'button' | 'tab' | 'radio' | 'link' | 'treeitem', name: string | RegExp) =>
  async (page: Page): Promise<void> =>
    await page.getByRole(role, { name }).first().click();
const both =
  (...acts: readonly ((page: Page) => Promise<void>)[]) =>
  async (page: Page): Promise<void> => {
    for (const act of acts) await act(page);
  };

export const scenes: readonly Scene[] = [
  { name: 'timeline', world: 'wrong', place: '/timeline' },
  { name: 'timeline-trouble', world: 'wrong', place: '/timeline?filter=trouble&group=trouble' },
  { name: 'timeline-table', world: 'wrong', place: '/timeline?table=true' },
  { name: 'timeline-nodes', world: 'wrong', place: '/timeline?group=node' },
  { name: 'timeline-of-nodes', world: 'wrong', place: '/timeline?kind=nodes' },
  { name: 'inspector', world: 'wrong', place: '/timeline?search=front&object=deployments.apps/release/front' },
  {
    name: 'change',
    world: 'wrong',
    place: '/timeline?search=front&object=deployments.apps/release/front&tab=why',
    act: async (page) => await page.locator('.chain .link').first().click(),
  },
  { name: 'why', world: 'wrong', place: '/problems?object=nodes/node-0&tab=why' },
  { name: 'events-tab', world: 'wrong', place: '/objects?object=deployments.apps/release/front&tab=events' },
  { name: 'problems', world: 'wrong', place: '/problems' },
  { name: 'problems-past', world: 'wrong', place: '/problems?from={now-3600}&to={now-600}' },
  { name: 'cronjobs-missed', world: 'wrong', place: '/cronjobs?filter=missed', act: click('button', 'Show the last day') },
  { name: 'cluster', world: 'wrong', place: '/cluster' },
  { name: 'cluster-node', world: 'wrong', place: '/cluster?object=nodes/node-0' },
  { name: 'cluster-past', world: 'wrong', place: '/cluster?from={now-3600}&to={now-600}' },
  {
    name: 'decision',
    world: 'wrong',
    place: '/cluster',
    act: both(
      async (page) =>
        await page
          .getByText(/^picky-/)
          .first()
          .click(),
      click('tab', 'Decision'),
    ),
  },
  { name: 'objects', world: 'wrong', place: '/objects?kind=pods.' },
  { name: 'objects-nodes', world: 'wrong', place: '/objects?kind=nodes.' },
  { name: 'requests', world: 'wrong', place: '/requests' },
  {
    name: 'requests-client',
    world: 'wrong',
    place: '/requests',
    act: async (page) => await page.getByRole('region', { name: 'Clients' }).getByText('my-operator').click(),
  },
  { name: 'requests-webhook', world: 'wrong', place: '/requests', act: click('button', /^webhook\/guard/) },
  { name: 'faults', world: 'wrong', place: '/faults', act: click('button', 'Break something') },
  { name: 'roll-back', world: 'wrong', place: '/timeline?search=front&object=deployments.apps/release/front', act: click('button', 'Roll back') },
  { name: 'drain', world: 'wrong', place: '/cluster?object=nodes/node-1', act: click('button', 'Drain') },
  { name: 'compare', world: 'wrong', place: '/timeline?before={now-1500}&after={now}' },
  { name: 'events', world: 'wrong', place: '/timeline?drawer=events&events=warnings' },

  { name: 'timeline', world: 'well', place: '/timeline' },
  { name: 'timeline-rollout', world: 'well', place: '/timeline?from={now-700}&to={now-500}&search=web' },
  { name: 'timeline-day', world: 'well', place: '/timeline', act: async (page) => await page.keyboard.press('f') },
  { name: 'cronjobs', world: 'well', place: '/cronjobs' },
  { name: 'cronjobs-day', world: 'well', place: '/cronjobs', act: click('button', 'Next ten') },
  { name: 'cronjobs-all', world: 'well', place: '/cronjobs', act: async (page) => await page.keyboard.press('f') },
  { name: 'cronjobs-month', world: 'well', place: '/cronjobs', act: click('button', 'Month') },
  { name: 'cluster', world: 'well', place: '/cluster' },
  { name: 'cluster-table', world: 'well', place: '/cluster?table=true' },
  { name: 'problems', world: 'well', place: '/problems' },
  { name: 'objects', world: 'well', place: '/objects?kind=deployments.apps' },
  {
    name: 'objects-many',
    world: 'well',
    place: '/objects?kind=deployments.apps',
    act: both(
      async (page) => await page.getByRole('checkbox', { name: 'Choose shop/web' }).check(),
      async (page) => await page.getByRole('checkbox', { name: 'Choose shop/api' }).check(),
      click('button', /^Scale$/),
    ),
  },
  { name: 'yaml', world: 'well', place: '/objects?kind=deployments.apps&object=deployments.apps/shop/web&tab=yaml' },
  {
    name: 'edit',
    world: 'well',
    place: '/objects?kind=deployments.apps&object=deployments.apps/shop/web&tab=yaml',
    act: async (page) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.locator('.cm-content').focus();
      await page.keyboard.press('Control+f');
      await page.locator('.cm-search input[name=search]').selectText();
      await page.keyboard.type('replicas: 5');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.keyboard.insertText('replicas: 7');
      await page.getByRole('button', { name: 'Check with the API server' }).click();
    },
  },
  { name: 'logs', world: 'well', place: '/timeline?object=deployments.apps/shop/api&drawer=logs&search=api' },
  { name: 'create', world: 'well', place: '/create' },
  {
    name: 'create-sample',
    world: 'well',
    place: '/create',
    act: async (page) => void (await page.getByRole('combobox').first().selectOption({ index: 1 })),
  },
  { name: 'scenarios', world: 'well', place: '/scenarios' },
  {
    name: 'scenario-run',
    world: 'well',
    place: '/scenarios',
    act: async (page) => {
      await page.getByRole('button', { name: /^Run .*power/i }).click();
      await page.getByText('Passed', { exact: true }).first().waitFor({ timeout: 120_000 });
    },
  },
  {
    name: 'scenario-cluster',
    world: 'well',
    place: '/scenarios',
    act: async (page) => {
      await page.getByRole('button', { name: 'Keep its cluster' }).first().click();
      await page.getByLabel('Which cluster the page shows').selectOption({ index: 1 });
      await page.getByText('a cluster beside your own').waitFor();
      await page.locator('.tl-label button').first().waitFor();
      await page.keyboard.press('f');
    },
  },
  { name: 'faults', world: 'well', place: '/faults' },
  { name: 'requests', world: 'well', place: '/requests' },
  { name: 'settings', world: 'well', place: '/settings' },
  { name: 'help', world: 'well', place: '/timeline', act: async (page) => await page.keyboard.press('?') },

  { name: 'timeline', world: 'empty', place: '/timeline' },
  { name: 'timeline-closed', world: 'empty', place: '/timeline?drawer=events', act: click('button', 'Close the ways to begin') },
  { name: 'cluster-closed', world: 'empty', place: '/cluster', act: click('button', 'Close the ways to begin') },
  ...(['problems', 'cronjobs', 'objects', 'scenarios', 'faults', 'requests', 'create'] as const).map(
    (view): Scene => ({ name: view, world: 'empty', place: `/${view}` }),
  ),

  ...(['timeline', 'cluster', 'problems', 'faults'] as const).map((view): Scene => ({ name: view, world: 'nodeless', place: `/${view}` })),
  { name: 'timeline', world: 'hundreds', place: '/timeline' },
  { name: 'timeline-ahead', world: 'hundreds', place: '/timeline?kind=nodes&from={now-60}&to={now+300}' },
  { name: 'cluster', world: 'hundreds', place: '/cluster?object=nodes/node-3' },
  { name: 'objects', world: 'hundreds', place: '/objects?kind=pods&filter=state%3DStarting' },
  { name: 'faults', world: 'hundreds', place: '/faults' },

  { name: 'timeline', world: 'large', place: '/timeline' },
  { name: 'cluster', world: 'large', place: '/cluster' },
  {
    name: 'cluster-owner',
    world: 'large',
    place: '/cluster?kind=owner',
    act: async (page) => void (await page.getByLabel('Colour by').selectOption('owner')),
  },
  { name: 'problems', world: 'large', place: '/problems' },
  { name: 'objects', world: 'large', place: '/objects?kind=pods.' },
  { name: 'requests', world: 'large', place: '/requests' },

  { name: 'timeline', world: 'cut', place: '/timeline', act: async (page) => await page.keyboard.press('f') },
  { name: 'timeline-all', world: 'cut', place: '/timeline?kind=all', act: async (page) => await page.keyboard.press('f') },
  {
    name: 'timeline-after',
    world: 'cut',
    place: '/timeline',
    act: both(async (page) => await page.keyboard.press('f'), click('button', 'Show what came after')),
  },
  { name: 'compare', world: 'cut', place: '/timeline?before={now-12000}&after={now}' },

  { name: 'timeline', world: 'hostile', place: '/timeline' },
  { name: 'problems', world: 'hostile', place: '/problems' },
  { name: 'cluster', world: 'hostile', place: '/cluster' },
  { name: 'objects', world: 'hostile', place: '/objects?kind=pods.' },
  { name: 'labels', world: 'hostile', place: '/objects?kind=configmaps.&object=configmaps/default/labels' },
  { name: 'large', world: 'hostile', place: '/objects?kind=configmaps.&object=configmaps/default/large&tab=yaml' },
  {
    name: 'change',
    world: 'hostile',
    place: '/timeline?kind=all&search=odd&object=configmaps/default/odd&tab=why',
    act: async (page) => await page.locator('.chain .link').first().click(),
  },
  { name: 'logs', world: 'hostile', place: '/timeline?object=pods/default/orphan&drawer=logs' },
  { name: 'events', world: 'hostile', place: '/timeline?drawer=events' },
  { name: 'cronjobs', world: 'hostile', place: '/cronjobs' },
  { name: 'far-past', world: 'hostile', place: '/timeline?from=1000&to=2000' },
  { name: 'far-future', world: 'hostile', place: '/timeline?from=8000000000000000&to=8600000000000000' },

  { name: 'timeline', world: 'words', place: '/timeline?kind=all&search=constructor' },
  { name: 'owners', world: 'words', place: '/timeline?kind=all&search=deep' },
  { name: 'ring', world: 'words', place: '/timeline?kind=all&search=ring&object=configmaps/constructor/ring-a' },
  { name: 'problems', world: 'words', place: '/problems' },
  { name: 'cluster', world: 'words', place: '/cluster?object=nodes/constructor' },
  { name: 'objects', world: 'words', place: '/objects?kind=pods.&object=pods/constructor/constructor' },

  { name: 'lost-timeline', world: 'wrong', place: '/timeline', isLost: true },
  { name: 'lost-cluster', world: 'wrong', place: '/cluster', isLost: true },
  { name: 'lost-problems', world: 'wrong', place: '/problems', isLost: true },
];
