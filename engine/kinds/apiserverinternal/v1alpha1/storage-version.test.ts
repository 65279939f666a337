import { expect, it } from 'vitest';
import { validateStorageVersion } from './storage-version-validation.ts';

const versions = (start: string): readonly string[] => Array.from({ length: 100_000 }, (_, index) => `${start}${index}`);

it('judges as many versions as a request has room for', () => {
  const faults = validateStorageVersion({
    apiVersion: 'internal.apiserver.k8s.io/v1alpha1',
    kind: 'StorageVersion',
    metadata: { name: 'a.b' },
    spec: {},
    status: {
      commonEncodingVersion: 'v1',
      storageVersions: [{ apiServerID: 'a', encodingVersion: 'v1', decodableVersions: versions('v'), servedVersions: versions('x') }],
    },
  });
  expect(faults).toHaveLength(100_000);
  expect(faults[0]).toMatchObject({ field: 'status.storageVersions[0].servedVersions[0]', badValue: 'x0' });
});
