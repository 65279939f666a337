/** Faults from the page, against the real engine: asked for by their own schema, several at once, planned ahead on the axis, healed. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../engine/api/sim/v1alpha1/fault.ts';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, type RealEngine, startEngine } from './real-engine.ts';

const faults = '/apis/sim.wavetank.dev/v1alpha1/faults';

describe.skipIf(!available)('faults', () => {
  let browser: Browser;
  let engine: RealEngine;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('faults-test', ['--nodes', '3', '--speed', 'paused'])]);
  });
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  it('come several at once after the engine said what they do, or later by plan, and are healed or taken back', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await page.goto(`${page.url().split('#')[0] ?? ''}#/faults`);
    await page.getByRole('button', { name: 'Break something' }).first().click();
    const form = page.getByRole('form', { name: 'Break something' });
    await form.getByLabel('Fault').selectOption('node-power-loss');
    await form.getByLabel('Where').selectOption('node/node-0');
    await form
      .getByText(/node-0.*(50 s|50s)/)
      .first()
      .waitFor();
    await form.getByRole('button', { name: 'And another' }).click();
    await form.getByLabel('Fault').selectOption('node-network-slow');
    await form.getByLabel('Where').selectOption('node/node-1');
    await form.getByText('kubectl create -f -', { exact: false }).waitFor();
    expect(await axeFaults(page, '.view')).toEqual([]);
    await form.getByRole('button', { name: 'Break all 2' }).click();
    const list = () => ask<{ items: readonly Fault[] }>(page, faults).then(({ items }) => items);
    await expect.poll(async () => (await list()).map(({ spec }) => spec.type).toSorted()).toEqual(['node-network-slow', 'node-power-loss']);
    await advance(page, '1s');
    await page.getByText('2 faults active').waitFor();
    // Before anything is pressed stands what does the same, for one and for all.
    const [first = '', second = ''] = (await list()).map(({ metadata }) => metadata.name ?? '');
    for (const name of [first, second]) await page.getByText(`kubectl delete faults.sim.wavetank.dev ${name}`, { exact: true }).waitFor();
    await page.getByText(/^kubectl delete faults\.sim\.wavetank\.dev \S+ \S+$/).waitFor();
    await page.getByRole('button', { name: 'Break something' }).click();
    await form.getByLabel('Strikes in').fill('10m');
    await form.getByLabel('Heals after').fill('5m');
    await form.getByRole('button', { name: 'Plan it' }).click();
    await page.getByRole('row', { name: /Planned.*at \d\d:\d\d:\d\d.*5m later/ }).waitFor();
    await page.getByRole('button', { name: 'Heal all 2' }).click();
    await page.getByText('Heals as time runs').first().waitFor();
    await page.getByText(/^kubectl delete faults\.sim\.wavetank\.dev \S+ \S+$/).waitFor();
    await advance(page, '1s');
    await expect.poll(async () => (await list()).length).toBe(1);
    const planned = (await list())[0];
    await advance(page, '11m');
    await expect.poll(async () => (await list())[0]?.status?.phase).toBe('Active');
    expect(planned?.spec.startAt).toBe((await list())[0]?.status?.injectedAt);
    await page.getByRole('button', { name: 'Heal', exact: true }).click();
    await page.getByText('Heals as time runs').waitFor();
    await advance(page, '1s');
    await page.getByText('Nothing is broken').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  }, 240_000);

  it('all that strike a node are healed with one press on its card, which names them', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    const fault = (name: string, type: string, startAt?: string): object => ({
      apiVersion: 'sim.wavetank.dev/v1alpha1',
      kind: 'Fault',
      metadata: { name },
      spec: { type, target: { node: 'node-0' }, ...(startAt ? { startAt } : {}) },
    });
    await ask(page, faults, fault('dark', 'node-power-loss'));
    await ask(page, faults, fault('slow', 'node-network-slow'));
    await ask(page, faults, fault('later', 'node-reboot', '2100-01-01T00:00:00Z'));
    await advance(page, '1s');
    await page.goto(`${page.url().split('#')[0] ?? ''}#/cluster?object=nodes/node-0`);
    await page.getByText('kubectl delete faults.sim.wavetank.dev dark slow', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Heal this node of 2 faults' }).click();
    await advance(page, '1s');
    await page.getByRole('button', { name: 'Fail this node' }).waitFor();
    const { items } = await ask<{ items: readonly Fault[] }>(page, faults);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['later']);
    await ask(page, `${faults}/later`, undefined, 'DELETE');
    await advance(page, '1s');
    expect(problems).toEqual([]);
    await page.close();
  }, 240_000);

  it('pressed twice, one fault strikes; its row opens what it is and why', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await page.goto(`${page.url().split('#')[0] ?? ''}#/faults`);
    const before = (await ask<{ items: readonly Fault[] }>(page, faults)).items.length;
    await page.getByRole('button', { name: 'Break something' }).first().click();
    const form = page.getByRole('form', { name: 'Break something' });
    await form.getByLabel('Fault').selectOption('node-network-slow');
    await form
      .locator('.says')
      .getByText(/node-\d/)
      .waitFor();
    let asked = 0;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/faults\?/, async (route) => {
      if (route.request().method() === 'POST') asked++;
      await held;
      await route.continue();
    });
    await form.getByRole('button', { name: 'Break it' }).dblclick();
    await form.getByLabel('Heals after').press('Enter');
    release();
    await expect.poll(() => form.count()).toBe(0);
    // Asked whether it may, and done.
    expect(asked).toBe(2);
    const { items } = await ask<{ items: readonly Fault[] }>(page, faults);
    expect(items.length).toBe(before + 1);
    const name = items.find(({ spec }) => spec.type === 'node-network-slow')?.metadata.name ?? '';
    await page.getByRole('button', { name, exact: true }).click();
    await expect.poll(() => page.url()).toContain(`object=faults.sim.wavetank.dev/${name}`);
    await page.getByRole('complementary', { name: 'Inspector' }).getByText(name, { exact: true }).first().waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });
});
