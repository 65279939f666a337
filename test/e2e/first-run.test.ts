/** An empty cluster shows how to begin, and shows it no longer once something is there. */
import { existsSync, readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, launch, openPage } from './browser.ts';
import { ask, type RealEngine, startEngine, startMs } from './real-engine.ts';

describe.skipIf(!available)('first run', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('first-run', ['--nodes', '2', '--speed', 'paused'])]);
    ({ page } = await openPage(browser, engine.link()));
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  const ways = () => page.getByRole('region', { name: 'Ways to begin' });

  it('tells kubectl where the cluster is', async () => {
    await ways().getByRole('heading', { name: 'Nothing runs in this cluster yet' }).waitFor();
    const line = await ways().getByText('export KUBECONFIG=').textContent();
    const path = /=(?<path>\S+)$/.exec(line ?? '')?.groups?.['path'] ?? '';
    expect(existsSync(path)).toBe(true);
    const context = /--context (?<context>\S+)/.exec((await ways().getByText('kubectl --context').textContent()) ?? '')?.groups?.['context'];
    expect(readFileSync(path, 'utf8')).toContain(`name: ${context}`);
  });

  it('is closed where somebody wishes, and stands under help', async () => {
    await page.getByRole('button', { name: 'Close the ways to begin' }).click();
    await expect.poll(() => ways().count()).toBe(0);
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Ways to begin' }).click();
    await ways().waitFor();
  });

  it('an empty view offers to write what would fill it', async () => {
    await page.evaluate(() => void (location.hash = '#/cronjobs'));
    await page.getByText('kubectl create cronjob hello').waitFor();
    // With no lane there is no axis either.
    expect(await page.locator('.tl-head').count()).toBe(0);
    await page.getByRole('button', { name: 'Write one here' }).click();
    await page.locator('.cm-content', { hasText: 'kind: CronJob' }).waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.evaluate(() => void (location.hash = '#/objects?kind=pods.'));
    await page.getByText('No pods yet').waitFor();
    await page.evaluate(() => void (location.hash = '#/timeline'));
  });

  it('goes with the sample that it made', async () => {
    await ways().getByText('Press space to let time run.').waitFor();
    await ways().getByRole('button', { name: 'Create it' }).click();
    await expect.poll(() => ways().count()).toBe(0);
    await page.getByText('Press space to let time run, or “+1m”.').waitFor();
    expect(await ask(page, '/apis/apps/v1/namespaces/default/deployments/hello')).toMatchObject({ spec: { replicas: 3 } });
    // Nothing had time to make a pod, and a reload still finds a cluster that is not empty.
    await page.reload();
    await page.locator('.overview .figure').first().waitFor();
    expect(await ways().count()).toBe(0);
  });

  it('says that a second sample is refused, in the words of the server', async () => {
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Ways to begin' }).click();
    await ways().getByRole('heading', { name: 'Ways to begin' }).waitFor();
    await ways().getByRole('button', { name: 'Create it' }).click();
    await page.getByText('deployments.apps "hello" already exists').first().waitFor();
    await ways().getByRole('button', { name: 'Choose one' }).click();
    await expect.poll(() => page.url()).toContain('#/scenarios');
  });
});
