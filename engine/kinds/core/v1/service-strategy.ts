/**
 * What the API server fills in and allocates for services before it judges them: address families, cluster addresses, node ports. Mirrors
 * pkg/registry/core/service/strategy.go and storage/alloc.go.
 */
import type { Service, ServiceSpec } from '../../../api/core/v1/types.gen.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { type FieldErrorList, invalid } from '../../../apimachinery/field-errors.ts';
import { editEach } from '../../shared/defaulting.ts';
import { keepStatus, specPath, withStatus } from '../../shared/strategy.ts';
import { allocateAddresses, fillFamilies, refuse, sameList } from './service-families.ts';
import { allocatePorts, portsOf } from './service-ports.ts';
import { movesHealthCheck, validateNewService, validateServiceUpdate } from './service-validation.ts';

export function prepareService(object: Service, context: StrategyContext): Service {
  // Upstream's storage behind the status is without the hooks that allocate: a service that a PUT of its status makes has what was sent.
  if (context.subresource !== undefined) return withStatus(object, { loadBalancer: {} });
  const given = object.spec ?? {};
  const spec = given.clusterIP && !given.clusterIPs?.length ? { ...given, clusterIPs: [given.clusterIP] } : given;
  return withStatus(allocate({ ...object, spec }, undefined, context), { loadBalancer: {} });
}

export function prepareServiceUpdate(next: Service, old: Service, context: StrategyContext): Service {
  const before = old.spec ?? {};
  const spec = matchAddresses(patchAllocated(next.spec ?? {}, before, context.ratcheted('KeptAddresses')), before);
  const { spec: allocated = {}, ...rest } = allocate({ ...next, spec }, old, context);
  const kept = { ...rest, spec: dropTypeDependent(allocated, before, context) };
  return allocated.type === 'LoadBalancer' || !context.ratcheted('EndedBalancers')
    ? keepStatus(kept, old)
    : withStatus(kept, { ...old.status, loadBalancer: {} });
}

function allocate(service: Service, old: Service | undefined, context: StrategyContext): Service {
  const name = service.metadata.name ?? '';
  // Once a service was judged whole before it was given anything.
  if (!context.ratcheted('DryAddresses') && faultsOf(service, old, context).length > 0) return service;
  const spec = allocateAddresses(fillFamilies(service.spec ?? {}, old?.spec, name, context), old?.spec, service, context);
  const allocated = { ...service, spec: allocatePorts(spec, old?.spec, name, context) };
  if (
    old?.spec !== undefined &&
    service.metadata.resourceVersion &&
    !context.ratcheted('KeptAddresses') &&
    movesHealthCheck(allocated.spec, old.spec)
  )
    refuse(name, [invalid(specPath.child('healthCheckNodePort'), allocated.spec.healthCheckNodePort ?? 0, changedCheck)]);
  return allocated;
}

const changedCheck = 'cannot change healthCheckNodePort on loadBalancer service with externalTraffic=Local during update';

/** What is given to a service is not missed before that. */
function faultsOf(service: Service, old: Service | undefined, context: StrategyContext): FieldErrorList {
  const faults = old === undefined ? validateNewService(service, context) : validateServiceUpdate(service, old, context);
  return faults.filter(({ type, field }) => type !== 'FieldValueRequired' || (field !== 'spec.clusterIPs' && field !== 'spec.healthCheckNodePort'));
}

/** Whoever changes one of clusterIP and clusterIPs, and leaves the other as it was, means both. */
function matchAddresses(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  let next = spec;
  // What was made by its status alone was given no list.
  if (next.clusterIP && next.clusterIP === old.clusterIP && !old.clusterIPs?.length && !next.clusterIPs?.length)
    next = { ...next, clusterIPs: [next.clusterIP] };
  if (old.clusterIPs?.length && !next.clusterIPs?.length && old.clusterIP === next.clusterIP) next = { ...next, clusterIPs: old.clusterIPs };
  if ((old.clusterIP ?? '') === (next.clusterIP ?? '') || !sameList(old.clusterIPs, next.clusterIPs)) return next;
  const { clusterIPs: _ips, ...rest } = next;
  if (!next.clusterIP) return old.clusterIP ? rest : next;
  return { ...next, clusterIPs: [next.clusterIP] };
}

