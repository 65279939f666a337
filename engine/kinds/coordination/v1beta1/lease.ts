/** Leases before they were stable; stored as v1, which has the same fields. */
import type { Lease } from '../../../api/coordination/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { leaseKind as stored } from '../v1/lease.ts';

export const leaseKind = defineKind<Lease>(
  olderForm(stored, {
    group: 'coordination.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.coordination.v1beta1.Lease',
    deprecated: 19,
    removed: 22,
  }),
);
