/**
 * Takes pictures of every view of the page in situations in which much goes on, for people to look at: real engines, real Chromium, both
 * themes, both widths. docs/page-review.md says what was seen.
 *   --out DIR        where pictures go (look/ of the system's folder for temporary files without it)
 *   --only PATTERN   scenes whose `world/name` matches
 *   --shots LIST     which pictures of each, light@1280x800,dark@1280x800,light@1920x1080,dark@1920x1080 without it
 * What goes wrong in the page (errors of scripts and of the console) and what axe finds is printed; the last line counts pictures and findings.
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { scriptOptions } from '../../build/script-options.ts';
import { available, launch, openPage } from './browser.ts';
import { type Scene, scenes } from './look/scenes.ts';
import { offerScenario, type WorldName, worlds } from './look/worlds.ts';
import { ask, type RealEngine, startEngine, startMs } from './real-engine.ts';
import { kubeApi } from './tasks/kube-api.ts';

const { values } = scriptOptions(import.meta.filename, {
  options: {
    out: { type: 'string', default: join(tmpdir(), 'look') },
    only: { type: 'string', default: '' },
    shots: { type: 'string', default: 'light@1280x800,dark@1280x800,light@1920x1080,dark@1920x1080' },
  },
});
const sim = '/apis/sim.wavetank.dev/v1alpha1';
/** What the page asks again is there by then, and curves and pictures are drawn. */
const settleMs = 1200;
/** A machine on which much else runs is slow. */
const actMs = 30_000;
const pattern = new RegExp(values.only);
const shots = values.shots.split(',').map((shot) => {
  const [, theme, width, height] = /^(light|dark)@(\d+)x(\d+)$/.exec(shot) ?? [];
  if (theme === undefined) throw new Error(`“${shot}” is no picture such as dark@1920x1080`);
  return { theme: theme as 'light' | 'dark', width: Number(width), height: Number(height) };
});
const findings: string[] = [];
let pictures = 0;

if (!available) process.exit(2);
const browser = await launch();
for (const name of Object.keys(worlds) as WorldName[]) {
  const shown = scenes.filter((scene) => scene.world === name && pattern.test(`${name}/${scene.name}`));
  if (shown.length > 0) await lookInto(name, shown);
}
await browser.close();
for (const finding of findings) console.log(finding);
console.log(`pictures=${pictures} findings=${findings.length} in ${values.out}`);

async function lookInto(name: WorldName, shown: readonly Scene[]): Promise<void> {
  const { options, play } = worlds[name];
  const engine = await startEngine(`look-${name}`, options);
  try {
    const { page, problems } = await openPage(browser, engine.link());
    page.setDefaultTimeout(actMs);
    await page.locator('.status-dot').waitFor({ timeout: startMs });
    const { access } = await ask<{ access: { kubeconfig: string } }>(page, `${sim}/settings/cluster`);
    const api = kubeApi(access.kubeconfig);
    await play(api);
    await offerScenario(api);
    api.close();
    for (const scene of shown.filter(({ isLost }) => isLost !== true)) await picture(page, problems, scene);
    await loseEngine(
      engine,
      page,
      problems,
      shown.filter(({ isLost }) => isLost === true),
    );
    await page.context().close();
  } finally {
    await engine.close();
  }
}

/** Each scene is opened while the engine lives, and looked at when it has gone. */
async function loseEngine(engine: RealEngine, page: Page, problems: string[], lost: readonly Scene[]): Promise<void> {
  for (const [index, scene] of lost.entries()) {
    if (index === 0) {
      await goTo(page, scene);
      await engine.kill();
      await page.locator('.engine-banner').waitFor();
    } else {
      await page.evaluate((place) => void (location.hash = place), scene.place);
    }
    await shoot(page, scene);
    problems.length = 0;
  }
}

async function goTo(page: Page, { place }: Scene): Promise<void> {
  const { status } = await ask<{ status: { virtualMs: number } }>(page, `${sim}/clocks/cluster`);
  const at = place.replaceAll(/\{now(?:([-+]\d+))?\}/g, (_, seconds?: string) => String(Math.floor(status.virtualMs) + Number(seconds ?? 0) * 1000));
  const home = page.url().split('#')[0] ?? '';
  await page.goto('about:blank');
  await page.goto(`${home}#${at}`);
  await page.locator('.overview .figure').first().waitFor();
}

/** What a scene does not get done is told, and looked at as far as it came. */
async function picture(page: Page, problems: string[], scene: Scene): Promise<void> {
  const tell = (error: unknown): void => void findings.push(`${scene.world}/${scene.name}: ${String(error).split('\n')[0]}`);
  try {
    await page.setViewportSize({ width: 1280, height: 800 });
    await goTo(page, scene);
    await scene.act?.(page);
  } catch (error) {
    tell(error);
  }
  await shoot(page, scene).catch(tell);
  for (const problem of problems.splice(0)) tell(problem);
}

async function shoot(page: Page, { world, name }: Scene): Promise<void> {
  mkdirSync(join(values.out, world), { recursive: true });
  for (const { theme, width, height } of shots) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(settleMs);
    await page.screenshot({ path: join(values.out, world, `${name}-${width}-${theme}.png`) });
    pictures++;
  }
  const { violations } = await new AxeBuilder({ page }).analyze();
  for (const { id, nodes } of violations) findings.push(`${world}/${name}: axe ${id}: ${nodes[0]?.html.slice(0, 120) ?? ''}`);
  console.log(`${world}/${name}`);
}
