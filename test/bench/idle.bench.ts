/**
 * What an idle cluster of three nodes costs: 24 virtual hours at full speed, and resident memory before and after. With a number,
 * so many wall minutes at speed 1 too, with the processor time of each. Run: npm run bench -- idle [minutes]
 */
import { print, sleep, spawnCluster } from './spawned.ts';

const minutes = Number(process.argv[2] ?? 0);
const dayMs = 86_400_000;
const clock = '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster';

interface Clock {
  readonly status: { readonly virtualTime: string };
}

if (minutes > 0) {
  const cluster = await spawnCluster([]);
  print('idle/start', { cpuMs: cluster.cpuMs(), ...cluster.memory() });
  for (let minute = 1; minute <= minutes; minute++) {
    const before = cluster.cpuMs();
    await sleep(60_000);
    print('idle/speed-1', { minute, cpuMs: cluster.cpuMs() - before, ...cluster.memory() });
  }
  await cluster.stop();
}

const cluster = await spawnCluster(['--speed', 'max']);
const startedMs = performance.now();
const begin = Date.parse((await cluster.call<Clock>('GET', clock)).status.virtualTime);
for (;;) {
  const now = Date.parse((await cluster.call<Clock>('GET', clock)).status.virtualTime);
  if (now - begin >= dayMs) break;
  await sleep(10);
}
print('idle/day-at-max', { wallMs: Math.round(performance.now() - startedMs), ...cluster.memory() });
await cluster.stop();
