/**
 * What the API server fills in and allocates for services: address families, cluster addresses, node ports. Mirrors
 * pkg/registry/core/service/strategy.go, storage/alloc.go and defaultOnRead for a cluster with IPv4 only.
 */
import type { Service, ServicePort, ServiceSpec } from '../../../api/core/v1/types.gen.ts';
import { newInvalid } from '../../../apimachinery/errors.ts';
import { type FieldError, invalid } from '../../../apimachinery/field-errors.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { editEach } from '../../shared/defaulting.ts';
import { keepStatus, specPath, withStatus } from '../../shared/strategy.ts';

const none = 'None';
const healthCheckProtocol = 'TCP';

export function prepareService(object: Service, context: StrategyContext): Service {
  const service = withStatus(object, { loadBalancer: {} });
  return allocate({ ...service, spec: fillFamilies(service.spec ?? {}, undefined) }, undefined, context);
}

export function prepareServiceUpdate(next: Service, old: Service, context: StrategyContext): Service {
  const spec = fillFamilies(patchAllocated(next.spec ?? {}, old.spec ?? {}), old.spec);
  return allocate(keepStatus({ ...next, spec }, old), old, context);
}

/** Values a client left out are taken from before, where the type still has them. */
function patchAllocated(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  let next = spec;
  if (needsClusterIp(spec) && needsClusterIp(old)) {
    if (!next.clusterIP && !next.clusterIPs?.length && old.clusterIP)
      next = { ...next, clusterIP: old.clusterIP, clusterIPs: old.clusterIPs ?? [old.clusterIP] };
  }
  if (needsNodePorts(spec) && needsNodePorts(old)) {
    next = editEach(next, 'ports', (port) => {
      if (port.nodePort) return port;
      const before = old.ports?.find((other) => other.port === port.port && other.protocol === port.protocol)?.nodePort;
      return before && !spec.ports?.some((other) => other.nodePort === before) ? { ...port, nodePort: before } : port;
    });
  }
  if (needsHealthCheckPort(spec) && needsHealthCheckPort(old) && !next.healthCheckNodePort && old.healthCheckNodePort) {
    next = { ...next, healthCheckNodePort: old.healthCheckNodePort };
  }
  return next;
}

function needsClusterIp(spec: ServiceSpec): boolean {
  return spec.type !== 'ExternalName';
}

function needsNodePorts(spec: ServiceSpec): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

function needsHealthCheckPort(spec: ServiceSpec): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** clusterIP and clusterIPs say the same; families follow the addresses; IPv4 alone is configured. */
function fillFamilies(given: ServiceSpec, old: ServiceSpec | undefined): ServiceSpec {
  if (!needsClusterIp(given)) {
    const { clusterIP: _ip, clusterIPs: _ips, ipFamilies: _families, ipFamilyPolicy: _policy, ...rest } = given;
    return old !== undefined && needsClusterIp(old) ? rest : given;
  }
  let spec = given;
  if (spec.clusterIP && spec.clusterIP !== spec.clusterIPs?.[0]) {
    const changedFirst = old?.clusterIP === spec.clusterIP && spec.clusterIPs?.[0];
    spec = changedFirst ? spec : { ...spec, clusterIPs: [spec.clusterIP] };
  } else if (!spec.clusterIP && spec.clusterIPs?.[0]) spec = { ...spec, clusterIP: spec.clusterIPs[0] };
  // A headless service without a selector is of both families, whatever the cluster has.
  const selectorless = spec.clusterIP === none && Object.keys(spec.selector ?? {}).length === 0;
  const standard = selectorless || spec.ipFamilies?.length === 2 ? 'RequireDualStack' : 'SingleStack';
  const policy = spec.ipFamilyPolicy || old?.ipFamilyPolicy || standard;
  const dual = selectorless && policy !== 'SingleStack';
  const families = spec.ipFamilies?.length ? spec.ipFamilies : [spec.clusterIP?.includes(':') ? 'IPv6' : 'IPv4'];
  const all = dual && families.length === 1 ? [...families, families[0] === 'IPv4' ? 'IPv6' : 'IPv4'] : families;
  return { ...spec, ipFamilies: all, ipFamilyPolicy: policy };
}

