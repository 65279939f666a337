import { describe, expect, it } from 'vitest';
import { configMaps, namespaces } from '../../client/resources.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { rootCaCertificatePublisherController } from './controller.ts';

describe('root-ca-certificate-publisher-controller', () => {
  it('publishes, and restores what others change or delete', async () => {
    const fake = new FakeCluster({ options: { rootCaPem: 'pem' } });
    fake.add(namespaces, { metadata: { name: 'a' }, status: { phase: 'Active' } });
    await fake.run(rootCaCertificatePublisherController);
    const published = fake.get(configMaps, 'a', 'kube-root-ca.crt');
    expect(published?.data).toEqual({ 'ca.crt': 'pem' });
    expect(published?.metadata.annotations?.['kubernetes.io/description']).toContain('Contains a CA bundle that can be used');
    fake.change(configMaps, 'a', 'kube-root-ca.crt', (map) => ({ ...map, data: { 'ca.crt': 'other', more: 'x' } }));
    await fake.settle();
    expect(fake.get(configMaps, 'a', 'kube-root-ca.crt')?.data).toEqual({ 'ca.crt': 'pem' });
    fake.remove(configMaps, 'a', 'kube-root-ca.crt');
    await fake.settle();
    expect(fake.writeTexts()).toEqual([
      'create configmaps a/kube-root-ca.crt',
      'update configmaps a/kube-root-ca.crt',
      'create configmaps a/kube-root-ca.crt',
    ]);
  });
});
