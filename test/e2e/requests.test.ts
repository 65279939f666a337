/** The view of requests and the scheduler's matrix against a real engine: who asked for what, what it changed, and why a pod is not on a node. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHookServer } from '../contract/webhooks/server.ts';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine, startMs } from './real-engine.ts';

describe.skipIf(!available)('requests and decisions', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('requests', ['--nodes', '3', '--speed', 'paused'], 'requests.session')]);
    ({ page } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor();
    await ask(page, '/apis/apps/v1/namespaces/default/deployments', deployment('web', 2));
    await ask(page, '/api/v1/nodes/node-2', { spec: { unschedulable: true } }, 'PATCH');
    await advance(page, '1m');
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  const rows = () => page.locator('.requests tbody tr');

  it('requests stand there as they come, those of this page only when they are asked for, and failing ones first', async () => {
    await page.keyboard.press('8');
    await page.getByRole('region', { name: 'Components of the cluster' }).getByText('kubelet', { exact: true }).waitFor();
    expect(await rows().filter({ hasText: 'Mozilla' }).count()).toBe(0);
    await page.getByRole('button', { name: 'This page’s too' }).click();
    await rows().filter({ hasText: 'deployments -n default' }).first().waitFor();
    await expect(ask(page, '/api/v1/namespaces/default/pods/nobody')).rejects.toThrow('404');
    await expect.poll(() => rows().first().textContent()).toContain('pods "nobody" not found');
    await page.getByRole('button', { name: 'Failed only' }).click();
    await expect.poll(async () => (await rows().allTextContents()).every((text) => /4\d\d/.test(text))).toBe(true);
    expect(decodeURIComponent(page.url())).toMatch(/#\/requests\?.*failed=true/);
    await page.reload();
    await expect.poll(() => rows().first().textContent()).toContain('nobody');
    await page.getByRole('button', { name: 'Failed only' }).click();
    await page.getByRole('combobox', { name: 'Verb' }).selectOption('create');
    await expect.poll(async () => (await rows().allTextContents()).every((text) => text.includes('create'))).toBe(true);
  });

  it('one leads to what it changed, by the keyboard alone', async () => {
    await rows().filter({ hasText: 'deployments -n default' }).getByRole('button', { name: '1 change' }).focus();
    await page.keyboard.press('Enter');
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await inspector.getByText('created deployment web').first().waitFor();
    expect(page.url()).toContain('object=deployments.apps/default/web');
    expect(page.url()).toMatch(/revision=\d+/);
  });

  it('clients are told by what they are, and the count of a component leads to what it asked for last and what that changed', async () => {
    await page.getByRole('region', { name: 'Webhooks that are asked' }).getByText('No webhook was asked yet.').waitFor();
    const components = page.getByRole('region', { name: 'Components of the cluster' });
    await components.getByRole('button', { name: /^kube-controller-manager/ }).click();
    await page.getByRole('combobox', { name: 'Verb' }).selectOption('create');
    await rows()
      .filter({ hasText: 'replicaset-controller' })
      .filter({ hasText: 'pods -n default' })
      .first()
      .getByRole('button', { name: '1 change' })
      .click();
    await page.getByRole('complementary', { name: 'Inspector' }).getByText('created pod web-').first().waitFor();
    expect(await page.locator('.requests thead').textContent()).not.toContain('Took');
    await page.reload();
    await rows().filter({ hasText: 'replicaset-controller' }).first().waitFor();
    await page.getByRole('button', { name: 'All clients' }).click();
    await expect.poll(() => page.url()).not.toContain('component');
  });

  it('the count of a webhook leads to what it was asked and what it said, whether it answers, refuses or is not there', async () => {
    const hooks = await startHookServer();
    try {
      const common = { admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Ignore' };
      const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
      const at = (path: string) => ({ url: `https://127.0.0.1:${hooks.port}${path}`, caBundle: hooks.caBundle });
      const service = { namespace: 'default', name: 'nowhere' };
      await ask(page, '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
        metadata: { name: 'guards' },
        webhooks: [
          { name: 'allows.example.com', ...common, rules, clientConfig: at('/allow') },
          { name: 'closed.example.com', ...common, rules, clientConfig: at('/deny-code') },
          { name: 'lost.example.com', ...common, rules, clientConfig: { service } },
        ],
      });
      await expect(ask(page, '/api/v1/namespaces/default/configmaps', { metadata: { name: 'one' } })).rejects.toThrow('twice');
      await page.getByRole('button', { name: 'All clients' }).click();
      const webhooks = page.getByRole('region', { name: 'Webhooks that are asked' });
      await webhooks.getByRole('button', { name: /^webhook\/allows/ }).click();
      await expect.poll(async () => await rows().allTextContents()).toEqual([expect.stringContaining('createconfigmaps/one -n default200')]);
      await webhooks.getByRole('button', { name: /^webhook\/closed/ }).click();
      await expect
        .poll(async () => await rows().allTextContents())
        .toEqual([expect.stringContaining('admission webhook "closed.example.com" denied the request: twice409')]);
      expect(await webhooks.getByRole('button', { name: /^webhook\/closed/ }).textContent()).toContain('1 request');
      await webhooks.getByRole('button', { name: /^webhook\/lost.*1 failed/ }).click();
      await expect.poll(async () => await rows().allTextContents()).toEqual([expect.stringContaining('service "nowhere" not found503')]);
      expect(decodeURIComponent(page.url())).toContain('webhook=true');
      await page.reload();
      await rows().filter({ hasText: 'service "nowhere" not found' }).waitFor();
      await page.getByRole('button', { name: 'All clients' }).click();
      await expect.poll(() => page.url()).not.toContain('webhook');
    } finally {
      await hooks.close();
    }
  });

  it('why a pod is not on a node is three clicks away, and stays so after the engine was lost', async () => {
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page
      .locator('.tl-label button', { hasText: /web-\w+-\w+/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'Decision' }).click();
    const matrix = page.getByRole('region', { name: 'Nodes by plugins' });
    await matrix.getByRole('button', { name: 'node-2' }).click();
    const asked = page.locator('.asked');
    await expect.poll(() => asked.textContent()).toBe('NodeUnschedulable turned node-2 away: node(s) were unschedulable.');
    await page
      .getByRole('textbox', { name: 'Why not on this node?' })
      .or(page.getByRole('combobox', { name: 'Why not on this node?' }))
      .fill('node-77');
    await page.keyboard.press('Enter');
    await expect.poll(() => asked.textContent()).toBe('There is no node node-77.');
    await engine.restart();
    await page.locator('.status-dot').waitFor();
    await matrix.getByRole('button', { name: 'node-2' }).click();
    await expect.poll(() => asked.textContent()).toContain('NodeUnschedulable turned node-2 away');
  });
});
