import { describe, expect, test } from 'vitest';
import { loopbackInformerBench } from '../../test/support/transports.ts';
import { configMaps } from './resources.ts';
import { informerContract } from './testing/informer.contract.ts';

describe('informers in process', () => informerContract(loopbackInformerBench));

test('a lag delays what is told and is a cause of what follows', async () => {
  const lag = { ms: 0 };
  const { informers, start, create, until, nowMs } = await loopbackInformerBench({
    lagMs: () => lag.ms,
    causes: () => (lag.ms > 0 ? ['rev:99'] : []),
  });
  const informer = informers.informer(configMaps);
  const told: string[] = [];
  informer.addHandler(
    ({ object, causes }) => void (object.data?.['v'] === '1' && told.push(`${object.metadata.name} ${causes.length} ${causes.at(-1)}`)),
  );
  await start();
  lag.ms = 5_000;
  const startMs = nowMs();
  create('late', { v: '1' });
  await until(() => told.length > 0);
  expect(told).toEqual(['late 2 rev:99']);
  expect(nowMs() - startMs).toBeGreaterThan(5_000);
});
