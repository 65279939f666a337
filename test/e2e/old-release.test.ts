/** The page on clusters of 1.13, and of gates that take away what it stands on: every view is as true, every act as possible as on any other. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine } from './real-engine.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const cronJobs = '/apis/batch/v1beta1/namespaces/default/cronjobs';

const figure = (page: Page, name: string) => page.locator('.overview .figure', { hasText: name });

describe.skipIf(!available)('the page of a cluster of 1.13', () => {
  let browser: Browser;
  let engine: RealEngine;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('old-release', ['--nodes', '2', '--speed', 'paused', '--emulate', '1.13'])]);
  });
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  it('tells how the cluster is, lists what it serves, and acts in its versions', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await ask(page, deployments, deployment('web', 2));
    await ask(page, '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets', {
      metadata: { name: 'keep' },
      spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
    });
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] } };
    await ask(page, cronJobs, { metadata: { name: 'report' }, spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template } } } });
    await advance(page, '12m');
    await figure(page, 'nodes ready').getByText('2 of 2').waitFor();
    await page.getByText('1 problem').waitFor();
    const address = page.url().split('#')[0] ?? '';
    await page.goto(`${address}#/objects?kind=deployments.apps&object=deployments.apps/default/web`);
    await page.getByRole('columnheader', { name: 'Up-to-date' }).waitFor();
    await page.getByText('2 of 2 replicas are ready.').waitFor();
    const acts = page.getByRole('region', { name: 'Acts' });
    await page.goto(`${address}#/objects?kind=nodes&object=nodes/node-0`);
    await acts.getByRole('button', { name: 'Drain' }).click();
    await acts.getByText('default/keep lets no pod go now').waitFor();
    await acts.getByRole('form', { name: 'Drain' }).getByRole('button', { name: 'Drain' }).click();
    await acts.getByText("Cannot evict pod as it would violate the pod's disruption budget").waitFor();
    await page.goto(`${address}#/cronjobs?object=cronjobs.batch/default/report`);
    await page.getByText(/^next \d\d:\d\d:00, in /).waitFor();
    await acts.getByRole('button', { name: 'Run now' }).click();
    await acts.getByText(/Done\. job\.batch\/report-manual-/).waitFor();
    expect(problems.filter((text) => !text.includes('429'))).toEqual([]);
    await page.close();
  }, 240_000);

  it('completes by the one schema that it has, and what is there is changed where nothing can be applied on the server’s side', async () => {
    const { page } = await openPage(browser, engine.link());
    await page.locator('.status-dot').waitFor();
    const map = (data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: plain\n  namespace: default\ndata:\n  level: ${data}\n`;
    await page.keyboard.press('c');
    const content = page.locator('.cm-content');
    const write = async (text: string): Promise<void> => {
      await content.focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(text);
    };
    await write(`${map('info')}datas: {}\n`);
    await page.getByText('There is no field datas; data is one.').waitFor();
    for (const [level, came] of [
      ['info', 'created'],
      ['debug', 'changed'],
    ] as const) {
      await write(map(level));
      await page.getByRole('button', { name: 'Try it (dry run)' }).click();
      await page
        .locator('.outcomes li')
        .getByText(`would ${came === 'created' ? 'be created' : 'change'}`, { exact: true })
        .waitFor();
      await page.getByText(/^kubectl apply -f - <<'EOF'/).waitFor();
      await page.getByRole('button', { name: 'Apply', exact: true }).click();
      await page.locator('.outcomes li').getByText(came, { exact: true }).waitFor();
    }
    expect((await ask<{ data: object }>(page, '/api/v1/namespaces/default/configmaps/plain')).data).toEqual({ level: 'debug' });
    await page.close();
  }, 240_000);
});

describe.skipIf(!available)('the page of a cluster whose watches do not begin with all that is there', () => {
  it('is told all the same', async () => {
    const [browser, engine] = await Promise.all([
      launch(),
      startEngine('no-watch-lists', ['--nodes', '2', '--speed', 'paused', '--feature-gates', 'WatchList=false']),
    ]);
    try {
      const { page, problems } = await openPage(browser, engine.link());
      await figure(page, 'nodes ready').getByText('2 of 2').waitFor();
      await page.goto(`${page.url().split('#')[0] ?? ''}#/faults`);
      await page.getByText('Nothing is broken').waitFor();
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
      await engine.close();
    }
  }, 240_000);
});
