/** Network policies. */
import type { NetworkPolicy } from '../../../api/networking/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { formatLabelSelector } from '../../../apimachinery/labels.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { defaultNetworkPolicy } from './network-policy-defaults.ts';
import { validateNetworkPolicy } from './validation.ts';

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
  defaults: defaultNetworkPolicy,
  validate: validateNetworkPolicy,
  validateUpdate: validateNetworkPolicy,
  columns: columns('Name', 'Pod-Selector', 'Age'),
  row: (object, context) => [nameOf(object), formatLabelSelector(object.spec?.podSelector ?? {}), ageOf(object, context)],
});
