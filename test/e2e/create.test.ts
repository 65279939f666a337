/** Objects are made from the page, against the real engine: from samples, files and what is written; tried first, told one by one. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samples } from '../../renderer/views/create/samples.ts';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { ask, type RealEngine, startEngine } from './real-engine.ts';

/** Until the editor has made room for it, what stands below the editor moves. */
async function openFile(page: Page, name: string, text: string): Promise<void> {
  await dropFile(page, name, text);
  await page.locator('.cm-line', { hasText: name }).first().waitFor();
}

async function dropFile(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([file, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content ?? ''], file ?? ''));
      for (const type of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    },
    [name, text],
  );
}

describe.skipIf(!available)('making objects', () => {
  let browser: Browser;
  let engine: RealEngine;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('create-test', ['--nodes', '2', '--speed', 'paused'])]);
  });
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  it('every sample is taken by the API server as it stands, after a dry run that makes nothing, and told object by object', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await page.locator('.status-dot').waitFor();
    await page.keyboard.press('c');
    for (const { kind } of samples) await page.getByLabel('Begin with').selectOption(kind);
    await page.getByRole('button', { name: 'Try it (dry run)' }).click();
    const told = page.locator('.outcomes li');
    const count = samples.reduce((sum, { text }) => sum + text.split('\n---\n').length, 0);
    await expect.poll(() => told.count()).toBe(count);
    await expect
      .poll(async () => (await told.locator('strong + span').allTextContents()).toSorted())
      .toEqual([...Array<string>(count - 1).fill('would be created'), 'not tried'].toSorted());
    expect(await told.first().textContent()).toContain('Namespace team-a');
    const { items } = await ask<{ items: readonly unknown[] }>(page, '/apis/apps/v1/deployments');
    expect(items).toEqual([]);
    expect(await axeFaults(page, '.view')).toEqual([]);
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect.poll(() => told.locator('strong + span', { hasText: /^created$/ }).count()).toBe(count);
    await page.getByRole('button', { name: 'Open Deployment default/web' }).click();
    await page.getByRole('complementary', { name: 'Inspector' }).getByText('web', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Try it (dry run)' }).click();
    await expect.poll(() => told.locator('strong + span', { hasText: 'as it is' }).count()).toBe(count);
    expect(problems).toEqual([]);
    await page.close();
  }, 240_000);

  it('a dropped file is opened; bad YAML says its line, a refusal stands at its object and the others are made', async () => {
    const { page } = await openPage(browser, engine.link());
    await page.locator('.status-dot').waitFor();
    await openFile(page, 'bad.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a\n');
    await page.getByRole('button', { name: 'Try it (dry run)' }).click();
    await page
      .locator('.create-told')
      .getByText(/^Line [345]: This is no YAML/)
      .waitFor();
    await dropFile(page, 'bad.bin', 'a\0b');
    await page.getByText('bad.bin is no text.').waitFor();
    const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: default\n`;
    await openFile(page, 'maps.yaml', `${map('Not_A_Name')}---\n${map('fine')}---\napiVersion: example.com/v1\nkind: Nothing\nmetadata: {name: x}\n`);
    await page.getByRole('button', { name: 'Try it (dry run)' }).click();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('The API server has no kind Nothing in example.com/v1.').waitFor();
    await page.locator('.outcomes li', { hasText: 'Not_A_Name' }).getByText('a lowercase RFC 1123').waitFor();
    await page.locator('.outcomes li', { hasText: 'fine' }).getByText('created', { exact: true }).waitFor();
    expect((await ask<{ metadata: { name: string } }>(page, '/api/v1/namespaces/default/configmaps/fine')).metadata.name).toBe('fine');
    await page.close();
  }, 240_000);

  it('a kind and an object of it are made from one text, and the object opens; a namespace that there is not is told at its object', async () => {
    const { page } = await openPage(browser, engine.link());
    await page.locator('.status-dot').waitFor();
    const schema = { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer', maximum: 5 } } } } };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
    const names = { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' };
    const spec = { group: 'sea.example', scope: 'Namespaced', names, versions };
    const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'boats.sea.example' }, spec };
    const boat = (name: string, size: number, namespace = 'default') =>
      `apiVersion: sea.example/v1\nkind: Boat\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\nspec:\n  size: ${size}\n`;
    const text = `${boat('small', 1)}---\n${boat('big', 9)}---\n${boat('lost', 1, 'nowhere')}---\n${JSON.stringify(crd)}\n`;
    await openFile(page, 'boats.yaml', text);
    await page.getByRole('button', { name: 'Try it (dry run)' }).click();
    await page.locator('.outcomes li', { hasText: 'small' }).getByText('It needs CustomResourceDefinition boats.sea.example').waitFor();
    await ask(page, '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster', { spec: { speed: '10' } }, 'PATCH');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.locator('.outcomes li', { hasText: 'lost' }).getByText('namespaces "nowhere" not found').waitFor();
    await page.locator('.outcomes li', { hasText: 'big' }).getByText('should be less than or equal to 5').waitFor();
    await page.getByRole('button', { name: /^Line 16: spec.size: Invalid value/ }).waitFor();
    await page.getByRole('button', { name: 'Open Boat default/small' }).click();
    await page.getByRole('complementary', { name: 'Inspector' }).getByText('small', { exact: true }).first().waitFor();
    await page.close();
  }, 240_000);

  it('what is written is lost neither to a file nor to another view, and nothing is applied that was not tried as it stands', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await page.locator('.status-dot').waitFor();
    const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: default\n`;
    const shown = async () => (await page.locator('.cm-content').innerText()).replaceAll('\n\n', '\n');
    const [tryIt, apply] = ['Try it (dry run)', 'Apply'].map((name) => page.getByRole('button', { name, exact: true }));
    if (!tryIt || !apply) throw new Error('no buttons');
    // A file makes room for the next; what somebody wrote stays, and the file stands behind it.
    await openFile(page, 'one.yaml', map('from-one'));
    await openFile(page, 'two.yaml', map('from-two'));
    await page.locator('.cm-content').getByText('from-two').waitFor();
    expect(await shown()).not.toContain('from-one');
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('data: {a: b}\n');
    await openFile(page, 'three.yaml', map('from-three'));
    await page.locator('.cm-content').getByText('from-three').waitFor();
    expect(await shown()).toContain('data: {a: b}');
    expect(await apply.getAttribute('title')).toContain('Try it first');
    await tryIt.click();
    await page.locator('.outcomes li', { hasText: 'from-three' }).getByText('would be created').waitFor();
    // Tried in one way, and to be applied in another.
    await page.getByRole('checkbox', { name: /--force-conflicts/ }).check();
    expect(await apply.isDisabled()).toBe(true);
    expect(await page.locator('.outcomes').count()).toBe(0);
    await tryIt.click();
    await page.locator('.outcomes li', { hasText: 'from-three' }).waitFor();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/configmaps\/from-three\?/, async (route) => {
      await held;
      await route.continue();
    });
    await apply.click();
    await page.getByText('This is what came of it.').waitFor();
    await page.getByRole('link', { name: 'Faults' }).click();
    await page.getByRole('link', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Asking the API server…' }).waitFor();
    release();
    await page.locator('.outcomes li', { hasText: 'from-three' }).getByText('created', { exact: true }).waitFor();
    await page.locator('.outcomes li', { hasText: 'from-two' }).getByText('created', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect(await shown()).toContain('from-three');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Throw away what is written' }).click();
    await expect.poll(shown).not.toContain('from-three');
    expect(problems).toEqual([]);
    await page.close();
  }, 240_000);

  it('what is not kept over a reload says so, and the browser asks before it goes', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await page.locator('.status-dot').waitFor();
    await page.keyboard.press('c');
    const content = page.locator('.cm-content');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    const writes = async (text: string): Promise<void> => {
      await content.focus();
      // Emptied by the editor's own key: what is put over a selection takes styles along, which the page's policy refuses.
      for (const key of ['ControlOrMeta+a', 'Delete']) await page.keyboard.press(key);
      await page.keyboard.insertText(text);
    };
    const lost = page.getByText(/kept over a reload of the page/);
    await writes('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine');
    await page.reload();
    await content.getByText('mine').waitFor();
    expect(asked).toEqual([]);
    expect(await lost.count()).toBe(0);
    await writes('apiVersion: v1\nkind: Secret\nmetadata:\n  name: mine');
    await page.getByText('What is written of a Secret is not kept over a reload of the page.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Try it (dry run)' }).waitFor();
    expect(asked).toEqual(['beforeunload']);
    await dropFile(page, 'long.yaml', `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: long\ndata:\n${'  a: b\n'.repeat(160_000)}`);
    await page.getByText('This is too long to be kept over a reload of the page.').waitFor();
    expect(await axeFaults(page, '.view')).toEqual([]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Throw away what is written' }).click();
    await expect.poll(() => lost.count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  }, 240_000);

  it('a sample that is put behind others comes into sight, and what the API server is to name is created, not applied', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await page.locator('.status-dot').waitFor();
    await page.keyboard.press('c');
    for (const kind of ['StatefulSet', 'Deployment', 'ConfigMap']) await page.getByLabel('Begin with').selectOption(kind);
    await expect.poll(() => page.locator('.cm-line', { hasText: 'colour=blue' }).isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Throw away what is written' }).click();
    await openFile(page, 'made.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  generateName: made-\n  namespace: default\n');
    await page.getByRole('button', { name: 'Try it (dry run)' }).click();
    await page.getByText(/^kubectl create --field-manager=wavetank-page -f - <<'EOF'/).waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.locator('.outcomes li').getByText('created', { exact: true }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  }, 240_000);
});
