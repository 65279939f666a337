/** Which Services want a load balancer, and which changes of one matter to it. Mirrors the helpers of controllers/service/controller.go. */
import type { Service, ServicePort } from '../../api/core/v1/types.gen.ts';
import { deepEqual } from '../../base/equal.ts';

export const cleanupFinalizer = 'service.kubernetes.io/load-balancer-cleanup';

/** One with a class of its own is somebody else's. */
export function wantsLoadBalancer({ spec }: Service): boolean {
  return spec?.type === 'LoadBalancer' && spec.loadBalancerClass === undefined;
}

export function hasFinalizer({ metadata }: Service): boolean {
  return metadata.finalizers?.includes(cleanupFinalizer) === true;
}

export function needsCleanup(service: Service): boolean {
  return hasFinalizer(service) && (service.metadata.deletionTimestamp !== undefined || service.spec?.type !== 'LoadBalancer');
}

export function needsUpdate(old: Service, next: Service): boolean {
  const wants = wantsLoadBalancer(next);
  if (wants !== wantsLoadBalancer(old)) return true;
  return wants && !deepEqual(matterOf(old), matterOf(next));
}

function matterOf({ metadata, spec = {} }: Service): unknown {
  return [
    metadata.uid,
    metadata.annotations ?? {},
    (spec.ports ?? []).map((port) => portOf(port)),
    spec.loadBalancerSourceRanges ?? [],
    spec.sessionAffinity ?? '',
    spec.sessionAffinityConfig ?? {},
    spec.loadBalancerIP ?? '',
    spec.externalIPs ?? [],
    spec.externalTrafficPolicy ?? '',
    spec.healthCheckNodePort ?? 0,
    (spec.ipFamilies ?? []).length,
  ];
}

function portOf({ name = '', protocol = '', port, nodePort = 0, targetPort, appProtocol = '' }: ServicePort): readonly unknown[] {
  return [name, protocol, port, nodePort, targetPort ?? port, appProtocol];
}

/** What a cloud names the load balancer of a Service: `a` and the uid without dashes, 32 characters at most. */
export function loadBalancerName({ metadata }: Service): string {
  return balancerNameOf(metadata.uid ?? '');
}

export function balancerNameOf(uid: string): string {
  return `a${uid.replaceAll('-', '')}`.slice(0, 32);
}
