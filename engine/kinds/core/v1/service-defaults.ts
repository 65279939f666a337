/** Defaults of services. Mirrors SetDefaults_Service of pkg/apis/core/v1. */
import type { Service, ServicePort, ServiceSpec } from '../../../api/core/v1/types.gen.ts';
import { edit, editEach, fillZero } from '../../shared/defaulting.ts';
import { isReached } from './service-strategy.ts';

const zeroDefaults = Object.freeze({ sessionAffinity: 'None', type: 'ClusterIP' });
const affinitySeconds = 10800;

export function defaultService(object: Service): Service {
  const next = edit(object, 'spec', defaultSpec);
  if (next.spec?.type !== 'LoadBalancer' || !next.status?.loadBalancer?.ingress) return next;
  return edit(next, 'status', (status) =>
    edit(status, 'loadBalancer', (balancer) =>
      editEach(balancer, 'ingress', (entry) => (entry.ip && !entry.ipMode ? { ...entry, ipMode: 'VIP' } : entry)),
    ),
  );
}

function defaultSpec(spec: ServiceSpec): ServiceSpec {
  let next = defaultAffinity(fillZero(spec, zeroDefaults));
  next = editEach(next, 'ports', defaultPort);
  const balancer = next.type === 'LoadBalancer';
  if (isReached(next, true) && !next.externalTrafficPolicy) next = { ...next, externalTrafficPolicy: 'Cluster' };
  if (next.internalTrafficPolicy === undefined && (balancer || next.type === 'NodePort' || next.type === 'ClusterIP'))
    next = { ...next, internalTrafficPolicy: 'Cluster' };
  if (balancer && next.allocateLoadBalancerNodePorts === undefined) next = { ...next, allocateLoadBalancerNodePorts: true };
  return next;
}

function defaultAffinity(spec: ServiceSpec): ServiceSpec {
  if (spec.sessionAffinity === 'None' && spec.sessionAffinityConfig !== undefined) {
    const { sessionAffinityConfig: _unused, ...rest } = spec;
    return rest;
  }
  if (spec.sessionAffinity !== 'ClientIP' || spec.sessionAffinityConfig?.clientIP?.timeoutSeconds !== undefined) return spec;
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: affinitySeconds } } };
}

function defaultPort(port: ServicePort): ServicePort {
  if (port.protocol && port.targetPort !== undefined && port.targetPort !== 0 && port.targetPort !== '') return port;
  return { ...port, protocol: port.protocol || 'TCP', targetPort: port.targetPort || port.port };
}
