/** Dynamic resource allocation of the workloads: slices of a test driver, and claims that are allocated before anything is measured. */
import type { ResourceClaim, ResourceSlice } from '../../../engine/api/resource/v1/types.gen.ts';
import type { Api } from './api.ts';

const claimsPath = '/apis/resource.k8s.io/v1';

/** A slice with so many devices for each node of the names. */
export function publishSlices(api: Api, driver: string, nodes: readonly string[], devices: number): void {
  for (const node of nodes) {
    api.made.call('POST', `${claimsPath}/resourceslices`, {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: node },
      spec: {
        driver,
        nodeName: node,
        pool: { name: node, generation: 0, resourceSliceCount: 1 },
        devices: Array.from({ length: devices }, (_, index) => ({
          name: `instance-${index}`,
          attributes: {
            model: { string: 'A100' },
            family: { string: 'GPU' },
            driverVersion: { version: '1.2.3' },
            'dra.example.com/numa': { int: index },
          },
          capacity: { memory: { value: '1Gi' } },
        })),
      },
    });
  }
}

/** Each claim of the namespace gets a device of its own, in the order of nodes and devices taken node by node. */
export function allocateClaims(api: Api, namespace: string): void {
  const { cluster, call } = api.made;
  const slices = cluster.stored('resourceslices') as readonly ResourceSlice[];
  const claims = cluster.stored(`resourceclaims/${namespace}`) as readonly ResourceClaim[];
  const most = Math.max(0, ...slices.map(({ spec }) => spec.devices?.length ?? 0));
  const free = Array.from({ length: most }, (_, index) =>
    slices.flatMap(({ spec }) => {
      const device = spec.devices?.[index];
      return device === undefined ? [] : [{ driver: spec.driver, pool: spec.pool.name, device: device.name, node: spec.nodeName }];
    }),
  ).flat();
  claims.forEach((claim, index) => {
    const taken = free[index];
    if (taken === undefined) throw new Error(`no device is left for claim ${index} of ${claims.length}`);
    const { node, ...device } = taken;
    const results = (claim.spec.devices?.requests ?? []).map(({ name }) => ({ request: name, ...device }));
    const terms = { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }] };
    // Devices of a slice for many nodes hold the pod to none of them.
    const nodeSelector = node === undefined ? {} : { nodeSelector: terms };
    const path = `${claimsPath}/namespaces/${namespace}/resourceclaims/${claim.metadata.name ?? ''}/status`;
    call('PATCH', path, { status: { allocation: { devices: { results }, ...nodeSelector } } }, 'application/merge-patch+json');
  });
}
