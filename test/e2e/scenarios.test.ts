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
    const axis = card.getByRole('group', { name: 'Steps, expectations and verdict on one axis of time' });
    const steps = await axis.locator('.run-step').count();
    expect(steps).toBeGreaterThan(1);
    // Each expectation stands at its instant, those of one instant together, and the verdict behind them.
    const told = await axis
      .locator('.run-sign:not(.is-verdict)')
      .evaluateAll((signs) => signs.flatMap((sign) => (sign as HTMLElement).title.split('\n')));
    expect(told).toHaveLength(await card.locator('.conditions li').count());
    expect(await axis.locator('.run-sign.is-verdict').getAttribute('title')).toMatch(/^Verdict: Passed at /);
    // The line leads into its cluster as it stands, and is put away.
    const { access } = await ask<{ access: { server: string } }>(page, `${sim}/settings/cluster`);
    expect(access.server).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    await card
      .getByText(
        new RegExp(`kubectl --kubeconfig \\S+ --context wavetank-scenarios-test --server ${access.server}/branches/run-node-\\S+ get pods -A`),
      )
      .waitFor();
    await card.getByText(/^kubectl annotate scenariorun node-power-loss-\S+ sim\.wavetank\.dev\/keep=true$/).waitFor();
    await page.getByRole('button', { name: 'Close the line of kubectl’s' }).click();
    expect(await page.locator('.started').count()).toBe(0);
    // Folded it is its name and its verdict.
    await card.getByRole('button', { name: /^What came of/ }).click();
    expect(await axis.count()).toBe(0);
    await card.getByText(/\d+ of \d+ expectations met\. Decided at /).waitFor();
    await card.getByRole('button', { name: /^What came of/ }).click();
    // An expectation leads to the instant at which it was decided, and a step to its stretch, in the cluster that it is about.
    for (const link of [card.locator('.expectations a').first(), axis.locator('a.run-step').last(), axis.locator('a.run-sign').first()])
      expect(await link.getAttribute('href')).toMatch(/^\/branches\/run-node-power-loss-\S+\/#\/timeline\?from=\d+&to=\d+$/);
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
    // To the second, though a pixel of the axis is longer: the run is over at the instant at which its clock stands.
    await expect.poll(() => page.locator('.tl-run strong').first().textContent()).toBe('Passed');
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
    await card.getByText(/^kubectl delete scenariorun node-power-loss-/).waitFor();
    await card.getByRole('button', { name: 'Not now' }).click();
    await card.getByRole('button', { name: 'Throw away' }).click();
    await card.getByRole('button', { name: 'Throw it away' }).click();
    await expect.poll(() => card.count()).toBe(0);
    await expect.poll(() => page.getByLabel('Which cluster the page shows').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  }, 240_000);

  it('one that is refused leaves no line of what was done; more presses than one begin one run; the list stays short', async () => {
    const { page } = await openPage(browser, engine.link());
    await page.goto(`${page.url().split('#')[0] ?? ''}#/scenarios`);
    const title = (await ask<{ spec: { title: string } }>(page, `${sim}/scenarios/node-power-loss`)).spec.title;
    const run = page.getByRole('button', { name: `Run ${title}` });
    await run.waitFor();
    let asked = 0;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/scenarioruns\?/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      asked++;
      await held;
      return route.fulfill({ status: 403, json: { kind: 'Status', status: 'Failure', message: 'no runs today', reason: 'Forbidden', code: 403 } });
    });
    await run.dblclick();
    expect(await run.isDisabled()).toBe(true);
    release();
    await page.getByRole('alert').getByText('no runs today').waitFor();
    expect(asked).toBe(1);
    expect(await page.locator('.started').count()).toBe(0);
    await page.unroute(/\/scenarioruns\?/);
    // Runs that wait for nobody: in this cluster, which stands still.
    await ask(page, `${sim}/clocks/cluster`, { spec: { speed: 'paused' } }, 'PATCH');
    for (let i = 0; i < 7; i++)
      await ask(page, `${sim}/scenarioruns`, { metadata: { name: `many-${i}` }, spec: { scenario: 'node-power-loss', cluster: 'Present' } });
    const cards = page.getByRole('article', { name: /^Run many-/ });
    await expect.poll(() => cards.count()).toBe(5);
    await page.getByRole('button', { name: 'Show all 7 runs' }).click();
    await expect.poll(() => cards.count()).toBe(7);
    await page.close();
  }, 240_000);
});
