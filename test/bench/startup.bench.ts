/** From the start of the process to its line and to the first answered request, cold and warm. Run: npm run bench -- startup */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { print, spawnCluster } from './spawned.ts';

const warmStarts = 5;

/** The first start makes keys here, the others find them. */
const folder = mkdtempSync(join(tmpdir(), 'wavetank-startup-'));
for (let start = 0; start <= warmStarts; start++) {
  const startedMs = performance.now();
  const cluster = await spawnCluster([], folder, { keepHome: true });
  await cluster.call('GET', '/readyz');
  const answeredMs = performance.now() - startedMs;
  print(start === 0 ? 'startup/first' : 'startup/again', {
    lineMs: Math.round(cluster.startMs),
    answeredMs: Math.round(answeredMs),
    ...cluster.memory(),
  });
  await cluster.stop();
}
rmSync(folder, { recursive: true, force: true });
