/** An object is edited as YAML from the page, against the real engine: completed, checked, told as what would change, and never lost. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine } from './real-engine.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const web = `${deployments}/web`;

interface Web {
  readonly spec: { readonly replicas: number; readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } } };
  readonly metadata: { readonly labels?: { readonly [name: string]: string } };
}

/** Puts another text in place of one in the editor, by keys alone. */
async function retype(page: Page, before: string, after: string): Promise<void> {
  const content = page.locator('.cm-content');
  await content.focus();
  const text = await content.evaluate((element) => (element as HTMLElement).innerText.replaceAll('\n\n', '\n'));
  expect(text).toContain(before);
  await page.keyboard.press('Control+f');
  await page.locator('.cm-search input[name=search]').selectText();
  await page.keyboard.type(before);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.insertText(after);
}

/** A list that has just opened takes no key for 75 ms: whoever is still writing means a new line. */
function listTakesKeys(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const openedMs = performance.now();
        const look = (nowMs: number): void => {
          if (nowMs - openedMs > 150) resolve();
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );
}

describe.skipIf(!available)('editing an object', () => {
  let browser: Browser;
  let engine: RealEngine;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('edit-test', ['--nodes', '2', '--speed', 'paused'], 'session')]);
  });
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  const editor = (page: Page) => page.getByRole('region', { name: 'YAML editor' });
  const open = async (page: Page, id: string): Promise<void> => {
    await page.goto(`${page.url().split('#')[0] ?? ''}#/objects?object=${id}&tab=yaml`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.locator('.cm-content').waitFor();
  };

  it('completes and checks by the schema, shows what would really change and its kubectl line, and applies it, by keys alone', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await ask(page, deployments, deployment('web', 2));
    await advance(page, '30s');
    await open(page, 'deployments.apps/default/web');
    const panel = editor(page);
    expect(await page.locator('.cm-content').textContent()).not.toContain('managedFields');
    await retype(page, 'replicas: 2', 'replica: 2');
    await panel.getByText('There is no field spec.replica; replicas is one.').waitFor();
    await panel.getByRole('button', { name: 'Check with the API server' }).click();
    await panel.getByRole('button', { name: /^Line \d+: unknown field "spec.replica"/ }).waitFor();
    await retype(page, 'replica: 2', 'replica: [2');
    await panel.getByRole('button', { name: 'Check with the API server' }).click();
    await panel.getByText('Put right first what is marked in the text.').waitFor();
    await expect.poll(() => panel.getByText(/This is no YAML/).count()).toBe(1);
    await retype(page, 'replica: [2', 'replica: 2');
    await retype(page, 'replica: 2', 'replicas: 3\n  paus');
    await page.keyboard.press('Control+Space');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'paused' }).waitFor();
    await listTakesKeys(page);
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('false');
    await panel.getByText(/paused: boolean\. Indicates/).waitFor();
    await page.keyboard.press('Control+Enter');
    await panel.getByText('+   replicas: 3').waitFor();
    await panel
      .getByText(
        `kubectl patch deployment.apps/web -n default --type=merge --field-manager=wavetank-page -p '{"spec":{"replicas":3,"paused":false}}'`,
      )
      .waitFor();
    expect((await ask<Web>(page, web)).spec.replicas).toBe(2);
    expect(await axeFaults(page, '.inspector')).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await ask<Web>(page, web)).spec.replicas).toBe(3);
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    expect(problems.filter((text) => !text.includes('422'))).toEqual([]);
    await page.close();
  }, 240_000);

  it('is applied to an object whose status changes all the time', async () => {
    const { page } = await openPage(browser, engine.link());
    await ask(page, deployments, deployment('hot', 2));
    await open(page, 'deployments.apps/default/hot');
    await retype(page, 'replicas: 2', 'replicas: 4');
    await page.keyboard.press('Control+Enter');
    let changes = 0;
    await page.route(/deployments\/hot\?(?!.*dryRun)/, async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      changes++;
      if (changes <= 3) await ask(page, `${deployments}/hot/status`, { status: { observedGeneration: changes } }, 'PATCH');
      await route.continue();
    });
    await editor(page).getByRole('button', { name: 'Apply' }).click();
    await expect.poll(async () => (await ask<Web>(page, `${deployments}/hot`)).spec.replicas).toBe(4);
    expect(changes).toBe(4);
    await page.close();
  }, 240_000);

  it("tells the server's refusal in its words, and takes up what others changed without losing either", async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await ask(page, deployments, deployment('shared', 3));
    await open(page, 'deployments.apps/default/shared');
    const panel = editor(page);
    await retype(page, 'replicas: 3', 'replicas: -1');
    await page.keyboard.press('Control+Enter');
    await panel.getByText(/is invalid: .*must be greater than or equal to 0/).waitFor();
    // At its line, too: a click goes there.
    await panel.getByRole('button', { name: /^Line \d+: spec.replicas: Invalid value: -1/ }).click();
    await expect.poll(() => page.locator('.cm-activeLine').textContent()).toBe('  replicas: -1');
    await retype(page, 'replicas: -1', 'replicas: 5');
    await ask(page, `${deployments}/shared`, { metadata: { labels: { team: 'blue' } }, spec: { replicas: 4 } }, 'PATCH');
    await page.keyboard.press('Control+Enter');
    await panel.getByText('The object changed meanwhile where you changed it too').waitFor();
    await panel.getByText('yours 5, newer 4').waitFor();
    await panel.getByRole('button', { name: 'Take the newer one, with my changes' }).click();
    await expect.poll(() => page.locator('.cm-content').textContent()).toContain('team: blue');
    await panel.getByRole('button', { name: 'Check with the API server' }).click();
    await panel.getByText('+   replicas: 5').waitFor();
    // Another change, elsewhere, between the look and the apply: it is looked at again, and both stand.
    await ask(page, `${deployments}/shared`, { metadata: { labels: { team: 'green' } } }, 'PATCH');
    await panel.getByRole('button', { name: 'Apply' }).click();
    await panel.getByText('It has changed again just now').waitFor();
    await panel.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(async () => (await ask<Web>(page, `${deployments}/shared`)).spec.replicas).toBe(5);
    expect((await ask<Web>(page, `${deployments}/shared`)).metadata.labels).toEqual({ team: 'green' });
    expect(problems.filter((text) => !/409|422/.test(text))).toEqual([]);
    await page.close();
  }, 240_000);

  it('is refused in the past, saying why; an engine that dies in the middle takes nothing away', async () => {
    const { page } = await openPage(browser, engine.link());
    await ask(page, deployments, deployment('late', 5));
    await advance(page, '30s');
    await open(page, 'deployments.apps/default/late');
    const panel = editor(page);
    await retype(page, 'replicas: 5', 'replicas: 6');
    await page.keyboard.press('Control+Enter');
    await panel.getByRole('button', { name: 'Apply' }).waitFor();
    const { status } = await ask<{ status: { virtualMs: number } }>(page, '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster');
    await page.goto(
      `${page.url().split('#')[0] ?? ''}#/timeline?object=deployments.apps/default/late&tab=yaml&from=${status.virtualMs - 20_000}&to=${status.virtualMs - 5000}`,
    );
    await panel.getByText('lies in the past. Acts change the cluster as it is now').waitFor();
    expect(
      await panel
        .getByRole('button', { name: 'Apply' })
        .or(panel.getByRole('button', { name: 'Check with' }))
        .isDisabled(),
    ).toBe(true);
    await panel.getByRole('button', { name: 'Back to now' }).click();
    await expect.poll(() => panel.getByText('lies in the past').count()).toBe(0);
    await engine.kill();
    await panel.getByText('The engine is not heard. Acts are offered again').waitFor();
    await retype(page, 'replicas: 6', 'replicas: 7');
    await engine.restart();
    await expect.poll(() => panel.getByText('The engine is not heard').count(), { timeout: 60_000 }).toBe(0);
    expect(await page.locator('.cm-content').textContent()).toContain('replicas: 7');
    await page.reload();
    await page.locator('.cm-content').waitFor();
    expect(await page.locator('.cm-content').textContent()).toContain('replicas: 7');
    await panel.getByRole('button', { name: 'Check with the API server' }).click();
    await panel.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(async () => (await ask<Web>(page, `${deployments}/late`)).spec.replicas).toBe(7);
    await page.close();
  }, 240_000);

  it('values of a Secret are shown when asked for only, and those that are not touched stay; hidden characters are seen', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    const secret = '/api/v1/namespaces/default/secrets/keys';
    const [one, two] = [btoa('hunter2'), btoa('other')];
    const lastApplied = JSON.stringify({ data: { one, two } });
    const annotations = { note: 'a\u202eb\u0007c', long: 'x'.repeat(200_000), 'kubectl.kubernetes.io/last-applied-configuration': lastApplied };
    await ask(page, '/api/v1/namespaces/default/secrets', {
      metadata: { name: 'keys', annotations },
      data: { one, two },
    });
    await open(page, 'secrets/default/keys');
    const shown = () => page.locator('.inspector').textContent();
    expect(await shown()).not.toContain(one);
    await retype(page, 'two: (unchanged, 5 bytes)', `two: ${btoa('new')}`);
    await editor(page).getByRole('button', { name: 'Check with the API server' }).click();
    await editor(page).getByText('1 value changed, not shown').waitFor();
    expect(await page.locator('.kubectl').textContent()).not.toContain(btoa('new'));
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('secrets')))).toEqual([]);
    await page.locator('.cm-specialChar').first().waitFor();
    await editor(page).getByRole('button', { name: 'Apply' }).click();
    await expect.poll(async () => (await ask<{ data: object }>(page, secret)).data).toEqual({ one, two: btoa('new') });
    expect(await ask(page, secret)).toMatchObject({ metadata: { annotations } });
    expect(problems).toEqual([]);
    await page.close();
  }, 240_000);

  it('of one that was deleted meanwhile is taken to Create, behind what stands there, and made anew', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await ask(page, deployments, { ...deployment('lost', 1), spec: { ...(deployment('lost', 1) as { spec: object }).spec } });
    await open(page, 'deployments.apps/default/lost');
    await retype(page, 'replicas: 1', 'replicas: 3');
    const check = page.getByRole('button', { name: 'Check with the API server' });
    const before = await check.boundingBox();
    await ask(page, `${deployments}/lost`, undefined, 'DELETE');
    await page.getByText('It does not exist now.').waitFor();
    // Its acts are not offered any more, and nothing moves from under the pointer.
    expect(await page.locator('.inspector .acts').getByRole('button', { disabled: false }).count()).toBe(0);
    expect(await page.locator('.inspector .acts button').first().getAttribute('title')).toContain('does not exist now');
    expect(await check.boundingBox()).toEqual(before);
    await check.click();
    await page.getByText('It was deleted meanwhile.').waitFor();
    expect(await axeFaults(page, '.inspector')).toEqual([]);
    await page.getByRole('button', { name: 'Take it to Create' }).click();
    await page.getByRole('heading', { name: 'Create' }).waitFor();
    await page.getByRole('button', { name: 'Try it (dry run)' }).click();
    await page.locator('.outcomes li', { hasText: 'would be created' }).waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.locator('.outcomes li', { hasText: 'created' }).waitFor();
    await expect.poll(() => ask<Web>(page, `${deployments}/lost`).then(({ spec }) => spec.replicas)).toBe(3);
    // What the page asked for to know whether it is there was not.
    expect(problems.filter((text) => !/status of 404/.test(text))).toEqual([]);
    await page.close();
  }, 240_000);

  it('a plan is of the text that was checked: who writes on meanwhile checks again, and loses nothing when it is applied', async () => {
    const { page } = await openPage(browser, engine.link());
    await ask(page, deployments, deployment('slow', 2));
    await open(page, 'deployments.apps/default/slow');
    const panel = editor(page);
    let release = (): void => undefined;
    const hold = (): Promise<void> => new Promise((resolve) => (release = resolve));
    let held = hold();
    await page.route(/deployments\/slow\?.*fieldManager/, async (route) => {
      await held;
      await route.continue();
    });
    await retype(page, 'replicas: 2', 'replicas: 3');
    await page.keyboard.press('Control+Enter');
    await panel.getByRole('button', { name: 'Asking the API server…' }).waitFor();
    await retype(page, 'replicas: 3', 'replicas: 5');
    release();
    await panel.getByText('You went on writing meanwhile: check it again.').waitFor();
    expect(await panel.getByRole('button', { name: 'Apply' }).count()).toBe(0);
    await panel.getByRole('button', { name: 'Check with the API server' }).click();
    await panel.getByText('+   replicas: 5').waitFor();
    held = hold();
    await panel.getByRole('button', { name: 'Apply' }).click();
    await retype(page, 'replicas: 5', 'replicas: 6');
    release();
    await panel.getByText('What you had checked is applied. What you wrote since is not').waitFor();
    expect((await ask<Web>(page, `${deployments}/slow`)).spec.replicas).toBe(5);
    await panel.getByRole('button', { name: 'Check with the API server' }).click();
    await panel.getByText('+   replicas: 6').waitFor();
    await page.close();
  }, 240_000);
});
