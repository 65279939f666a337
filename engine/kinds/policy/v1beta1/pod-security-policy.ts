/** What pods may ask for, in the group it went to; stored as extensions/v1beta1, which has the same fields. */
import type { PodSecurityPolicy } from '../../../api/policy/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { podSecurityPolicyKind as stored } from '../../extensions/v1beta1/pod-security-policy.ts';
import { olderForm } from '../../shared/older.ts';

export const podSecurityPolicyKind = defineKind<PodSecurityPolicy>(
  olderForm(stored, {
    group: 'policy',
    version: 'v1beta1',
    schema: 'io.k8s.api.policy.v1beta1.PodSecurityPolicy',
    deprecated: 21,
    removed: 25,
  }),
);
