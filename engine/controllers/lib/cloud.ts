/** What cloud controllers share: whether there is a cloud, and the taints by which it and Nodes speak to each other. */
import type { Node, Taint } from '../../api/core/v1/types.gen.ts';
import { assert } from '../../base/assert.ts';
import type { CloudProvider } from '../../contracts/cloud.ts';
import type { ControllerOptions } from '../controller.ts';

/** Kubelets in a cloud register with it; the cloud-node controller takes it away. */
export const uninitializedTaint = 'node.cloudprovider.kubernetes.io/uninitialized';
export const shutdownTaint = 'node.cloudprovider.kubernetes.io/shutdown';

export function hasCloud({ cloud }: ControllerOptions): boolean {
  return cloud !== undefined;
}

/** The cloud of a controller that `hasCloud` let run. */
export function mustHaveCloud({ cloud }: ControllerOptions): CloudProvider {
  assert(cloud, 'a cloud controller runs in a cloud');
  return cloud;
}

export function hasTaint({ spec }: Node, key: string): boolean {
  return (spec?.taints ?? []).some((taint) => taint.key === key);
}

export function taintsWithout({ spec }: Node, key: string): readonly Taint[] {
  return (spec?.taints ?? []).filter((taint) => taint.key !== key);
}
