/** Network policies. */
import type { NetworkPolicy } from '../../../api/networking/v1/types.gen.ts';
import { warningsForCIDR } from '../../../apimachinery/ip.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { formatLabelSelector } from '../../../apimachinery/labels.ts';
import { specPath } from '../../shared/strategy.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { defaultNetworkPolicy } from './network-policy-defaults.ts';
import { validateNetworkPolicy, validateNetworkPolicyUpdate } from './validation.ts';

function policyWarnings({ spec }: NetworkPolicy): readonly string[] {
  const sides = [
    ...(spec?.ingress ?? []).map(({ from }, i) => [from, specPath.child('ingress').index(i).child('from')] as const),
    ...(spec?.egress ?? []).map(({ to }, i) => [to, specPath.child('egress').index(i).child('to')] as const),
  ];
  return sides.flatMap(([peers, path]) =>
    (peers ?? []).flatMap(({ ipBlock }, i) => {
      if (!ipBlock) return [];
      const at = path.index(i).child('ipBlock');
      const except = (ipBlock.except ?? []).flatMap((cidr, k) => warningsForCIDR(at.child('except').index(k), cidr));
      return [...warningsForCIDR(at.child('cidr'), ipBlock.cidr), ...except];
    }),
  );
}

export const networkPolicyKind = defineKind<NetworkPolicy>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  singular: 'networkpolicy',
  shortNames: ['netpol'],
  namespaced: true,
  schema: 'io.k8s.api.networking.v1.NetworkPolicy',
  storagePrefix: 'networkpolicies',
  desiredCountsEmpties: true,
  defaults: defaultNetworkPolicy,
  warnings: policyWarnings,
  validate: validateNetworkPolicy,
  validateUpdate: validateNetworkPolicyUpdate,
  columns: columns('Name', 'Pod-Selector', 'Age'),
  row: (object, context) => [nameOf(object), formatLabelSelector(object.spec?.podSelector ?? {}), ageOf(object, context)],
});