/** Values a client left out are taken from before, where the type still has them. */
function patchAllocated(spec: ServiceSpec, old: ServiceSpec, keepsAddresses: boolean): ServiceSpec {
  if (!keepsAddresses) return spec;
  let next = spec;
  if (needsClusterIp(next) && needsClusterIp(old)) {
    if (!next.clusterIP && old.clusterIP) next = { ...next, clusterIP: old.clusterIP };
    if (!next.clusterIPs?.length && old.clusterIPs?.length) next = { ...next, clusterIPs: old.clusterIPs };
  }
  if (isGivenNodePorts(next) && isGivenNodePorts(old)) {
    const [mine, theirs] = [portsOf(next), portsOf(old)];
    const byName = new Map((old.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
    next = editEach(next, 'ports', (port) => {
      const before = port.nodePort ? 0 : (byName.get(port.name ?? '') ?? 0);
      return before === 0 || (mine.has(before) && theirs.has(before)) ? port : { ...port, nodePort: before };
    });
  }
  if (needsHealthCheckPort(next) && needsHealthCheckPort(old) && !next.healthCheckNodePort && old.healthCheckNodePort)
    next = { ...next, healthCheckNodePort: old.healthCheckNodePort };
  return next;
}

function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== 'ExternalName';
}

function mayHaveNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

function isGivenNodePorts(spec: ServiceSpec): boolean {
  return mayHaveNodePorts(spec) && (spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheckPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

/** Externally accessible. `byAddress`: addresses from outside alone are enough. */
export function isReached({ type, externalIPs }: ServiceSpec, byAddress: boolean): boolean {
  return type === 'NodePort' || type === 'LoadBalancer' || (byAddress && type === 'ClusterIP' && (externalIPs?.length ?? 0) > 0);
}

/** Upstream keeps such a policy and shows it to nobody (defaultOnReadInternalTrafficPolicy of storage.go); managers own it all the same. */
export function hideInsidePolicy(service: Service): Service {
  if (service.spec?.type !== 'ExternalName' || service.spec.internalTrafficPolicy === undefined) return service;
  const { internalTrafficPolicy: _hidden, ...spec } = service.spec;
  return { ...service, spec };
}

/** What a type does not have goes, unless the client changed it herself. */
function dropTypeDependent(spec: ServiceSpec, old: ServiceSpec, context: Pick<StrategyContext, 'ratcheted'>): ServiceSpec {
  const [keepsAddresses, byAddress] = [context.ratcheted('KeptAddresses'), context.ratcheted('ReachingAddresses')];
  const gone = new Set<keyof ServiceSpec>();
  const drop = (field: keyof ServiceSpec, isSame: boolean): void => {
    if (isSame) gone.add(field);
  };
  if (needsClusterIp(old) && !needsClusterIp(spec)) {
    // Whoever kept no addresses dropped none either: it is told that they must go.
    const isSame = (keepsAddresses || !spec.clusterIP) && old.clusterIP === spec.clusterIP && sameList(old.clusterIPs, spec.clusterIPs);
    drop('clusterIP', isSame);
    drop('clusterIPs', isSame);
    drop('ipFamilies', sameList(old.ipFamilies, spec.ipFamilies));
    drop('ipFamilyPolicy', old.ipFamilyPolicy === spec.ipFamilyPolicy);
  }
  if (needsHealthCheckPort(old) && !needsHealthCheckPort(spec)) drop('healthCheckNodePort', old.healthCheckNodePort === spec.healthCheckNodePort);
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    drop('allocateLoadBalancerNodePorts', old.allocateLoadBalancerNodePorts === spec.allocateLoadBalancerNodePorts);
    drop('loadBalancerClass', old.loadBalancerClass === spec.loadBalancerClass);
  }
  if (isReached(old, byAddress) && !isReached(spec, byAddress))
    drop('externalTrafficPolicy', old.externalTrafficPolicy === spec.externalTrafficPolicy);
  const kept = gone.size === 0 ? spec : (Object.fromEntries(Object.entries(spec).filter(([field]) => !gone.has(field as keyof ServiceSpec))) as ServiceSpec); // biome-ignore format: one line
  if (!keepsAddresses || !mayHaveNodePorts(old) || mayHaveNodePorts(kept)) return kept;
  const before = portsOf(old);
  if ([...portsOf(kept)].some((port) => !before.has(port))) return kept;
  return editEach(kept, 'ports', ({ nodePort: _port, ...port }) => port);
}
