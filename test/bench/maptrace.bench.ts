import { writeFileSync } from 'node:fs';
import { launch } from '../e2e/browser.ts';
import { generatedEngine } from './page/engines.ts';
import { installProbe, timeAct } from './page/probe.ts';
import { sleep } from './spawned.ts';
const engine = await generatedEngine(150_000, 1_050_000);
const browser = await launch();
await engine.drive('still');
for (let k = 0; k < 3; k++) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(installProbe);
  const cdp = await context.newCDPSession(page);
  await page.goto(await engine.link(), { waitUntil: 'commit' });
  await page.locator('.tl-label button:not(.twist)').first().waitFor();
  await sleep(20_000 - 7000 * k);
  await cdp.send('Profiler.enable');
  await cdp.send('Profiler.setSamplingInterval', { interval: 200 });
  const before = engine.threadMs();
  await cdp.send('Profiler.start');
  const acted = await timeAct(page, () => page.keyboard.press('4'));
  const { profile } = await cdp.send('Profiler.stop');
  console.log(acted, engine.threadMs() - before);
  writeFileSync(`/tmp/me/prof/page${k}.cpuprofile`, JSON.stringify(profile));
  console.log(
    await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('clustermaps'))
        .map((e: any) => [e.startTime, e.requestStart, e.responseStart, e.responseEnd, e.transferSize]),
    ),
  );
  await context.close();
}
await browser.close();
await engine.stop();
process.exit(0);
