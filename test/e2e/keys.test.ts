/** The page by keys alone: what is reached, where the keys are after something was put away, and how lists and tables are gone through. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine, startMs } from './real-engine.ts';

describe.skipIf(!available)('the page by keys alone', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('keys', ['--nodes', '2', '--speed', 'paused'])]);
    ({ page } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor();
    await ask(page, '/apis/apps/v1/namespaces/default/deployments', deployment('web', 3));
    await advance(page, '1m');
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });
  const go = async (place: string): Promise<void> => await page.evaluate((hash) => void (location.hash = hash), place);
  beforeEach(async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  });
  /** Of what has the keys: its name. */
  const held = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement: one } = document;
      return one === document.body ? '' : (one?.getAttribute('aria-label') ?? one?.textContent ?? '');
    });

  it('the first stop leads past the frame into the view', async () => {
    await go('#/objects?kind=pods.');
    await page.locator('.objects tbody tr').nth(2).waitFor();
    await page.reload();
    await page.locator('.objects tbody tr').nth(2).waitFor();
    await page.keyboard.press('Tab');
    expect(await held()).toBe('To what the view shows');
    expect(await page.locator('.skip').evaluate((one) => one.getBoundingClientRect().width)).toBeGreaterThan(50);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await held()).toBe('Filter objects');
  });

  it('a list of ninety kinds is one stop, at what is chosen; arrows go through it', async () => {
    await go('#/objects?kind=pods.');
    const filter = page.getByRole('searchbox', { name: 'Filter objects' });
    await page.locator('.objects tbody tr').nth(2).waitFor();
    await filter.focus();
    await page.keyboard.press('Tab');
    expect(await held()).toBe('Pod');
    await page.keyboard.press('ArrowDown');
    expect(await held()).toBe('PodTemplate');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.kind-list'))).toBeNull();
  });

  it('arrows go down a column of a table, and Tab leaves it', async () => {
    await go('#/objects?kind=pods.');
    const links = page.locator('.objects tbody .link');
    await links.nth(2).waitFor();
    const names = await links.allTextContents();
    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await held()).toBe(names[1]);
    await page.keyboard.press('End');
    expect(await held()).toBe(names.at(-1));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('tbody'))).toBeNull();
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('tbody') !== null)).toBe(true);
  });

  it('the keys follow the row that arrows select on the timeline, over heads of groups', async () => {
    await go('#/timeline?kind=workloads&group=kind');
    const label = (text: RegExp) => page.locator('.tl-labels').getByRole('button', { name: text });
    await label(/^web-.*Pod/)
      .first()
      .waitFor();
    await label(/^Pod/).first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await held()).toMatch(/^poweb-/);
    const first = await held();
    await page.keyboard.press('ArrowDown');
    await expect.poll(held).not.toBe(first);
    expect(await held()).toMatch(/^poweb-/);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.tl-label')?.className)).toContain('is-selected');
    expect(await page.evaluate(() => location.hash)).toContain('object=pods/default/web-');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => location.hash)).not.toContain('object=');
  });

  it('help holds the keys while it is open, names all views, and gives them back', async () => {
    await go('#/problems');
    const settings = page.getByRole('navigation').getByRole('link', { name: 'Settings' });
    await settings.focus();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.waitFor();
    for (let i = 0; i < 5; i++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
    }
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(held).toBe('Settings');
    const views = await page.getByRole('navigation').getByRole('link').all();
    for (const [index, view] of views.entries()) {
      await page.keyboard.press(String((index + 1) % 10));
      await expect.poll(() => view.getAttribute('aria-current')).toBe('page');
      expect(await view.getAttribute('title')).toContain(`(${(index + 1) % 10})`);
    }
  });

  it('what is closed gives the keys back to what opened it; Escape puts away one thing after the other', async () => {
    await go('#/objects?kind=pods.');
    const links = page.locator('.objects tbody .link');
    await links.nth(2).waitFor();
    const [, name = ''] = await links.allTextContents();
    await links.nth(1).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close the inspector' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(held).toBe(name);
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Events' }).last().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('tabpanel', { name: 'Events' }).last().waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel', { name: 'Logs' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => location.hash)).not.toContain('drawer=');
    expect(await page.evaluate(() => location.hash)).toContain('object=');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => location.hash)).not.toContain('object=');
  });

  it('who goes by keys stays where she was when what had them goes away or becomes something else', async () => {
    const isIn = (selector: string): Promise<boolean> => page.evaluate((one) => (document.activeElement?.closest(one) ?? null) !== null, selector);
    const press = async (name: string | RegExp, role: 'button' | 'tab' = 'button'): Promise<void> => {
      await page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .focus();
      await page.keyboard.press('Enter');
    };
    const open = async (place: string): Promise<void> => {
      await page.goto('about:blank');
      await page.goto(`${home}${place}`);
      await page.getByRole('complementary', { name: 'Inspector' }).getByRole('button', { name: 'Pause rollout' }).waitFor();
    };
    const home = page.url().split('#')[0] ?? '';
    const selected = '#/timeline?object=deployments.apps/default/web';
    await open(selected);
    await press('Close the inspector');
    await expect.poll(() => isIn('main.view')).toBe(true);
    await open(selected);
    await press(/ago$/);
    await expect.poll(() => page.getByRole('tab', { name: 'Change' }).count()).toBe(1);
    await expect.poll(() => isIn('.inspector')).toBe(true);
    await open(selected);
    await press('Pause rollout');
    await page.getByRole('button', { name: 'Resume rollout' }).waitFor();
    await expect.poll(() => isIn('.acts')).toBe(true);
    await press('Resume rollout');
    await page.getByRole('button', { name: 'Pause rollout' }).waitFor();
    await expect.poll(() => isIn('.acts')).toBe(true);
    await press('YAML', 'tab');
    await press('Edit');
    await expect.poll(() => isIn('.edit-panel')).toBe(true);
    await press('Discard');
    await expect.poll(() => isIn('.inspector')).toBe(true);
  });
});
