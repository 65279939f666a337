/** Services. Mirrors ValidateService of pkg/apis/core/validation. */
import type { Service, ServicePort, ServiceSpec } from '../../../api/core/v1/types.gen.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import {
  duplicate,
  type FieldErrorList,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  notSupportedOf,
  required,
  root,
} from '../../../apimachinery/field-errors.ts';
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidCIDRForLegacyField,
  isValidIPForLegacyField,
  isValidPortNum,
  parseIP,
  validateLabels,
} from '../../../apimachinery/validation.ts';
import { specialFaults } from '../../shared/special-addresses.ts';
import { metadataPath, specPath } from '../../shared/strategy.ts';
import { validatePortNumOrName } from './probe-validation.ts';
import type { Faults } from './resource-validation.ts';
import { addressChangeFaults, addressFaults, isHeadless, isStrict } from './service-addresses.ts';
import { isReached } from './service-strategy.ts';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const protocols = ['SCTP', 'TCP', 'UDP'];
const policies = ['Cluster', 'Local'];
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const ipModes = ['Proxy', 'VIP'];
const affinitySecondsMax = 86400;
const hintsKey = 'service.kubernetes.io/topology-aware-hints';
const modeKey = 'service.kubernetes.io/topology-mode';
const rangesKey = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";
const portsPath = specPath.child('ports');

export function validateNewService(object: Service, context: StrategyContext): FieldErrorList {
  return validateService(object, undefined, context);
}

export function validateServiceUpdate(next: Service, old: Service, context: StrategyContext): FieldErrorList {
  const out: Faults = [...addressChangeFaults(next, old, context.ratcheted('KeptAddresses'))];
  const [now, before] = [next.spec ?? {}, old.spec ?? {}];
  if (now.type === 'LoadBalancer' && before.type === 'LoadBalancer' && now.loadBalancerClass !== before.loadBalancerClass)
    out.push(invalid(specPath.child('loadBalancerClass'), now.loadBalancerClass ?? null, 'may not change once set'));
  validateClass(now, out);
  // Where it was not kept it was looked at once everything else was well.
  if (context.ratcheted('KeptAddresses') && movesHealthCheck(now, before))
    out.push(forbidden(specPath.child('healthCheckNodePort'), 'field is immutable'));
  return [...out, ...validateService(next, old, context)];
}

export function movesHealthCheck(now: ServiceSpec, before: ServiceSpec): boolean {
  return needsHealthCheck(now) && needsHealthCheck(before) && now.healthCheckNodePort !== before.healthCheckNodePort;
}

function validateService({ metadata, spec = {} }: Service, old: Service | undefined, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const [hints, mode] = [getOwn(metadata.annotations, hintsKey), getOwn(metadata.annotations, modeKey)];
  if (mode !== undefined && hints !== undefined && mode !== hints)
    out.push(invalid(metadataPath.child('annotations').key(modeKey), mode, `must match annotations[${hintsKey}] when both are specified`));
  const ports = spec.ports ?? [];
  if (ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName') out.push(required(portsPath));
  validateType(spec, out);
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) validatePort(port, ports.length > 1, names, portsPath.index(index), out);
  if (spec.selector) out.push(...validateLabels(spec.selector, specPath.child('selector')));
  validateAffinity(spec, out);
  out.push(...addressFaults(spec, old?.spec, isStrict(context)));
  validateExternalIps(spec, old?.spec, isStrict(context), out);
  choice(spec.type, types, specPath.child('type'), out);
  validateUniquePorts(spec, out);
  validateBalancer(metadata.annotations, spec, old, isStrict(context), out);
  validateClass(spec, out);
  validateTraffic(spec, context.ratcheted('ReachingAddresses'), out);
  return out;
}

function validateType(spec: ServiceSpec, out: Faults): void {
  const { type, clusterIPs = [] } = spec;
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec))
    out.push(invalid(specPath.child('clusterIPs').index(0), clusterIPs[0], `may not be set to 'None' for ${type} services`));
  if (type !== 'ExternalName') return;
  const refuse = (field: string): void => void out.push(forbidden(specPath.child(field), 'may not be set for ExternalName services'));
  if (clusterIPs.length > 0) refuse('clusterIPs');
  if ((spec.ipFamilies ?? []).length > 0) refuse('ipFamilies');
  if (spec.ipFamilyPolicy !== undefined) refuse('ipFamilyPolicy');
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  const path = specPath.child('externalName');
  if (name === '') out.push(required(path));
  else for (const fault of isDNS1123Subdomain(name)) out.push(invalid(path, name, fault));
}

