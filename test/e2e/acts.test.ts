/** What can be done from the page, against the real engine: it happens, is shown as a kubectl line, and a refusal is told in the server's words. */
import { execFileSync } from 'node:child_process';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { ask, deployment, type RealEngine, startEngine } from './real-engine.ts';

const clock = '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

interface Web {
  readonly spec: {
    readonly replicas: number;
    readonly paused?: boolean;
    readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
}

/** One on each of two nodes. */
const spread = {
  replicas: 2,
  selector: { matchLabels: { app: 'spread' } },
  template: {
    metadata: { labels: { app: 'spread' } },
    spec: {
      containers: [{ name: 'c', image: 'nginx' }],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'spread' } } },
          ],
        },
      },
    },
  },
};

async function runOn(page: Page): Promise<void> {
  await ask(page, clock, { spec: { advance: '30s' } }, 'PATCH');
  await expect.poll(async () => (await ask<{ status: { runningUntil?: string } }>(page, clock)).status.runningUntil).toBeUndefined();
}

describe.skipIf(!available)('acts from the page', () => {
  let browser: Browser;
  let engine: RealEngine;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('acts', ['--nodes', '2', '--speed', 'paused'])]);
  });
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  it('scales, pauses, rolls back, drains against a budget, and deletes several, by buttons and keys', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx:1.26' }] } };
    await ask(page, deployments, { metadata: { name: 'web' }, spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template } });
    await ask(page, '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      metadata: { name: 'keep' },
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } },
    });
    await runOn(page);
    await ask(page, `${deployments}/web`, { spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx:bad' }] } } } }, 'PATCH');
    await runOn(page);
    const web = () => ask<Web>(page, `${deployments}/web`);
    const address = page.url().split('#')[0] ?? '';
    await page.goto(`${address}#/objects?object=deployments.apps/default/web`);
    const acts = page.getByRole('region', { name: 'Acts' });
    await acts.getByRole('button', { name: 'Scale' }).waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('Enter');
    await acts.getByLabel('Replicas').fill('four');
    await acts.getByText('Write a number').waitFor();
    await acts.getByLabel('Replicas').fill('4');
    await acts.getByText('kubectl scale deployment.apps/web -n default --replicas=4').waitFor();
    await page.keyboard.press('Enter');
    await acts.getByText('Done.').waitFor();
    expect((await web()).spec.replicas).toBe(4);
    await acts.getByRole('button', { name: 'Pause rollout' }).click();
    await expect.poll(async () => (await web()).spec.paused).toBe(true);
    await acts.getByRole('button', { name: 'Resume rollout' }).waitFor();
    await acts.getByRole('button', { name: 'Roll back' }).click();
    await acts.getByRole('form', { name: 'Roll back' }).getByRole('button', { name: 'Roll back' }).click();
    await acts.getByText('resume it first').waitFor();
    await acts.getByRole('button', { name: 'Resume rollout' }).click();
    await expect.poll(async () => (await web()).spec.paused).toBeUndefined();
    await acts.getByRole('button', { name: 'Pause rollout' }).waitFor();
    await acts.getByRole('button', { name: 'Roll back' }).click();
    await acts.getByText('replaced by those of revision 1').waitFor();
    await acts.getByRole('form', { name: 'Roll back' }).getByRole('button', { name: 'Roll back' }).click();
    await expect.poll(async () => (await web()).spec.template.spec.containers[0]?.image).toBe('nginx:1.26');
    expect(await axeFaults(page, '.inspector')).toEqual([]);
    await runOn(page);
    for (const [kind, plural, extra] of [
      ['StatefulSet', 'statefulsets', { serviceName: 'none' }],
      ['DaemonSet', 'daemonsets', {}],
    ] as const) {
      const path = `/apis/apps/v1/namespaces/default/${plural}`;
      const metadata = { labels: { app: plural } };
      const containers = (image: string) => ({ containers: [{ name: 'c', image }] });
      const spec = { selector: { matchLabels: { app: plural } }, template: { metadata, spec: containers('nginx:1.26') }, ...extra };
      await ask(page, path, { metadata: { name: 'old' }, spec });
      await runOn(page);
      await ask(page, `${path}/old`, { spec: { template: { spec: containers('nginx:bad') } } }, 'PATCH');
      await runOn(page);
      await page.goto(`${address}#/objects?object=${plural}.apps/default/old`);
      await acts.getByRole('button', { name: 'Roll back' }).click();
      await acts.getByText('c: nginx:bad becomes nginx:1.26.').waitFor();
      expect(await acts.getByText('Also changed').count()).toBe(0);
      await acts.getByText(`kubectl rollout undo ${kind.toLowerCase()}.apps/old -n default`).waitFor();
      await acts.getByRole('form', { name: 'Roll back' }).getByRole('button', { name: 'Roll back' }).click();
      await expect.poll(async () => (await ask<Web>(page, `${path}/old`)).spec.template.spec.containers[0]?.image).toBe('nginx:1.26');
    }
    await page.goto(`${address}#/cluster?object=nodes/node-0`);
    await acts.getByRole('button', { name: 'Drain' }).click();
    await acts.getByText(/default\/keep lets no pod go now: \d pods? of this node/).waitFor();
    await acts.getByRole('form', { name: 'Drain' }).getByRole('button', { name: 'Drain' }).click();
    await acts.getByText("Cannot evict pod as it would violate the pod's disruption budget").waitFor();
    await acts.getByRole('button', { name: 'Uncordon' }).click();
    await page.goto(`${address}#/objects?kind=configmaps`);
    for (const name of ['a', 'b']) await ask(page, '/api/v1/namespaces/default/configmaps', { metadata: { name } });
    await runOn(page);
    for (const name of ['a', 'b']) await page.getByRole('checkbox', { name: `Choose default/${name}` }).check();
    await acts.getByRole('button', { name: 'Delete' }).click();
    await acts.getByText('kubectl delete configmap/a -n default').waitFor();
    await acts.getByRole('form', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click();
    await acts.getByText('Done: 2.').waitFor();
    expect(problems.filter((text) => !/40\d|429/.test(text))).toEqual([]);
    await page.close();
  }, 300_000);

  it('does what its kubectl line does: what is paused is not restarted, notes go back with the template, each press makes a Job of its own', async () => {
    const { page } = await openPage(browser, engine.link());
    const cause = 'kubernetes.io/change-cause';
    interface Noted {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>>; readonly generation: number };
    }
    const noted = (): Promise<Noted> => ask<Noted>(page, `${deployments}/noted`);
    const first = deployment('noted', 1) as { readonly metadata: object };
    await ask(page, deployments, { ...first, metadata: { ...first.metadata, annotations: { [cause]: 'first', mine: 'a' } } });
    await runOn(page);
    const image = { template: { spec: { containers: [{ name: 'c', image: 'nginx:other' }] } } };
    await ask(page, `${deployments}/noted`, { metadata: { annotations: { [cause]: 'second', mine: 'b' } }, spec: image }, 'PATCH');
    await runOn(page);
    await page.goto(`${page.url().split('#')[0] ?? ''}#/objects?object=deployments.apps/default/noted`);
    const acts = page.getByRole('region', { name: 'Acts' });
    await acts.getByRole('button', { name: 'Roll back' }).click();
    await acts.getByRole('form', { name: 'Roll back' }).getByRole('button', { name: 'Roll back' }).click();
    await acts.getByText('Done.').waitFor();
    await runOn(page);
    expect((await noted()).metadata.annotations).toEqual({ [cause]: 'first', mine: 'a', 'deployment.kubernetes.io/revision': '3' });
    await acts.getByRole('button', { name: 'Pause rollout' }).click();
    await acts.getByRole('button', { name: 'Resume rollout' }).waitFor();
    const { generation } = (await noted()).metadata;
    await acts.getByRole('button', { name: 'Restart' }).click();
    await acts.getByText('Refused: A rollout that is paused cannot be restarted: resume it first.').waitFor();
    expect((await noted()).metadata.generation).toBe(generation);
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] } };
    const name = `${'long.'.repeat(9)}er`;
    await ask(page, '/apis/batch/v1/namespaces/default/cronjobs', {
      metadata: { name },
      spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: { template } } },
    });
    await page.goto(`${page.url().split('#')[0] ?? ''}#/objects?object=cronjobs.batch/default/${name}`);
    const made = new Set<string>();
    for (let press = 0; press < 2; press++) {
      await acts.getByRole('button', { name: 'Run now' }).click();
      const job = (await acts.getByText(/^Done\. job\.batch/).textContent())?.split('/')[1] ?? '';
      await acts.getByText(`kubectl create job ${job} --from=cronjob/${name} -n default`).waitFor();
      await ask(page, `/apis/batch/v1/namespaces/default/jobs/${job}`);
      made.add(job);
      await acts.getByRole('button', { name: 'Close' }).click();
    }
    expect(made.size).toBe(2);
    await ask(page, `/apis/batch/v1/namespaces/default/cronjobs/${name}`, undefined, 'DELETE');
    await page.close();
  });

  it('of what nobody answered says that it may have been done', async () => {
    const { page } = await openPage(browser, engine.link());
    await ask(page, deployments, deployment('unanswered', 1));
    await page.route('**/unanswered/scale*', async (route) => await route.abort('connectionreset'));
    await page.goto(`${page.url().split('#')[0] ?? ''}#/objects?object=deployments.apps/default/unanswered`);
    const acts = page.getByRole('region', { name: 'Acts' });
    await acts.getByRole('button', { name: 'Scale' }).click();
    await acts.getByRole('form', { name: 'Scale' }).getByRole('button', { name: 'Scale' }).click();
    await acts
      .getByText(/^Refused|whether this was done is not known/)
      .first()
      .waitFor();
    expect(await acts.innerText()).toContain('whether this was done is not known, and it is not tried again by itself');
    expect(await acts.innerText()).not.toContain('Refused');
    await page.close();
  });

  it('several are scaled to one number, and none is offered that only one of them has', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await page.locator('.status-dot').waitFor();
    for (const [name, replicas] of [
      ['three', 3],
      ['five', 5],
    ] as const)
      await ask(page, deployments, deployment(name, replicas));
    await runOn(page);
    await page.goto(`${page.url().split('#')[0] ?? ''}#/objects?kind=deployments.apps`);
    for (const name of ['three', 'five']) await page.getByRole('checkbox', { name: `Choose default/${name}` }).check();
    const acts = page.getByRole('region', { name: 'Acts' });
    await acts.getByRole('button', { name: 'Scale' }).click();
    const form = acts.getByRole('form', { name: 'Scale' });
    expect(await form.getByLabel('Replicas').inputValue()).toBe('');
    expect(await form.getByRole('button', { name: 'Scale' }).isDisabled()).toBe(true);
    expect(await form.getByText('Write a number').count()).toBe(0);
    await form.getByLabel('Replicas').fill('4');
    await form.getByText('deployment.apps/five -n default --replicas=4').waitFor();
    await page.keyboard.press('Enter');
    await form.getByText('Done: 2.').waitFor();
    for (const name of ['three', 'five']) expect((await ask<Web>(page, `${deployments}/${name}`)).spec.replicas).toBe(4);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('are shown and not offered while an instant of the past is looked at; one click goes to where they are', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await page.locator('.status-dot').waitFor();
    await ask(page, deployments, deployment('past', 2));
    await runOn(page);
    const { status } = await ask<{ status: { virtualMs: number } }>(page, clock);
    const past = `from=${status.virtualMs - 20_000}&to=${status.virtualMs - 5_000}`;
    const address = page.url().split('#')[0] ?? '';
    const changing: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') changing.push(`${request.method()} ${request.url()}`);
    });
    const go = (place: string) => page.goto(`${address}#/${place}`);
    const says = (where: Locator) => where.getByText('lies in the past. Acts change the cluster as it is now.').waitFor();
    const acts = page.getByRole('region', { name: 'Acts' });
    await go(`timeline?object=deployments.apps/default/past&${past}`);
    await says(acts);
    await acts.getByRole('button', { name: 'Scale' }).waitFor();
    for (const button of await acts.getByRole('group').getByRole('button').all()) expect(await button.isDisabled()).toBe(true);
    // Keys offer no more than the pointer: X stands on the way to now.
    await page.keyboard.press('x');
    await expect.poll(() => acts.getByRole('button', { name: 'Back to now' }).evaluate((button) => button === document.activeElement)).toBe(true);
    // Its last change came after that instant.
    await go(`timeline?object=deployments.apps/default/past&tab=why&${past}`);
    await page.getByRole('heading', { name: 'Why it changed last of now' }).waitFor();
    await go(`objects?kind=deployments.apps&${past}`);
    await page.getByRole('checkbox', { name: /default\/past/ }).check();
    await says(acts);
    await go(`faults?${past}`);
    await page.getByRole('button', { name: 'Break something' }).first().click();
    await says(page.getByRole('form'));
    expect(await page.getByRole('button', { name: 'Break it' }).isDisabled()).toBe(true);
    await go(`cluster?object=nodes/node-0&${past}`);
    await says(acts);
    expect(await acts.getByRole('button', { name: 'Cordon' }).isDisabled()).toBe(true);
    expect(await axeFaults(page)).toEqual([]);
    expect(changing).toEqual([]);
    await go(`timeline?object=deployments.apps/default/past&${past}`);
    await acts.getByRole('button', { name: 'Back to now' }).click();
    await acts.getByRole('button', { name: 'Scale' }).click();
    await acts.getByLabel('Replicas').fill('3');
    await acts.getByText('--replicas=3').waitFor();
    await page.keyboard.press('Enter');
    await acts.getByText('Done.').waitFor();
    expect((await ask<Web>(page, `${deployments}/past`)).spec.replicas).toBe(3);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a refusal is told of each of several, another press asks for nothing more, and all are chosen at once', async () => {
    const { page } = await openPage(browser, engine.link());
    await page.locator('.status-dot').waitFor();
    for (const name of ['kept-a', 'kept-b', 'left-c', 'left-d']) await ask(page, '/api/v1/namespaces/default/configmaps', { metadata: { name } });
    await runOn(page);
    await page.goto(`${page.url().split('#')[0] ?? ''}#/objects?kind=configmaps`);
    const acts = page.getByRole('region', { name: 'Acts' });
    const chosen = page.locator('.acts.many strong');
    // What a search leaves out is chosen no more for as long as it is not seen, and nothing is done to it.
    await page.getByRole('checkbox', { name: 'Choose default/kept-a' }).check();
    await page.getByRole('searchbox').fill('left-');
    await page.getByRole('checkbox', { name: 'Choose all 2 that are listed' }).waitFor();
    expect(await acts.count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Choose all 2 that are listed' }).check();
    await expect.poll(() => chosen.textContent()).toBe('2 chosen');
    await acts.getByRole('button', { name: 'Delete' }).click();
    const form = acts.getByRole('form', { name: 'Delete' });
    await form.getByText('2 objects are deleted, and what they own after them.').waitFor();
    // The engine is slow: whoever presses again meanwhile asks once.
    let asked = 0;
    await page.route(/configmaps\/left-/, async (route) => {
      asked++;
      if (route.request().url().includes('left-d'))
        return route.fulfill({
          status: 403,
          json: { kind: 'Status', status: 'Failure', message: 'left-d is not yours', reason: 'Forbidden', code: 403 },
        });
      await new Promise((resolve) => setTimeout(resolve, 600));
      return route.continue();
    });
    await form.getByRole('button', { name: 'Delete' }).click();
    await form.getByText('Asking the API server…').waitFor();
    expect(await form.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    expect(await acts.getByRole('button', { name: 'Delete' }).first().isDisabled()).toBe(true);
    await page.keyboard.press('Enter');
    await form.getByText('Refused: 1 of 2.').waitFor();
    await form.getByText('left-d: left-d is not yours').waitFor();
    expect(asked).toBe(2);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('checkbox', { name: 'Choose default/kept-b' }).waitFor();
    await expect.poll(() => chosen.textContent()).toBe('2 chosen');
    expect(await page.getByRole('checkbox', { name: 'Choose default/kept-a' }).isChecked()).toBe(true);
    // What came of others is not told of these.
    expect(await acts.getByText('Refused: 1 of 2.').count()).toBe(0);
    await page.close();
  });

  it('of several nodes a budget counts the pods of all', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await page.locator('.status-dot').waitFor();
    await ask(page, deployments, { ...deployment('spread', 2), spec: spread });
    await ask(page, '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      metadata: { name: 'one-of-two' },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'spread' } } },
    });
    await runOn(page);
    await page.goto(`${page.url().split('#')[0] ?? ''}#/objects?kind=nodes`);
    const acts = page.getByRole('region', { name: 'Acts' });
    await page.getByRole('checkbox', { name: 'Choose node-0' }).check();
    await acts.getByRole('button', { name: 'Drain' }).click();
    await acts.getByText(/^The node is cordoned and/).waitFor();
    expect(await acts.getByText('default/one-of-two').count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Choose node-1' }).check();
    await acts.getByText(/^2 nodes are cordoned and/).waitFor();
    // Escape takes back what was not done yet, and leaves the keys where they were.
    await acts.getByRole('form', { name: 'Drain' }).getByRole('button', { name: 'Drain' }).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => acts.getByRole('form').count()).toBe(0);
    expect(await acts.getByRole('button', { name: 'Drain' }).evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await acts.getByText('The budget default/one-of-two lets 1 of 2 go now').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a name in which a shell reads more than a name is found, shown and named by the kubectl line as it is', async () => {
    const name = String.raw`it's, $(touch x) & "a=b" \ ` + '`id`!';
    const { page, problems } = await openPage(browser, engine.link());
    await page.locator('.status-dot').waitFor();
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    await ask(page, roles, { metadata: { name }, rules: [] });
    await page.evaluate(() => void (location.hash = '#/objects?kind=clusterroles.rbac.authorization.k8s.io&search=touch'));
    await page.locator('.objects tbody').getByRole('button', { name: "it's" }).click();
    const acts = page.getByRole('region', { name: 'Acts' });
    await acts.getByRole('button', { name: 'Delete' }).click();
    const line = await acts.locator('pre').first().textContent();
    const said = execFileSync('sh', ['-c', `kubectl() { printf '%s\\n' "$@"; }; ${line ?? ''}`], { encoding: 'utf8' });
    expect(said.trimEnd().split('\n')).toEqual(['delete', `clusterrole.rbac.authorization.k8s.io/${name}`]);
    await acts.getByRole('form', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click();
    await expect.poll(async () => JSON.stringify(await ask(page, roles)).includes('touch x')).toBe(false);
    expect(problems).toEqual([]);
    await page.close();
  });
});
