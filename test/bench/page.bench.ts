/**
 * The page in a real Chromium: on an engine that runs 5,000 pods, and on a generated history of 150,000. First paint, how long each view and each
 * act takes, frames while it moves, memory, bytes, and what an open page costs the engine. Prints JSON lines. Run: npm run bench -- page [5000 150000]; 0 leaves one of them out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { available, executablePath, launch } from '../e2e/browser.ts';
import { memoryAlone } from './page/alone.ts';
import { generatedEngine, type MeasuredEngine, runningEngine } from './page/engines.ts';
import { countTraffic, installProbe, timeAct, timeFrames, type Traffic } from './page/probe.ts';
import { percentile, print, sleep } from './spawned.ts';

const [runningPods = 5_000, generatedPods = 150_000] = process.argv.slice(2).map(Number);
const marksOfAPod = 7;
/** A machine on which much else runs is slow; that is told by the figures, not by a failure. */
const waitMostMs = 60_000;
const openings = 5;
const shareTurns = 10;
const shareMs = 3_000;
/** Rows below the window are asked for after 0.9 s. */
const restMs = 1_200;
/** Its warm-up gives up after a minute. */
const restMostMs = 70_000;
const calmLookMs = 1_000;
const calmLooks = 3;
const views = ['problems', 'cronjobs', 'cluster', 'objects', 'scenarios', 'faults', 'requests', 'settings', 'timeline'] as const;
const keyOfView = {
  timeline: '1',
  problems: '2',
  cronjobs: '3',
  cluster: '4',
  objects: '5',
  scenarios: '6',
  faults: '7',
  requests: '8',
  settings: '9',
};
const viewport = { width: 1440, height: 900 };
const rowSelector = '.tl-label button:not(.twist)';
const aloneMs = 20_000;

if (!available) process.exit(2);
printBundle();
if (runningPods > 0) await measure(await runningEngine(runningPods));
if (generatedPods > 0) await measure(await generatedEngine(generatedPods, generatedPods * marksOfAPod));

interface OpenPage {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly traffic: () => Traffic;
  close(): Promise<void>;
}

function printBundle(): void {
  const folder = join(import.meta.dirname, '..', '..', 'dist', 'renderer', 'assets');
  const sizes = readdirSync(folder).map((name) => ({ name, zipped: gzipSync(readFileSync(join(folder, name))).length / 1000 }));
  const sum = (pattern: RegExp): number => Math.round(sizes.reduce((all, { name, zipped }) => all + (pattern.test(name) ? zipped : 0), 0));
  print('page/bundle', { zippedKb: sum(/./), firstZippedKb: sum(/^(index|preload-helper|request|watch-worker)-/) });
}

async function measure(engine: MeasuredEngine): Promise<void> {
  const browser = await launch();
  const say = (what: string, values: object): void => print(`page/${what}`, { pods: engine.pods, ...values, load: Math.round(loadavg()[0] ?? 0) });
  try {
    await measureOpening(browser, engine, 'opening', say);
    await engine.drive('still');
    await rested(engine);
    const open = await openPage(browser, engine);
    await measureViews(open, say);
    await measureActs(open, say);
    await engine.drive('max');
    await measureFrames(open, say);
    await engine.drive('real');
    const scriptMb = await scriptMbOf(open);
    await open.close();
    const processMb = await memoryAlone(executablePath ?? '', await engine.link(), aloneMs);
    say('memory', { scriptMb, processMb, engineMb: engine.memoryMb() });
    await engine.drive('max');
    await measureOpening(browser, engine, 'opening-while-it-runs', say);
    await measureShare(browser, engine, say);
  } finally {
    await browser.close();
    await engine.stop();
  }
}

/** A process that has started makes itself warm for half a minute of its thread's time, which is no part of an act. */
async function rested(engine: MeasuredEngine): Promise<void> {
  const endMs = performance.now() + restMostMs;
  for (let calm = 0; calm < calmLooks && performance.now() < endMs; ) {
    const beforeMs = engine.threadMs();
    await sleep(calmLookMs);
    calm = engine.threadMs() - beforeMs < calmLookMs / 20 ? calm + 1 : 0;
  }
}

