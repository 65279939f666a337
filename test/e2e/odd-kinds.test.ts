/** Objects of kinds whose authors wrote anything into columns, conditions and Events: drawn or said, and nothing of the engine or page stops. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, type RealEngine, startEngine, startMs } from './real-engine.ts';

const hostile = '<img src=x onerror=alert(1)> \u202Eevil\u0007\u001b[31m';
const conditions: readonly unknown[] = [
  'text',
  { a: 1 },
  [null],
  [7, 'x', []],
  [{ type: 5, status: true, message: { a: 1 }, reason: ['x'], lastTransitionTime: 12 }],
  [{ type: hostile, status: hostile, reason: hostile, message: hostile.repeat(2000), lastTransitionTime: 'not a time' }],
  Array.from({ length: 3000 }, (_, index) => ({ type: `c${index}`, status: 'False', message: 'no' })),
];

describe.skipIf(!available)('odd kinds', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('odd', ['--nodes', '1', '--speed', 'paused'])]);
    ({ page, problems } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor();
    const any = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const column = (name: string, type: string, jsonPath: string) => ({ name, type, jsonPath });
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: any, status: any } } },
      additionalPrinterColumns: [
        column(hostile, 'string', '.spec.text'),
        column('Status', 'date', '.spec.text'),
        column('Status', 'string', '.spec.object'),
        column('x'.repeat(300), 'integer', '.spec.text'),
      ],
    };
    await ask(page, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'odds.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'odds', singular: 'odd', kind: 'Odd' }, versions: [version] },
    });
    await advance(page, '5s');
    const odds = '/apis/example.com/v1/namespaces/default/odds';
    for (const [index, one] of conditions.entries()) {
      const spec = { text: hostile, object: { a: hostile } };
      await ask(page, odds, { apiVersion: 'example.com/v1', kind: 'Odd', metadata: { name: `odd-${index}` }, spec });
      await ask(page, `${odds}/odd-${index}`, { status: { conditions: one, containerStatuses: one, phase: 'New' } }, 'PATCH');
    }
    const involvedObject = { kind: hostile, namespace: 'default', name: '../x?y#z', apiVersion: 'a/b/c' };
    await ask(page, '/api/v1/namespaces/default/events', {
      metadata: { name: 'odd' },
      involvedObject,
      reason: hostile,
      message: hostile,
      type: 'Warning',
    });
    await advance(page, '1m');
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  const shown = async (): Promise<string> => await page.locator('.app').innerText();
  const control = /(?![\n\r\t])[\p{Cc}\p{Cf}]/u;

  it('crash nothing of the engine', async () => {
    const { items } = await ask<{ items: readonly unknown[] }>(page, '/apis/sim.wavetank.dev/v1alpha1/crashrecords');
    expect(items).toEqual([]);
  });

  it('are told in the inspector, whatever their conditions are', async () => {
    for (const [index] of conditions.entries())
      for (const tab of ['overview', 'why', 'yaml']) {
        await page.evaluate(
          (hash) => void (location.hash = hash),
          `#/objects?kind=odds.example.com&object=odds.example.com/default/odd-${index}&tab=${tab}`,
        );
        await page.locator('.inspector-head code', { hasText: `odd-${index}` }).waitFor();
        await page.locator('.inspector .summary', { hasText: /It is New/ }).waitFor();
        const text = await shown();
        expect(text).not.toMatch(/has failed|NaN|Invalid Date|\[object/);
        expect(text).not.toMatch(control);
      }
    await page.evaluate(() => void (location.hash = '#/objects?kind=odds.example.com&object=odds.example.com/default/odd-6'));
    await page.getByText('and 2960 more, which YAML shows').waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  it('states that others write and names that may be any text are signs on the timeline, and words without end stay in the inspector', async () => {
    const word = `${hostile}${'w'.repeat(3000)}`;
    const role = `${hostile.replaceAll('/', '')} role`;
    const containers = [{ name: 'c', image: 'busybox' }];
    await ask(page, '/api/v1/namespaces/default/pods', { metadata: { name: 'odd' }, spec: { nodeName: 'nobody', containers } });
    const said = { type: 'Odd', status: 'False', reason: word, message: word };
    const waiting = { name: 'c', image: hostile, imageID: '', restartCount: 0, ready: false, state: { waiting: { reason: word, message: word } } };
    await ask(
      page,
      '/api/v1/namespaces/default/pods/odd/status',
      { status: { phase: word, reason: word, conditions: [said], containerStatuses: [waiting] } },
      'PATCH',
    );
    await ask(page, '/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: role }, rules: [] });
    for (const place of [
      'timeline?kind=all&search=odd',
      `timeline?kind=all&search=role&object=${encodeURIComponent('pods/default/odd')}`,
      'timeline?table=true',
    ]) {
      await page.evaluate((hash) => void (location.hash = hash), `#/${place}`);
      await page
        .locator('.tl-label', { hasText: place.includes('role') ? 'role' : 'odd' })
        .first()
        .waitFor();
      expect(await shown(), place).not.toMatch(control);
      const titles = await page.locator('[title]').evaluateAll((all) => all.map((one) => one.getAttribute('title')).join(' '));
      expect(titles, place).not.toMatch(control);
    }
    await page.evaluate(() => void (location.hash = '#/objects?kind=pods.&object=pods/default/odd'));
    await page.locator('.inspector .conditions').waitFor();
    const wider = await page.locator('.inspector *').evaluateAll((all) => all.filter((one) => one.scrollWidth > 381 && !one.closest('pre')).length);
    expect(wider).toBe(0);
    await page.evaluate(() => void (location.hash = '#/objects?kind=events.&object=events/default/odd&tab=why'));
    await page.getByText('history notes no changes of theirs').waitFor();
  });

  it('and Events about what is no object', async () => {
    await page.evaluate(() => void (location.hash = '#/timeline?kind=all&drawer=events'));
    await page.locator('.drawer tbody tr').first().waitFor();
    expect(await shown()).not.toMatch(control);
    expect(problems).toEqual([]);
  });
});
