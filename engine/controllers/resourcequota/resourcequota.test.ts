import { describe, expect, it } from 'vitest';
import { configMaps, pods, resourceQuotas, services } from '../../client/resources.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { resourceQuotaController } from './controller.ts';

const inNamespace = (name: string): { readonly namespace: string; readonly name: string } => ({ namespace: 'ns', name });
const podOf = (name: string, memory: string, phase = 'Running'): object => ({
  metadata: inNamespace(name),
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { memory } } }] },
  status: { phase },
});

describe('resourcequota-controller', () => {
  it('counts what is there, without pods that have ended', async () => {
    const fake = new FakeCluster();
    fake.add(resourceQuotas, {
      metadata: inNamespace('q'),
      spec: { hard: { pods: '5', 'requests.memory': '1Gi', configmaps: '2', 'services.nodeports': '4' } },
    });
    fake.add(pods, podOf('a', '100Mi') as never);
    fake.add(pods, podOf('b', '200Mi') as never);
    fake.add(pods, podOf('c', '400Mi', 'Succeeded') as never);
    fake.add(configMaps, { metadata: inNamespace('m') });
    fake.add(services, { metadata: inNamespace('s'), spec: { type: 'NodePort', ports: [{ port: 80 }, { port: 81 }] } });
    await fake.run(resourceQuotaController);
    expect(fake.get(resourceQuotas, 'ns', 'q')?.status?.used).toEqual({
      pods: '2',
      'requests.memory': '300Mi',
      configmaps: '1',
      'services.nodeports': '2',
    });
  });

  it('counts anew when something goes, and writes nothing when nothing changed', async () => {
    const fake = new FakeCluster();
    fake.add(resourceQuotas, { metadata: inNamespace('q'), spec: { hard: { pods: '5' } } });
    fake.add(pods, podOf('a', '100Mi') as never);
    await fake.run(resourceQuotaController);
    fake.remove(pods, 'ns', 'a');
    await fake.settle();
    expect(fake.get(resourceQuotas, 'ns', 'q')?.status?.used).toEqual({ pods: '0' });
    const writes = fake.writes.length;
    await fake.advance(600_000);
    expect(fake.writes.length).toBe(writes);
  });
});
