/** The page against the real engine: the clock runs, a node is failed and found unreachable, and history says why. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from '../support/program.ts';
import { available, launch, openPage } from './browser.ts';

describe.skipIf(!available)('the page of a real cluster', () => {
  let browser: Browser;
  let engine: ChildProcess;
  let home: string;
  let url: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'wavetank-e2e-'));
    env = { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state'), KUBECONFIG: join(home, 'config') };
    engine = spawn(process.execPath, [program, 'up', '--name', 'e2e', '--port', '0', '--nodes', '3'], { env });
    [browser, url] = await Promise.all([launch(), pageUrl(engine)]);
  });
  afterAll(async () => {
    await browser.close();
    if (engine.exitCode === null && engine.signalCode === null) {
      const ended = new Promise((resolve) => {
        engine.once('exit', resolve);
      });
      engine.kill('SIGKILL');
      await ended;
    }
    await rm(home, { recursive: true, force: true });
  });

  /** The printed link has been used; `status` shows the next one. */
  function nextLink(): string {
    const [link = ''] = /http:\S+token=\S+/.exec(execFileSync(process.execPath, [program, 'status', 'e2e'], { env, encoding: 'utf8' })) ?? [];
    return link;
  }

  it('a failed node becomes unreachable, and its chain of causes ends at the person who failed it', async () => {
    const { page, problems } = await openPage(browser, url);
    await page.getByRole('link', { name: 'Cluster' }).click();
    await page.getByText('3 nodes', { exact: true }).waitFor();
    await page.locator('.cluster-plot').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Fail this node' }).click();
    await page.getByRole('button', { name: 'Cut the power' }).click();
    await page.getByText('until it is marked unreachable').waitFor();
    await page.getByRole('button', { name: '+1m' }).click();
    await page.getByText('1 not ready', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Why' }).click();
    await page.locator('.chain li').first().waitFor();
    await expect
      .poll(() => page.locator('.chain').textContent())
      .toMatch(/(longer than the grace period).*(had struck node node-0).*(kubernetes-admin created Fault)/);
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByRole('button', { name: 'Nodes', exact: true }).click();
    await expect.poll(() => page.locator('.tl-label button').count()).toBe(3);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a scenario run has a cluster of its own that can be looked into, and that says so', async () => {
    const { page, problems } = await openPage(browser, nextLink());
    await page.getByRole('link', { name: 'Scenarios' }).click();
    await page
      .getByRole('article')
      .filter({ has: page.getByText('node-power-loss') })
      .getByRole('button', { name: 'Run' })
      .first()
      .click();
    await page.getByRole('link', { name: 'Look into it' }).click();
    await page.getByRole('note').getByText('a cluster beside your own').waitFor();
    await page.getByRole('link', { name: 'Cluster', exact: true }).click();
    await page
      .getByRole('main')
      .getByText(/^[1-9]\d* nodes$/)
      .waitFor();
    await page.getByRole('link', { name: 'Back to your cluster' }).click();
    await page.getByRole('link', { name: 'Look into it' }).waitFor();
    await expect.poll(() => page.getByRole('note').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('an engine that hangs or dies is told in the frame, and nothing shown passes for true', async () => {
    const { page } = await openPage(browser, nextLink());
    const told = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
    await page.locator('.status-dot').waitFor();
    const clock = page
      .getByRole('group', { name: 'Clock' })
      .getByRole('button')
      .or(page.getByRole('radiogroup', { name: 'Speed' }).getByRole('radio'));
    const offered = () => clock.evaluateAll((buttons) => buttons.filter((button) => !button.matches(':disabled')).length);
    const all = await offered();
    expect(all).toBeGreaterThan(8);
    engine.kill('SIGSTOP');
    await told('engine not answering');
    // What nobody answers is not offered.
    expect(await offered()).toBe(0);
    expect(await page.locator('.app.is-stale').count()).toBe(1);
    expect(await page.locator('.status-dot').count()).toBe(0);
    engine.kill('SIGCONT');
    await page.locator('.status-dot').waitFor();
    expect(await offered()).toBe(all);
    engine.kill('SIGKILL');
    await told('engine lost');
    expect(await page.locator('.status-dot').count()).toBe(0);
    await page.close();
  });
});

function pageUrl(engine: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const found = /page\s+(http\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    };
    engine.stdout?.on('data', read);
    engine.stderr?.on('data', read);
    engine.once('exit', (code) => reject(new Error(`the engine ended with ${String(code)}: ${text}`)));
  });
}
