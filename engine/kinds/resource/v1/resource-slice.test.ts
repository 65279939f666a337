import { expect, test } from 'vitest';
import { aCluster } from '../../../../test/support/cluster.ts';

const policy = { default: null, validRange: { min: null } };
const devices = [
  { name: 'd', allowMultipleAllocations: true, capacity: { m: { requestPolicy: policy } }, consumesCounters: [{}], taints: [{}] },
  { name: 'e', attributes: { a: null }, capacity: { m: null }, nodeAllocatableResourceMappings: { cpu: null } },
  {},
  { name: 'f', allowMultipleAllocations: true, capacity: { m: { requestPolicy: { default: '1', validValues: ['2', '1'] } } } },
  {
    name: 'g',
    allowMultipleAllocations: true,
    capacity: { m: { value: '4', requestPolicy: { default: '1', validRange: { min: '1', step: '0' } } } },
  },
];

test('a slice that says nothing where it should is refused, and the cluster goes on', async () => {
  const { ask } = await aCluster({ nodes: 0, options: { 'feature-gates': 'DRANodeAllocatableResources=true,DRAListTypeAttributes=true' } });
  const spec = { driver: 'd.example.com', nodeName: 'n', pool: { name: 'p', resourceSliceCount: 1, generation: 1 } };
  for (const device of devices) {
    const body = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: 's' }, spec: { ...spec, devices: [device] } };
    const { status, object } = ask('POST', '/apis/resource.k8s.io/v1/resourceslices', body);
    expect({ status, object }).toMatchObject({ status: 422 });
  }
});
