import { describe, expect, it } from 'vitest';
import { configMaps, namespaces } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { rootCaCertificatePublisherController } from './controller.ts';

describe('root-ca-certificate-publisher-controller', () => {
  it('publishes, and restores what others change or delete', async () => {
    const bench = new ControllerBench({ options: { rootCaPem: 'pem' } });
    bench.add(namespaces, { metadata: { name: 'a' }, status: { phase: 'Active' } });
    await bench.run(rootCaCertificatePublisherController);
    const published = bench.get(configMaps, 'a', 'kube-root-ca.crt');
    expect(published?.data).toEqual({ 'ca.crt': 'pem' });
    expect(published?.metadata.annotations?.['kubernetes.io/description']).toContain('Contains a CA bundle that can be used');
    bench.change(configMaps, 'a', 'kube-root-ca.crt', (map) => ({ ...map, data: { 'ca.crt': 'other', more: 'x' } }));
    await bench.settle();
    expect(bench.get(configMaps, 'a', 'kube-root-ca.crt')?.data).toEqual({ 'ca.crt': 'pem' });
    bench.remove(configMaps, 'a', 'kube-root-ca.crt');
    await bench.settle();
    expect(bench.writeTexts()).toEqual([
      'create configmaps a/kube-root-ca.crt',
      'update configmaps a/kube-root-ca.crt',
      'create configmaps a/kube-root-ca.crt',
    ]);
  });
});
