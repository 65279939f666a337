/** Scenarios from the page, against the real engine: in a cluster of their own that the frame switches to, kept or thrown away, on one axis. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseScenario } from '../../engine/scenarios/load.ts';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { ask, type RealEngine, startEngine } from './real-engine.ts';

const sim = '/apis/sim.wavetank.dev/v1alpha1';
const file = fileURLToPath(new URL('../../scenarios/nodes/node-power-loss/scenario.yaml', import.meta.url));

describe.skipIf(!available)('scenarios', () => {
  let browser: Browser;
  let engine: RealEngine;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('scenarios-test', ['--nodes', '1', '--speed', '1'])]);
  });
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  it('run beside the user’s cluster: looked into and back from the frame, kept, thrown away', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    const list = await ask<{ items: readonly { metadata: { name: string } }[] }>(page, `${sim}/scenarios`);
    if (!list.items.some(({ metadata }) => metadata.name === 'node-power-loss'))
      await ask(page, `${sim}/scenarios`, parseScenario(readFileSync(file, 'utf8')));
    await page.goto(`${page.url().split('#')[0] ?? ''}#/scenarios`);
    const title = (await ask<{ spec: { title: string } }>(page, `${sim}/scenarios/node-power-loss`)).spec.title;
    await page.getByRole('button', { name: `Run ${title}` }).click();
    const card = page.getByRole('article', { name: /^Run node-power-loss-/ });
    await card.getByText('Passed', { exact: true }).waitFor({ timeout: 90_000 });
    await page.getByText(/kubectl create -f - <<'EOF'[^]*kind: ScenarioRun[^]*scenario: node-power-loss/).waitFor();
    const axis = card.getByRole('img', { name: 'Steps, expectations and verdict on one axis of time' });
    const steps = await axis.locator('.run-step').count();
    expect(steps).toBeGreaterThan(1);
    // Each expectation stands at its instant, those of one instant together, and the verdict behind them.
    const told = await axis
      .locator('.run-sign:not(.is-verdict)')
      .evaluateAll((signs) => signs.flatMap((sign) => (sign as HTMLElement).title.split('\n')));
    expect(told).toHaveLength(await card.locator('.conditions li').count());
    expect(await axis.locator('.run-sign.is-verdict').getAttribute('title')).toMatch(/^Verdict: Passed at /);
    await card.getByRole('button', { name: 'Keep its cluster' }).click();
    await card.getByRole('button', { name: 'Kept' }).waitFor();
    expect(await axeFaults(page, '.view', '.nav')).toEqual([]);
    await page.getByLabel('Which cluster the page shows').selectOption({ index: 1 });
    await page.getByText('a cluster beside your own').waitFor();
    await page.locator('.tl-label button', { hasText: 'web' }).first().waitFor();
    // Which cluster is looked into is said whole.
    const shown = page.locator('.cluster-switch .name');
    await expect.poll(() => shown.textContent()).toMatch(/^Run node-power-loss-\w{5}Passed$/);
    expect(await shown.evaluate((name) => name.scrollWidth <= name.clientWidth && getComputedStyle(name).textOverflow === 'clip')).toBe(true);
    // On the axis of what they moved: all of it at the end, and less of it before the verdict.
    const rows = page.getByRole('region', { name: /^Steps, expectations and verdict of run node-power-loss-/ });
    await rows.locator('strong', { hasText: 'Passed' }).waitFor();
    await page.keyboard.press('f');
    await rows.locator('.run-sign.is-verdict').waitFor();
    // Zoomed out so far that its return is less than a pixel ago, the node is back all the same.
    await page.getByRole('group', { name: 'The whole cluster over time' }).getByText('6 / 6').waitFor();
    expect(await rows.locator('.run-step').count()).toBe(steps);
    const run = await ask<{ items: { status: { startedAt: string; finishedAt: string; expectations: unknown[] } }[] }>(page, `${sim}/scenarioruns`);
    const { startedAt = '', finishedAt = '', expectations = [] } = run.items[0]?.status ?? {};
    expect(await rows.textContent()).toContain(`${expectations.length} / ${expectations.length}`);
    const [from, to] = [Date.parse(startedAt) - 1000, Date.parse(finishedAt) - 1000];
    await page.evaluate((place) => void (location.hash = place), `#/timeline?from=${from}&to=${to}`);
    await rows.locator('strong', { hasText: 'Running' }).waitFor();
    expect(await rows.locator('.run-sign.is-verdict').count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('Which cluster the page shows').selectOption({ label: 'Your cluster' });
    await page.getByRole('link', { name: 'Scenarios' }).click();
    await expect.poll(() => page.getByText('a cluster beside your own').count()).toBe(0);
    await card.getByRole('button', { name: 'Throw away' }).click();
    await expect.poll(() => card.count()).toBe(0);
    await expect.poll(() => page.getByLabel('Which cluster the page shows').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  }, 240_000);
});