function validatePort(port: ServicePort, needsName: boolean, names: Set<string>, path: FieldPath, out: Faults): void {
  const { name = '', appProtocol } = port;
  if (needsName && name === '') out.push(required(path.child('name')));
  else if (name !== '') {
    for (const fault of isDNS1123Label(name)) out.push(invalid(path.child('name'), name, fault));
    if (names.has(name)) out.push(duplicate(path.child('name'), name));
    names.add(name);
  }
  for (const fault of isValidPortNum(port.port)) out.push(invalid(path.child('port'), port.port, fault));
  choice(port.protocol, protocols, path.child('protocol'), out);
  validatePortNumOrName(port.targetPort ?? 0, path.child('targetPort'), out);
  if (appProtocol !== undefined) for (const fault of isQualifiedName(appProtocol)) out.push(invalid(path.child('appProtocol'), appProtocol, fault));
}

function choice(value: string | undefined, values: readonly string[], path: FieldPath, out: Faults): void {
  if (!value) out.push(required(path));
  else if (!values.includes(value)) out.push(notSupported(path, value, values));
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig: config }: ServiceSpec, out: Faults): void {
  choice(sessionAffinity, ['ClientIP', 'None'], specPath.child('sessionAffinity'), out);
  const path = specPath.child('sessionAffinityConfig');
  if (sessionAffinity === 'None' && config !== undefined) out.push(forbidden(path, 'must not be set when session affinity is None'));
  if (sessionAffinity !== 'ClientIP') return;
  const text = 'when session affinity type is ClientIP';
  const at = path.child('clientIP');
  if (config === undefined) out.push(required(path, text));
  else if (config.clientIP === undefined) out.push(required(at, text));
  else if (config.clientIP.timeoutSeconds === undefined) out.push(required(at.child('timeoutSeconds'), text));
  else {
    const seconds = config.clientIP.timeoutSeconds;
    if (seconds <= 0 || seconds > affinitySecondsMax)
      out.push(invalid(at.child('timeoutSeconds'), seconds, `must be greater than 0 and less than ${affinitySecondsMax}`));
  }
}

function validateExternalIps({ externalIPs }: ServiceSpec, old: ServiceSpec | undefined, strict: boolean, out: Faults): void {
  for (const [index, text] of (externalIPs ?? []).entries()) {
    const path = specPath.child('externalIPs').index(index);
    const faults = isValidIPForLegacyField(path, text, strict, old?.externalIPs ?? []);
    const ip = parseIP(text);
    out.push(...(faults.length > 0 || ip === undefined ? faults : specialFaults(ip, text, path)));
  }
}

function validateUniquePorts({ type, ports = [] }: ServiceSpec, out: Faults): void {
  if (type === 'ClusterIP')
    for (const [index, { nodePort }] of ports.entries())
      if (nodePort) out.push(forbidden(portsPath.index(index).child('nodePort'), "may not be used when `type` is 'ClusterIP'"));
  const [onNodes, used] = [new Set<string>(), new Set<string>()];
  for (const [index, { protocol = '', nodePort }] of ports.entries()) {
    if (!nodePort) continue;
    if (onNodes.has(`${protocol}/${nodePort}`)) out.push(duplicate(portsPath.index(index).child('nodePort'), nodePort));
    onNodes.add(`${protocol}/${nodePort}`);
  }
  for (const [index, { protocol = '', port }] of ports.entries()) {
    if (used.has(`${protocol}/${port}`)) out.push(duplicate(portsPath.index(index), shownPort(protocol, port)));
    used.add(`${protocol}/${port}`);
  }
}

