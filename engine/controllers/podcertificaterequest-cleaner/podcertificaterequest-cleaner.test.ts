import { expect, it } from 'vitest';
import type { PodCertificateRequest } from '../../api/certificates/v1beta1/types.gen.ts';
import { resourceType } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { podCertificateRequestCleanerController } from './controller.ts';

const requests = resourceType<PodCertificateRequest>('certificates.k8s.io', 'v1beta1', 'podcertificaterequests', 'PodCertificateRequest');

it('deletes a request a quarter of an hour after it was made', async () => {
  const bench = new ControllerBench();
  bench.add(requests, { metadata: { namespace: 'default', name: 'r' }, spec: {} });
  await bench.run(podCertificateRequestCleanerController);
  await bench.advance(899_000);
  expect(bench.writes).toEqual([]);
  await bench.advance(301_000);
  expect(bench.writeTexts()).toEqual(['delete podcertificaterequests default/r']);
});
