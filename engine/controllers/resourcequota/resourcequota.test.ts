import { describe, expect, it } from 'vitest';
import { configMaps, pods, resourceQuotas, services } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { resourceQuotaController } from './controller.ts';

const inNamespace = (name: string): { readonly namespace: string; readonly name: string } => ({ namespace: 'ns', name });
const podOf = (name: string, memory: string, phase = 'Running'): object => ({
  metadata: inNamespace(name),
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { memory } } }] },
  status: { phase },
});

describe('resourcequota-controller', () => {
  it('counts what is there, without pods that have ended', async () => {
    const bench = new ControllerBench();
    bench.add(resourceQuotas, {
      metadata: inNamespace('q'),
      spec: { hard: { pods: '5', 'requests.memory': '1Gi', configmaps: '2', 'services.nodeports': '4' } },
    });
    bench.add(pods, podOf('a', '100Mi') as never);
    bench.add(pods, podOf('b', '200Mi') as never);
    bench.add(pods, podOf('c', '400Mi', 'Succeeded') as never);
    bench.add(configMaps, { metadata: inNamespace('m') });
    bench.add(services, { metadata: inNamespace('s'), spec: { type: 'NodePort', ports: [{ port: 80 }, { port: 81 }] } });
    await bench.run(resourceQuotaController);
    expect(bench.get(resourceQuotas, 'ns', 'q')?.status?.used).toEqual({
      pods: '2',
      'requests.memory': '300Mi',
      configmaps: '1',
      'services.nodeports': '2',
    });
  });

  it('counts anew when something goes, and writes nothing when nothing changed', async () => {
    const bench = new ControllerBench();
    bench.add(resourceQuotas, { metadata: inNamespace('q'), spec: { hard: { pods: '5' } } });
    bench.add(pods, podOf('a', '100Mi') as never);
    await bench.run(resourceQuotaController);
    bench.remove(pods, 'ns', 'a');
    await bench.settle();
    expect(bench.get(resourceQuotas, 'ns', 'q')?.status?.used).toEqual({ pods: '0' });
    const writes = bench.writes.length;
    await bench.advance(600_000);
    expect(bench.writes.length).toBe(writes);
  });
});
