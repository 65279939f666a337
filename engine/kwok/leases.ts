/** The leases of driven nodes. Mirrors pkg/kwok/controllers/node_lease_controller.go of sigs.k8s.io/kwok. */
import type { Lease } from '../api/coordination/v1/types.gen.ts';
import type { Node } from '../api/core/v1/types.gen.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../apimachinery/errors.ts';
import { formatMicroTime } from '../apimachinery/time.ts';
import type { Client } from '../client/client.ts';
import { leases } from '../client/resources.ts';

const leaseDurationSeconds = 40;
/** A quarter of it. */
export const renewMs = 10_000;
const namespace = 'kube-node-lease';
const holderIdentity = 'kwok-controller';

/** Makes the lease or renews it; one that another holds and renews is left alone. */
export async function renewLease(client: Client, { metadata: { name = '', uid = '' } }: Node, nowMs: number): Promise<void> {
  const renewTime = formatMicroTime(nowMs);
  try {
    const lease = await client.get(leases, namespace, name);
    if (isHeldByAnother(lease, nowMs)) return;
    await client.update(leases, { ...lease, spec: { ...lease.spec, holderIdentity, leaseDurationSeconds, renewTime } });
  } catch (error) {
    if (isNotFound(error)) await create(client, name, uid, renewTime);
    else if (!isConflict(error)) throw error;
  }
}

async function create(client: Client, name: string, uid: string, renewTime: string): Promise<void> {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
  try {
    await client.create(leases, {
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: { name, namespace, ownerReferences },
      spec: { holderIdentity, leaseDurationSeconds, renewTime },
    } as Lease);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function isHeldByAnother({ spec }: Lease, nowMs: number): boolean {
  if (!spec?.holderIdentity || spec.holderIdentity === holderIdentity) return false;
  const renewedMs = Date.parse(spec.renewTime ?? '');
  return Number.isFinite(renewedMs) && renewedMs + (spec.leaseDurationSeconds ?? 0) * 1000 > nowMs;
}
