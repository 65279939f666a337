import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ClusterTrustBundle } from '../../api/certificates/v1beta1/types.gen.ts';
import { resourceType } from '../../client/resources.ts';
import { trustAnchor } from '../../../test/support/certificate-requests.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { clusterTrustBundlePublisherController } from './controller.ts';

const bundles = resourceType<ClusterTrustBundle>('certificates.k8s.io', 'v1beta1', 'clustertrustbundles', 'ClusterTrustBundle', false);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const signerName = 'kubernetes.io/kube-apiserver-serving';
const name = `kubernetes.io:kube-apiserver-serving:${sha256(trustAnchor).slice(0, 24)}`;

it('publishes the bundle under the name of what it holds, mends it, and removes older ones of its signer', async () => {
  const bench = new ControllerBench({ options: { rootCaPem: trustAnchor, sha256 } });
  bench.add(bundles, { metadata: { name: 'kubernetes.io:kube-apiserver-serving:old' }, spec: { signerName, trustBundle: trustAnchor } });
  bench.add(bundles, { metadata: { name: 'mine' }, spec: { trustBundle: trustAnchor } });
  await bench.run(clusterTrustBundlePublisherController);
  expect(bench.list(bundles).map(({ metadata }) => metadata.name)).toEqual([name, 'mine']);
  bench.change(bundles, undefined, name, (bundle) => ({ ...bundle, spec: { ...bundle.spec, trustBundle: `${trustAnchor}\nof somebody else\n` } }));
  await bench.settle();
  expect(bench.get(bundles, undefined, name)?.spec.trustBundle).toBe(trustAnchor);
});
