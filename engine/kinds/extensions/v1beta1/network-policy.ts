/** Network policies as extensions/v1beta1 had them; stored as networking.k8s.io/v1, which has the same fields. */
import type { NetworkPolicy } from '../../../api/extensions/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { networkPolicyKind as stored } from '../../networking/v1/network-policy.ts';
import { olderForm } from '../../shared/older.ts';

export const networkPolicyKind = defineKind<NetworkPolicy>(
  olderForm(stored, {
    group: 'extensions',
    version: 'v1beta1',
    schema: 'io.k8s.api.extensions.v1beta1.NetworkPolicy',
    deprecated: 9,
    removed: 16,
  }),
);
