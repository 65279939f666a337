/** A mark is a change: its fields, causes and effects, followed by pointer and keys; and what differs between two instants. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine, startMs } from './real-engine.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const maps = '/api/v1/namespaces/default/configmaps';

describe.skipIf(!available)('changes', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let problems: string[];
  /** Of the scaling. */
  let revision = 0;
  /** Before the scaling, and long after it. */
  let [beforeMs, afterMs] = [0, 0];
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('changes', ['--nodes', '2', '--speed', 'paused'])]);
    ({ page, problems } = await openPage(browser, engine.link(), { width: 1440, height: 900 }));
    await page.locator('.status-dot').waitFor();
    await ask(page, deployments, deployment('web', 2));
    await ask(page, maps, { metadata: { name: 'long' }, data: { a: 'x'.repeat(200_000) } });
    await advance(page, '2m');
    const now = async (): Promise<number> =>
      (await ask<{ status: { virtualMs: number } }>(page, '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster')).status.virtualMs;
    beforeMs = Math.ceil(await now());
    await advance(page, '1s');
    const scaled = await ask<{ metadata: { resourceVersion: string } }>(page, `${deployments}/web`, { spec: { replicas: 4 } }, 'PATCH');
    revision = Number(scaled.metadata.resourceVersion);
    await ask(page, `${maps}/long`, { data: { a: 'y'.repeat(200_000), evil: '=cmd\tx\u202E' } }, 'PATCH');
    await advance(page, '1m');
    afterMs = Math.floor(await now());
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
    expect(problems).toEqual([]);
  });

  const inspector = () => page.getByRole('complementary', { name: 'Inspector' });
  const fields = () => inspector().locator('.field-changes');
  const hash = () => page.evaluate(() => decodeURIComponent(location.hash));
  const goTo = (place: string) => page.evaluate((to) => void (location.hash = to), place);
  const table = () => page.getByRole('region', { name: 'What changed between two instants' });
  /** The change that the address names is read: its keys lead on from it, and not from the one before. */
  const isRead = async (): Promise<void> => {
    const shown = /revision=(\d+)/.exec(await hash())?.[1] ?? '';
    await inspector()
      .getByRole('heading', { name: `Revision ${shown}`, exact: true })
      .waitFor();
  };

  it('a click on a mark opens that change with its fields, writer and client', async () => {
    await goTo(`#/timeline?from=${beforeMs - 2000}&to=${beforeMs + 8000}&search=deployments.apps/default/web`);
    await page.locator('.tl-label button', { hasText: 'web' }).first().waitFor();
    const plot = await page.locator('.tl-plot').boundingBox();
    const share = (beforeMs + 1000 - (beforeMs - 2000)) / 10_000;
    await expect
      .poll(async () => {
        await page.mouse.click((plot?.x ?? 0) + (plot?.width ?? 0) * share, (plot?.y ?? 0) + 8);
        return hash();
      })
      .toContain(`revision=${revision}`);
    await fields().getByText('spec.replicas').waitFor();
    expect(await inspector().locator('.field-changes li').first().textContent()).toContain('−Before2+After4');
    await expect.poll(() => inspector().locator('.facts').textContent()).toMatch(/kubernetes-admin.*Mozilla/);
    await inspector()
      .getByRole('button', { name: /^Show \d+ bookkeeping field/ })
      .click();
    await fields().getByText('metadata.generation').waitFor();
  });

  it('keys follow effects and causes, back undoes them, and a link shows the same', async () => {
    await goTo(`#/timeline?from=${beforeMs - 2000}&to=${beforeMs + 8000}&object=deployments.apps/default/web&tab=change&revision=${revision}`);
    await fields().getByText('spec.replicas').waitFor();
    await inspector().getByText('deployment-controller').first().waitFor();
    const plain = await page.locator('.tl-plot').screenshot();
    await page.keyboard.press('e');
    await expect.poll(hash).toContain('object=replicasets.apps/default/web');
    await isRead();
    await inspector().getByText('deployment-controller').first().waitFor();
    const replicaSet = await hash();
    await page.keyboard.press('e');
    await expect.poll(hash).toContain('object=pods/default/web');
    await isRead();
    const firstPod = await hash();
    await inspector().getByText('created Pod').first().waitFor();
    await page.keyboard.press('o');
    await expect.poll(hash).not.toBe(firstPod);
    await isRead();
    await inspector().getByText('replicaset-controller').first().waitFor();
    await page.keyboard.press('b');
    await expect.poll(hash).toBe(replicaSet);
    await page.goBack();
    await page.goBack();
    await expect.poll(hash).toBe(firstPod);
    await page.reload();
    await inspector().getByText('created Pod').first().waitFor();
    expect(await hash()).toBe(firstPod);
    // Arrows are drawn: the overlay is another than that of the Deployment's change.
    expect((await page.locator('.tl-plot').screenshot()).equals(plain)).toBe(false);
    expect(await axeFaults(page)).toEqual([]);
  });

  it('a row that filters leave out is said, and shown on demand', async () => {
    const { items } = await ask<{ items: { metadata: { name: string } }[] }>(
      page,
      '/apis/sim.wavetank.dev/v1alpha1/changes?object=configmaps/default/long',
    );
    await goTo(`#/timeline?object=configmaps/default/long&tab=change&revision=${items[0]?.metadata.name}&from=${beforeMs}&to=${afterMs}`);
    await inspector().getByText('shortened:').first().waitFor();
    expect((await inspector().textContent())?.length).toBeLessThan(8_000);
    await page.getByText('is not among those shown').waitFor();
    await page.getByRole('button', { name: 'Show it' }).click();
    await page.locator('.tl-label button', { hasText: 'long' }).first().waitFor();
    await expect.poll(() => page.getByText('is not among those shown').count()).toBe(0);
  });

  it('the timeline and the inspector read a change once for both', async () => {
    const read: string[] = [];
    const note = (request: { url(): string }): void =>
      void (request.url().includes('/changes/') && read.push(request.url().replace(/.*\/changes\/|\?.*/g, '')));
    page.on('request', note);
    await page.evaluate(() => void (location.hash = '#/objects'));
    await page.evaluate((place) => void (location.hash = place), `#/timeline?object=deployments.apps/default/web&tab=change&revision=${revision}`);
    await fields().first().waitFor();
    page.off('request', note);
    expect(read).toEqual([String(revision)]);
  });

  it('what the page reads is not indented for people', async () => {
    await page.evaluate(() => void (location.hash = '#/objects'));
    await page.locator('.objects tbody tr').first().waitFor();
    // Not one of the view that was left, which nobody reads any more.
    const [answer] = await Promise.all([
      page.waitForResponse((response) => /\/timelines\/.*sort=time/.test(response.url())),
      page.evaluate(() => void (location.hash = '#/timeline?search=web&group=time')),
    ]);
    expect((await answer.text()).trimEnd()).not.toContain('\n');
  });

  it('a drag on the axis compares two instants; rows lead to their changes and the address keeps both', async () => {
    await goTo(`#/timeline?from=${beforeMs - 10_000}&to=${afterMs}`);
    await page.locator('.tl-label button', { hasText: 'web' }).first().waitFor();
    const axis = await page.locator('.tl-head canvas').boundingBox();
    const at = (share: number) => [(axis?.x ?? 0) + (axis?.width ?? 0) * share, (axis?.y ?? 0) + 14] as const;
    await page.mouse.move(...at(0.1));
    await page.mouse.down();
    await page.mouse.move(...at(0.5));
    await page.mouse.move(...at(0.99));
    await page.mouse.up();
    await table()
      .getByRole('row', { name: /Deployment web/ })
      .waitFor();
    expect(await hash()).toMatch(/before=\d+.*after=\d+/);
    const row = table().getByRole('row', { name: /Deployment web/ });
    expect(await row.textContent()).toContain('spec.replicas 2 → 4');
    await table().getByLabel('What became of it').selectOption('Created');
    const rowsOf = (name: RegExp): Promise<number> => table().getByRole('row', { name }).count();
    await expect.poll(() => rowsOf(/Deployment web/)).toBe(0);
    await expect.poll(() => rowsOf(/Pod web-/)).toBe(2);
    await table().getByLabel('What became of it').selectOption('');
    await row.getByRole('button').click();
    await expect.poll(hash).toMatch(/object=deployments.apps\/default\/web.*revision=\d+/);
    await page.reload();
    await table()
      .getByRole('row', { name: /Deployment web/ })
      .waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  it('is compared and copied with the keyboard alone, at typed instants', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await goTo(`#/timeline?from=${beforeMs}&to=${afterMs + 5_000}`);
    await page.locator('.tl-label button', { hasText: 'web' }).first().waitFor();
    await page.keyboard.press('m');
    await table()
      .getByRole('row', { name: /ConfigMap long/ })
      .waitFor();
    await table().getByLabel('First instant').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('no time');
    await page.keyboard.press('Enter');
    await page.getByText('“no time” is not a time').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(new Date(beforeMs).toISOString());
    await page.keyboard.press('Enter');
    await expect.poll(hash).toContain(`before=${beforeMs}`);
    await table().getByLabel('Search what changed').fill('configmaps/default/long');
    await expect.poll(() => table().getByRole('status').textContent()).toBe('1 object');
    await table().getByRole('button', { name: 'Copy as table' }).press('Enter');
    await page.getByText(/Copied \d+ lines/).waitFor();
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
    expect(lines[0]).toMatch(/^time\tchange\tkind\tnamespace\tname\tfield\tbefore\tafter\t/);
    expect(new Set(lines.map((line) => line.split('\t').length)).size).toBe(1);
    expect(lines.find((line) => line.includes('data.evil'))).toContain("'=cmd\\tx");
    await page.keyboard.press('Escape');
    await expect.poll(() => table().count()).toBe(0);
  });

  it('what can only tell of now says so while an instant of the past is looked at, and the frame names that instant', async () => {
    const instant = new Date(beforeMs).toISOString().slice(11, 19);
    const past = `from=${beforeMs - 10_000}&to=${beforeMs}`;
    await goTo(`#/timeline?${past}&object=deployments.apps/default/web`);
    await page.getByText(`shown: ${instant}`).waitFor();
    await inspector().locator('.summary').getByText('of now').waitFor();
    for (const view of ['problems', 'objects', 'scenarios', 'faults']) {
      await goTo(`#/${view}?${past}`);
      await page.getByRole('note').getByText(instant).waitFor();
    }
    await page.getByRole('button', { name: 'Show that instant on the timeline' }).click();
    await expect.poll(hash).toBe(`#/timeline?${past}`);
    await goTo(`#/objects?${past}`);
    await page.getByRole('note').getByRole('button', { name: 'Back to now' }).click();
    await expect.poll(() => page.getByRole('note').count()).toBe(0);
    // As much of the past is followed as was looked at.
    await expect.poll(hash).toBe('#/objects?last=9200');
  });

  it('nothing differs between two instants of which nothing is known, and that is said', async () => {
    await goTo('#/timeline?before=1000&after=2000');
    await table().getByText('Nothing differs').waitFor();
  });

  it('rows that changed here, or are in trouble, can be seen alone, and sorted', async () => {
    await goTo(`#/timeline?from=${afterMs - 3_000}&to=${afterMs}`);
    await page.locator('.tl-label button', { hasText: 'web' }).first().waitFor();
    await page.getByLabel('Which rows').selectOption('changed');
    await page.getByText('Nothing matches').waitFor();
    await goTo(`#/timeline?from=${beforeMs}&to=${afterMs}&filter=changed&group=time`);
    await page.locator('.tl-label button', { hasText: 'web' }).first().waitFor();
    await page.getByLabel('Search objects').fill('app=web');
    // The Deployment has no labels itself.
    await expect.poll(() => page.locator('.tl-corner').textContent()).toBe('3 rows');
    await expect.poll(async () => (await page.locator('.tl-label .kind').allTextContents()).toSorted()).toEqual(['po', 'po', 'rs']);
  });
});