type Say = (what: string, values: object) => void;

async function openPage(browser: Browser, engine: MeasuredEngine): Promise<OpenPage> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  page.setDefaultTimeout(waitMostMs);
  await page.addInitScript(installProbe);
  const cdp = await context.newCDPSession(page);
  const traffic = await countTraffic(cdp);
  await page.goto(await engine.link(), { waitUntil: 'commit' });
  await page.locator(rowSelector).first().waitFor();
  return { page, cdp, traffic, close: () => context.close() };
}

async function measureOpening(browser: Browser, engine: MeasuredEngine, what: string, say: Say): Promise<void> {
  const [paints, rows, costs]: [number[], number[], number[]] = [[], [], []];
  let last: Traffic | undefined;
  for (let turn = 0; turn < openings; turn++) {
    const beforeMs = engine.threadMs();
    const open = await openPage(browser, engine);
    const [paintMs, rowsMs] = await open.page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return [performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0, performance.now()] as const;
    });
    paints.push(paintMs);
    rows.push(rowsMs);
    await sleep(500);
    costs.push(engine.threadMs() - beforeMs);
    last = open.traffic();
    await open.close();
  }
  const both = (times: readonly number[]): readonly number[] => [percentile(times, 0.5), percentile(times, 1)];
  say(what, { firstPaintMs: both(paints), rowsMs: both(rows), engineThreadMs: both(costs), ...last });
}

/** The first is gone to at once, as soon as rows are seen; for the others the page is left to rest, or what it still asks for would count with them. */
async function measureViews({ page, traffic }: OpenPage, say: Say): Promise<void> {
  traffic();
  for (const [turn, view] of views.entries()) {
    if (turn > 0) await sleep(restMs);
    say(`view-${view}`, { ...(await timeAct(page, () => page.keyboard.press(keyOfView[view]))), ...traffic() });
  }
}

async function measureActs({ page, traffic }: OpenPage, say: Say): Promise<void> {
  const order = page.locator('.timeline-head select').nth(1);
  const rows = page.locator('.timeline-head select').nth(0);
  const search = page.locator('.timeline-head input[type=search]');
  const acts: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['select-a-row', () => page.locator(rowSelector).nth(3).click()],
    ['inspector-yaml', () => page.locator('.inspector').getByRole('tab', { name: 'YAML' }).click()],
    ['close-inspector', () => page.keyboard.press('Escape')],
    ...['trouble', 'time', 'size', 'node', 'owner'].map((one) => [`order-by-${one}`, () => order.selectOption(one)] as const),
    ...['changed', 'trouble', ''].map((one) => [`rows-${one || 'all'}`, () => selectNamed(rows, one)] as const),
    ['search-a-letter', () => search.pressSequentially('w')],
    ['search-a-name', () => search.fill('web-14')],
    ['search-nothing', () => search.fill('')],
    // Keys are for the timeline, and no more of the name.
    ['zoom-in', () => search.blur().then(() => page.keyboard.press('w'))],
    ['pan', () => page.keyboard.press('a')],
    ['compare', () => page.locator('.timeline-head button', { hasText: 'Compare' }).click()],
    ['compare-no-more', () => page.locator('.timeline-head button', { hasText: 'Compare' }).click()],
    ['follow', () => page.locator('.timeline-head button', { hasText: 'Follow' }).click()],
  ];
  await page.locator(rowSelector).first().waitFor();
  traffic();
  for (const [name, act] of acts) {
    await sleep(restMs);
    traffic();
    try {
      say(`act-${name}`, { ...(await timeAct(page, act)), ...traffic() });
    } catch (error) {
      say(`act-${name}`, { failed: String(error).slice(0, 200) });
    }
  }
}

async function selectNamed(select: ReturnType<Page['locator']>, value: string): Promise<void> {
  const values = await select.locator('option').evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  await select.selectOption(values.find((one) => (value === '' ? one === '' : one.startsWith(value.slice(0, 4)))) ?? '');
}

