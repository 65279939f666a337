/**
 * How each view looks, in both themes, against the real engine: pictures made so small that letters are greys, so that another font's edges
 * change nothing and a part that moved, went or lost its colour does. `WAVETANK_SNAPSHOTS=write` renews those beside this file; where a view
 * looks otherwise the whole picture is kept in the system's folder for temporary files.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine, startMs } from './real-engine.ts';

const folder = fileURLToPath(new URL('snapshots/', import.meta.url));
const isWriting = process.env['WAVETANK_SNAPSHOTS'] === 'write';
/** Of the small picture, each of whose points is 16 by 16 of the page's. */
const [columns, rows] = [80, 50] as const;
/** Of 255: what another font's letters change of the mean of a point. */
const toneMax = 28;
const shareMax = 0.02;

/** Requests are missing: they tell wall time. */
const views = ['timeline', 'problems', 'cronjobs', 'cluster', 'objects', 'scenarios', 'faults', 'settings', 'create'] as const;

describe.skipIf(!available)('the look of', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let eye: Page;
  beforeAll(async () => {
    const options = ['--nodes', '3', '--seed', '5', '--speed', 'paused', '--start-time', '2026-11-23T08:00:00Z'];
    [browser, engine] = await Promise.all([launch(), startEngine('snapshots', options)]);
    ({ page } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor();
    eye = await browser.newPage();
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    await ask(page, deployments, deployment('web', 3));
    await ask(page, deployments, deployment('broken', 2, { image: 'registry.example/none:1', imagePullPolicy: 'Never' }));
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sleep', '30'] }] } };
    await ask(page, '/apis/batch/v1/namespaces/default/cronjobs', {
      metadata: { name: 'tick' },
      spec: { schedule: '*/2 * * * *', jobTemplate: { spec: { template } } },
    });
    await advance(page, '8m30s');
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  it.each(views.flatMap((view) => (['light', 'dark'] as const).map((theme) => [view, theme] as const)))('%s, %s', async (view, theme) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.evaluate((place) => void (location.hash = place), `#/${view}`);
    await page.locator('.view-head h1').waitFor();
    const file = join(folder, `${view}-${theme}.png`);
    // What is read again a moment later, and what moved in between, comes to rest.
    let difference = 1;
    const differs = async (): Promise<number> => (difference = await differenceOf(page, eye, isWriting ? undefined : file));
    if (isWriting) await expect.poll(differs, { interval: 1_000, timeout: 30_000 }).toBe(0);
    else
      await expect
        .poll(differs, { timeout: 15_000 })
        .toBeLessThanOrEqual(shareMax)
        .catch(() => undefined);
    if (isWriting) writeFileSync(file, Buffer.from(await smallOf(page, eye), 'base64'));
    const kept = join(tmpdir(), `wavetank-look-${view}-${theme}.png`);
    if (difference > shareMax) await page.screenshot({ path: kept });
    expect(difference, `${(difference * 100).toFixed(1)} % of it looks otherwise: see ${kept}`).toBeLessThanOrEqual(shareMax);
  });
});

let before = '';

/** The share of points that differ from the kept picture's; without one from those of the last look. */
async function differenceOf(page: Page, eye: Page, file: string | undefined): Promise<number> {
  const small = await smallOf(page, eye);
  const other = file === undefined ? before : existsSync(file) ? readFileSync(file, 'base64') : '';
  before = small;
  return other === '' ? 1 : await eye.evaluate(compare, { a: small, b: other, columns, rows, toneMax });
}

/** Figures of the machine are covered: requests a second. */
async function smallOf(page: Page, eye: Page): Promise<string> {
  const mask = [page.locator('.overview .figure', { hasText: 'req/s' })];
  const picture = (await page.screenshot({ mask, maskColor: '#808080', animations: 'disabled' })).toString('base64');
  return eye.evaluate(shrink, { picture, columns, rows });
}

async function shrink({ picture, columns: width, rows: height }: { picture: string; columns: number; rows: number }): Promise<string> {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length);
}

interface Pair {
  readonly a: string;
  readonly b: string;
  readonly columns: number;
  readonly rows: number;
  readonly toneMax: number;
}

async function compare({ a, b, columns: width, rows: height, toneMax: most }: Pair): Promise<number> {
  const read = async (picture: string): Promise<Uint8ClampedArray> => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  };
  const [one, other] = await Promise.all([read(a), read(b)]);
  let differing = 0;
  for (let at = 0; at < one.length; at += 4) {
    const tones = [0, 1, 2].map((part) => Math.abs((one[at + part] ?? 0) - (other[at + part] ?? 0)));
    if (Math.max(...tones) > most) differing++;
  }
  return differing / (width * height);
}