/** Faults of families, found before anything is allocated. */
function familyFaults(spec: ServiceSpec): readonly FieldError[] {
  if (!needsClusterIp(spec) || (spec.clusterIP === none && Object.keys(spec.selector ?? {}).length === 0)) return [];
  const faults: FieldError[] = [];
  if (spec.ipFamilyPolicy === 'RequireDualStack') {
    faults.push(invalid(specPath.child('ipFamilyPolicy'), 'RequireDualStack', 'this cluster is not configured for dual-stack services'));
  }
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (family === 'IPv6') faults.push(invalid(specPath.child('ipFamilies').index(index), family, 'not configured on this cluster'));
  }
  return faults;
}

function allocate(service: Service, old: Service | undefined, context: StrategyContext): Service {
  const faults = familyFaults(service.spec ?? {});
  if (faults.length > 0) throw newInvalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', faults);
  if (context.services === undefined) return service;
  let spec = service.spec ?? {};
  if (needsClusterIp(spec) && spec.clusterIP !== none) spec = withClusterIp(service, spec, old, context.services);
  if (needsNodePorts(spec)) spec = withNodePorts(service, spec, old, context.services);
  if (needsHealthCheckPort(spec) && !spec.healthCheckNodePort) {
    spec = { ...spec, healthCheckNodePort: context.services.allocateNodePort([healthCheckProtocol], portsOf(spec)) };
  }
  return { ...service, spec: releaseUnused(spec, old?.spec) };
}

type Allocator = NonNullable<StrategyContext['services']>;

function withClusterIp(service: Service, spec: ServiceSpec, old: Service | undefined, allocator: Allocator): ServiceSpec {
  if (spec.clusterIP) {
    if (spec.clusterIP === old?.spec?.clusterIP) return spec;
    const fault = allocator.claimClusterIp(spec.clusterIP);
    if (fault === undefined) return spec;
    const error = invalid(specPath.child('clusterIPs'), [spec.clusterIP], fault);
    throw newInvalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', [error]);
  }
  const clusterIP = allocator.allocateClusterIp();
  return { ...spec, clusterIP, clusterIPs: [clusterIP] };
}

function portsOf(spec: ServiceSpec | undefined): ReadonlySet<number> {
  return new Set((spec?.ports ?? []).flatMap((port) => (port.nodePort ? [port.nodePort] : [])));
}

function withNodePorts(service: Service, spec: ServiceSpec, old: Service | undefined, allocator: Allocator): ServiceSpec {
  const taken = new Set(portsOf(spec));
  const before = portsOf(old?.spec);
  const faults: FieldError[] = [];
  const ports = (spec.ports ?? []).map((port, index): ServicePort => {
    const protocol = port.protocol ?? 'TCP';
    if (port.nodePort) {
      const fault = before.has(port.nodePort) ? undefined : allocator.claimNodePort(port.nodePort, protocol);
      if (fault !== undefined) faults.push(invalid(specPath.child('ports').index(index).child('nodePort'), port.nodePort, fault));
      return port;
    }
    const nodePort = allocator.allocateNodePort([protocol], taken);
    taken.add(nodePort);
    return { ...port, nodePort };
  });
  if (faults.length > 0) throw newInvalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', faults);
  return { ...spec, ports };
}

/** A type without node ports gives back those it had, unless the client changed them itself. */
function releaseUnused(spec: ServiceSpec, old: ServiceSpec | undefined): ServiceSpec {
  if (old === undefined || !needsNodePorts(old) || needsNodePorts(spec)) return spec;
  const before = portsOf(old);
  return editEach(spec, 'ports', (port) => {
    if (!port.nodePort || !before.has(port.nodePort)) return port;
    const { nodePort: _port, ...rest } = port;
    return rest;
  });
}