async function measureFrames({ page, traffic }: OpenPage, say: Say): Promise<void> {
  const repeated = async (times: number, act: (turn: number) => Promise<unknown>): Promise<void> => {
    for (let turn = 0; turn < times; turn++) await act(turn);
  };
  await page.mouse.move(viewport.width / 2, viewport.height / 2);
  traffic();
  say('frames-following', { ...(await timeFrames(page, () => sleep(5_000))), ...traffic() });
  say('frames-zooming', { ...(await timeFrames(page, () => repeated(80, (turn) => page.mouse.wheel(0, turn % 40 < 20 ? -60 : 60)))), ...traffic() });
  say('frames-panning', { ...(await timeFrames(page, () => repeated(80, (turn) => page.mouse.wheel(turn % 40 < 20 ? -60 : 60, 0)))), ...traffic() });
  await page.keyboard.down('Shift');
  say('frames-scrolling-rows', { ...(await timeFrames(page, () => repeated(80, () => page.mouse.wheel(0, 200)))), ...traffic() });
  await page.keyboard.up('Shift');
  await page.keyboard.press(keyOfView.cluster);
  await sleep(1_500);
  say('frames-cluster-following', { ...(await timeFrames(page, () => sleep(4_000))), ...traffic() });
  await page.keyboard.press(keyOfView.timeline);
  await page.locator(rowSelector).first().waitFor();
}

/** Of the page's own script, after what is unused was collected; what its worker holds is not in it. */
async function scriptMbOf({ cdp }: OpenPage): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('Performance.enable');
  const { metrics } = await cdp.send('Performance.getMetrics');
  return Math.round((metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1e6);
}

/**
 * What the engine does for each second of its thread, without the page and with it, in turns; of one that is paced, how much more of its thread it needs.
 * Each turn with it is compared with those before and after it, so that what the engine's day does to both counts for nothing.
 */
async function measureShare(browser: Browser, engine: MeasuredEngine, say: Say): Promise<void> {
  const look = async (): Promise<Rate> => {
    const [wallMs, threadMs, done] = [performance.now(), engine.threadMs(), await engine.done()];
    await sleep(shareMs);
    const [usedMs, did] = [engine.threadMs() - threadMs, (await engine.done()) - done];
    return { did: did / usedMs, percent: (100 * usedMs) / (performance.now() - wallMs) };
  };
  const withPage = async (): Promise<Rate> => {
    const open = await openPage(browser, engine);
    await sleep(1_000);
    const rate = await look();
    await open.close();
    return rate;
  };
  const pairs: (readonly [without: Rate, with_: Rate])[] = [];
  let before = await look();
  for (let turn = 0; turn < shareTurns; turn++) {
    const with_ = await withPage();
    const after = await look();
    pairs.push([{ did: mean([before.did, after.did]), percent: mean([before.percent, after.percent]) }, with_]);
    before = after;
  }
  await engine.drive('real');
  const costs = pairs.map(([without, with_]) => (engine.isPaced ? with_.percent - without.percent : 100 * (1 - with_.did / without.did)));
  const cost = mean(costs);
  const deviation = Math.sqrt(costs.reduce((sum, one) => sum + (one - cost) ** 2, 0) / (costs.length - 1));
  const both = (read: (rate: Rate) => number, digits: number): readonly number[] =>
    [0, 1].map((side) => Number(mean(pairs.map((pair) => read(pair[side] as Rate))).toFixed(digits)));
  const [without, with_] = both(({ did }) => did, 2);
  const [threadPercentWithout, threadPercentWith] = both(({ percent }) => percent, 0);
  say('share', {
    unit: `${engine.unit} a thread ms`,
    ...{ without, with: with_, costsPercent: Number(cost.toFixed(1)), standardError: Number((deviation / Math.sqrt(costs.length)).toFixed(1)) },
    ...{ turns: costs.map(Math.round), threadPercentWithout, threadPercentWith },
  });
}

interface Rate {
  readonly did: number;
  /** Of one processor. */
  readonly percent: number;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
