/** Defaults of network policies. Mirrors pkg/apis/networking/v1/defaults.go. */
import type { NetworkPolicy, NetworkPolicyPort } from '../../../api/networking/v1/types.gen.ts';
import { edit, editEach } from '../../shared/defaulting.ts';

export function defaultNetworkPolicy(object: NetworkPolicy): NetworkPolicy {
  return edit(object, 'spec', (spec) => {
    let next = editEach(spec, 'ingress', (rule) => editEach(rule, 'ports', defaultPort));
    next = editEach(next, 'egress', (rule) => editEach(rule, 'ports', defaultPort));
    if (next.policyTypes?.length) return next;
    return { ...next, policyTypes: next.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'] };
  });
}

function defaultPort(port: NetworkPolicyPort): NetworkPolicyPort {
  return port.protocol ? port : { ...port, protocol: 'TCP' };
}