/** What upstream compares, as Go prints it. */
function shownPort(protocol: string, port: number): object {
  return { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
}

function validateBalancer(
  annotations: { readonly [key: string]: string } | undefined,
  spec: ServiceSpec,
  old: Service | undefined,
  strict: boolean,
  out: Faults,
): void {
  const isBalanced = spec.type === 'LoadBalancer';
  const ranges = spec.loadBalancerSourceRanges ?? [];
  const annotation = getOwn(annotations, rangesKey);
  if (ranges.length > 0) {
    const path = specPath.child('LoadBalancerSourceRanges');
    if (!isBalanced) out.push(forbidden(path, onlyBalanced));
    const before = (old?.spec?.loadBalancerSourceRanges ?? []).map((range) => range.trim());
    for (const [index, range] of ranges.entries()) out.push(...isValidCIDRForLegacyField(path.index(index), range.trim(), strict, before));
  } else if (annotation !== undefined) {
    const path = metadataPath.child('annotations').key(rangesKey);
    if (!isBalanced) out.push(forbidden(path, onlyBalanced));
    if (annotation.trim() !== '' && getOwn(old?.metadata.annotations, rangesKey) !== annotation)
      for (const range of annotation.trim().split(',')) out.push(...isValidCIDRForLegacyField(path, range.trim(), strict));
  }
  const allocates = spec.allocateLoadBalancerNodePorts;
  if (allocates !== undefined && !isBalanced) out.push(forbidden(specPath.child('allocateLoadBalancerNodePorts'), onlyBalanced));
  if (allocates === undefined && isBalanced) out.push(required(root('allocateLoadBalancerNodePorts')));
}

function validateClass({ type, loadBalancerClass: name }: ServiceSpec, out: Faults): void {
  if (name === undefined) return;
  const path = specPath.child('loadBalancerClass');
  if (type !== 'LoadBalancer') out.push(forbidden(path, onlyBalanced));
  else for (const fault of isQualifiedName(name)) out.push(invalid(path, name, fault));
}

function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

function validateTraffic(spec: ServiceSpec, byAddress: boolean, out: Faults): void {
  const { type, externalTrafficPolicy: external = '', internalTrafficPolicy: internal, trafficDistribution } = spec;
  const path = specPath.child('externalTrafficPolicy');
  if (isReached(spec, byAddress)) choice(external, policies, path, out);
  else if (external !== '') out.push(invalid(path, external, 'may only be set for externally-accessible services'));
  const port = spec.healthCheckNodePort ?? 0;
  const at = specPath.child('healthCheckNodePort');
  if (!needsHealthCheck(spec)) {
    if (port !== 0) out.push(invalid(at, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"));
  } else if (port === 0) out.push(required(at));
  else for (const fault of isValidPortNum(port)) out.push(invalid(at, port, fault));
  const inside = specPath.child('internalTrafficPolicy');
  if (internal === undefined && type !== undefined && type !== 'ExternalName' && types.includes(type)) out.push(required(inside));
  if (internal !== undefined && !policies.includes(internal)) out.push(notSupported(inside, internal, policies));
  if (trafficDistribution !== undefined && !distributions.includes(trafficDistribution))
    out.push(notSupportedOf(specPath.child('trafficDistribution'), trafficDistribution, distributions));
}

/** Where its balancer is. */
export function validateServiceStatus(next: Service, old: Service, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const path = root('status', 'loadBalancer', 'ingress');
  const all = next.status?.loadBalancer?.ingress ?? [];
  const isAlone = context.ratcheted('BalancersAlone');
  if (isAlone && next.spec?.type !== 'LoadBalancer' && all.length > 0)
    return [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  const before = (old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  for (const [index, { ip = '', ipMode, hostname }] of all.entries()) {
    const at = path.index(index);
    if (ip !== '') out.push(...isValidIPForLegacyField(at.child('ip'), ip, isStrict(context), before));
    if (ipMode === undefined) {
      if (ip !== '' && isAlone) out.push(required(at.child('ipMode'), 'must be specified when `ip` is set'));
    } else if (ip === '') out.push(forbidden(at.child('ipMode'), 'may not be specified when `ip` is not set'));
    else if (!ipModes.includes(ipMode)) out.push(notSupported(at.child('ipMode'), ipMode, ipModes));
    if (!hostname) continue;
    for (const fault of isDNS1123Subdomain(hostname)) out.push(invalid(at.child('hostname'), hostname, fault));
    if (parseIP(hostname) !== undefined) out.push(invalid(at.child('hostname'), hostname, 'must be a DNS name, not an IP address'));
  }
  return out;
}
