/** Ingresses and network policies. Mirrors pkg/apis/networking/validation. */
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '../../../api/networking/v1/types.gen.ts';
import {
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
  isDNS1035Label,
  isDNS1123Subdomain,
  isValidCIDRForLegacyField,
  isValidPortNum,
  cidrContains,
  isDNS1123Label,
  isPathSegmentName,
  isValidIPForLegacyField,
  warningsForIP,
  parseCIDR,
  parseIP,
  isWildcardDNS1123Subdomain,
  validateLabelSelector,
} from '../../../apimachinery/validation.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { validatePortNumOrName } from '../../core/v1/probe-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
/** Where a rule names its peers. */
const names = { sources: `from`, targets: `to` } as const;
const protocols = ['SCTP', 'TCP', 'UDP'];

export const classAnnotation = 'kubernetes.io/ingress.class';

export function validateIngress(object: Ingress, context: StrategyContext): FieldErrorList {
  const out: Faults = [...ingressFaults(object, serviceNames(context, undefined))];
  const [asked, given] = [object.metadata.annotations?.[classAnnotation], object.spec?.ingressClassName];
  if (asked !== undefined && given !== undefined && asked !== given)
    out.push(invalid(root('annotations', classAnnotation), asked, 'must match `ingressClassName` when both are specified'));
  return out;
}

export function validateIngressUpdate(next: Ingress, old: Ingress, context: StrategyContext): FieldErrorList {
  return ingressFaults(next, serviceNames(context, old));
}

export function validateIngressStatus(next: Ingress, old: Ingress, context: StrategyContext): FieldErrorList {
  const before = (old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  const out: Faults = [];
  for (const [index, { ip, hostname }] of (next.status?.loadBalancer?.ingress ?? []).entries()) {
    const at = balancerPath.index(index);
    if (ip) out.push(...isValidIPForLegacyField(at.child('ip'), ip, context.featureEnabled('StrictIPCIDRValidation'), before));
    if (!hostname) continue;
    for (const fault of isDNS1123Subdomain(hostname)) out.push(invalid(at.child('hostname'), hostname, fault));
    if (parseIP(hostname) !== undefined) out.push(invalid(at.child('hostname'), hostname, 'must be a DNS name, not an IP address'));
  }
  return out;
}

export function balancerWarnings({ status }: Ingress): readonly string[] {
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, index) => (ip ? warningsForIP(balancerPath.index(index), ip) : []));
}

const balancerPath = root('status', 'loadBalancer', 'ingress');

type NameCheck = (name: string) => readonly string[];

/** Names that begin with a digit pass where the gate relaxes them, or where they stood before. */
function serviceNames(context: StrategyContext, old: Ingress | undefined): NameCheck {
  const backends = [old?.spec?.defaultBackend, ...(old?.spec?.rules ?? []).flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend))];
  const isRelaxed = (name = ''): boolean => isDNS1123Label(name).length === 0 && isDNS1035Label(name).length > 0;
  const had = backends.some((backend) => isRelaxed(backend?.service?.name));
  return had || context.featureEnabled('RelaxedServiceNameValidation') ? isDNS1123Label : isDNS1035Label;
}

function ingressFaults(object: Ingress, names: NameCheck): FieldErrorList {
  const out: Faults = [];
  const { rules = [], defaultBackend, tls = [], ingressClassName } = object.spec ?? {};
  if (rules.length === 0 && !defaultBackend)
    out.push(invalid(specPath, object.spec?.rules ?? null, 'either `defaultBackend` or `rules` must be specified'));
  if (defaultBackend) validateBackend(defaultBackend, names, specPath.child('defaultBackend'), out);
  for (const [index, rule] of rules.entries()) {
    const at = specPath.child('rules').index(index);
    if (rule.host && parseIP(rule.host) !== undefined) out.push(invalid(at.child('host'), rule.host, 'must be a DNS name, not an IP address'));
    if (rule.host) validateHost(rule.host, at.child('host'), out);
    if (!rule.http) continue;
    if (!rule.http.paths?.length) out.push(required(at.child('http').child('paths')));
    for (const [place, entry] of (rule.http.paths ?? []).entries()) validatePath(entry, names, at.child('http').child('paths').index(place), out);
  }
  for (const [index, entry] of tls.entries()) {
    for (const [place, host] of (entry.hosts ?? []).entries())
      validateHost(host, specPath.child('tls').index(index).child('hosts').index(place), out);
    if (entry.secretName)
      for (const fault of isDNS1123Subdomain(entry.secretName))
        out.push(invalid(specPath.child('tls').index(index).child('secretName'), entry.secretName, fault));
  }
  if (ingressClassName !== undefined)
    for (const fault of isDNS1123Subdomain(ingressClassName)) out.push(invalid(specPath.child('ingressClassName'), ingressClassName, fault));
  return out;
}

function validateHost(host: string, path: FieldPath, out: Faults): void {
  const faults = host.includes('*') ? isWildcardDNS1123Subdomain(host) : isDNS1123Subdomain(host);
  for (const fault of faults) out.push(invalid(path, host, fault));
}

function validatePath(entry: HTTPIngressPath, names: NameCheck, path: FieldPath, out: Faults): void {
  const text = entry.path ?? '';
  if (entry.pathType === undefined || entry.pathType === null) return void out.push(required(path.child('pathType'), 'pathType must be specified'));
  if (!pathTypes.includes(entry.pathType)) out.push(notSupported(path.child('pathType'), entry.pathType, pathTypes));
  else if (entry.pathType === 'ImplementationSpecific' ? text !== '' && !text.startsWith('/') : !text.startsWith('/')) {
    out.push(invalid(path.child('path'), text, 'must be an absolute path'));
  }
  if (entry.pathType === 'Exact' || entry.pathType === 'Prefix') {
    for (const part of ['//', '/./', '/../', '%2f', '%2F'])
      if (text.includes(part)) out.push(invalid(path.child('path'), text, `must not contain '${part}'`));
    for (const end of ['/..', '/.']) if (text.endsWith(end)) out.push(invalid(path.child('path'), text, `cannot end with '${end}'`));
  }
  validateBackend(entry.backend, names, path.child('backend'), out);
}

function validateBackend(backend: IngressBackend | undefined, names: NameCheck, path: FieldPath, out: Faults): void {
  const { service, resource } = backend ?? {};
  if (service && resource) return void out.push(invalid(path, '', 'cannot set both resource and service backends'));
  if (resource) {
    const { apiGroup } = resource;
    if (apiGroup !== undefined && apiGroup !== null)
      for (const fault of isDNS1123Subdomain(apiGroup)) out.push(invalid(path.child('resource', 'apiGroup'), apiGroup, fault));
    for (const member of ['kind', 'name'] as const) {
      const value = resource[member];
      if (!value) out.push(required(path.child('resource', member)));
      else for (const fault of isPathSegmentName(value)) out.push(invalid(path.child('resource', member), value, fault));
    }
    return;
  }
  if (!service) return void out.push(invalid(path, '', 'resource or service backend is required'));
  if (!service.name) out.push(required(path.child('service').child('name')));
  else for (const fault of names(service.name)) out.push(invalid(path.child('service').child('name'), service.name, fault));
  const { name, number } = service.port ?? {};
  if (name && number) out.push(invalid(path, '', 'cannot set both port name & port number'));
  else if (!name && !number) out.push(required(path, 'port name or number is required'));
  else
    validatePortNumOrName(
      name || (number ?? 0),
      path
        .child('service')
        .child('port')
        .child(name ? 'name' : 'number'),
      out,
    );
}

export function validateNetworkPolicy(object: NetworkPolicy, context: StrategyContext): FieldErrorList {
  return policyFaults(object, rulesOf(context, context.featureEnabled('StrictIPCIDRValidation')));
}

/** How blocks of addresses are judged. */
interface BlockRules {
  readonly isStrict: boolean;
  /** What is left out is smaller than the block, and not only in it. */
  readonly leavesSome: boolean;
}

function rulesOf(context: Pick<StrategyContext, 'ratcheted'>, isStrict: boolean): BlockRules {
  return { isStrict, leavesSome: context.ratcheted('StrictExcepts') };
}

/** What was written of blocks before they were judged strictly stays. */
export function validateNetworkPolicyUpdate(next: NetworkPolicy, old: NetworkPolicy, context: StrategyContext): FieldErrorList {
  const isOn = context.featureEnabled('StrictIPCIDRValidation');
  const [strict, lax] = [rulesOf(context, true), rulesOf(context, false)];
  const hadOdd = isOn && policyFaults(old, strict).length > policyFaults(old, lax).length;
  return policyFaults(next, isOn && !hadOdd ? strict : lax);
}

function policyFaults(object: NetworkPolicy, rules: BlockRules): FieldErrorList {
  const out: Faults = [];
  const { podSelector, ingress = [], egress = [], policyTypes = [] } = object.spec ?? {};
  if (podSelector) out.push(...validateLabelSelector(podSelector, specPath.child('podSelector')));
  for (const [index, rule] of ingress.entries())
    validatePeers(rule.ports, rule.from, specPath.child('ingress').index(index), names.sources, rules, out);
  for (const [index, rule] of egress.entries()) validatePeers(rule.ports, rule.to, specPath.child('egress').index(index), names.targets, rules, out);
  if (policyTypes.length > 2) return [...out, invalid(specPath.child('policyTypes'), policyTypes, 'may not specify more than two policyTypes')];
  for (const [index, type] of policyTypes.entries()) {
    if (type !== 'Ingress' && type !== 'Egress') out.push(notSupportedOf(specPath.child('policyTypes').index(index), type, ['Ingress', 'Egress']));
  }
  return out;
}

function validatePeers(
  ports: readonly NetworkPolicyPort[] | undefined,
  peers: readonly NetworkPolicyPeer[] | undefined,
  path: FieldPath,
  side: string,
  rules: BlockRules,
  out: Faults,
): void {
  for (const [index, port] of (ports ?? []).entries()) {
    const at = path.child('ports').index(index);
    if (port.protocol && !protocols.includes(port.protocol)) out.push(notSupportedOf(at.child('protocol'), port.protocol, ['TCP', 'UDP', 'SCTP']));
    validatePortRange(port, at, out);
  }
  for (const [index, peer] of (peers ?? []).entries()) {
    const at = path.child(side).index(index);
    if (peer.podSelector) out.push(...validateLabelSelector(peer.podSelector, at.child('podSelector')));
    if (peer.namespaceSelector) out.push(...validateLabelSelector(peer.namespaceSelector, at.child('namespaceSelector')));
    if (peer.ipBlock) validateBlock(peer.ipBlock, rules, at.child('ipBlock'), out);
    const hasSelector = Boolean(peer.podSelector) || Boolean(peer.namespaceSelector);
    if (peer.ipBlock && hasSelector) out.push(forbidden(at, 'may not specify both ipBlock and another peer'));
    if (!peer.ipBlock && !hasSelector) out.push(required(at, 'must specify a peer'));
  }
}

function validatePortRange({ port, endPort }: NetworkPolicyPort, path: FieldPath, out: Faults): void {
  const end = path.child('endPort');
  if (typeof port === 'number') {
    validatePortNumOrName(port, path.child('port'), out);
    if (endPort === undefined) return;
    // Upstream shows the port.
    if (endPort < port) out.push(invalid(end, port, 'must be greater than or equal to `port`'));
    for (const fault of isValidPortNum(endPort)) out.push(invalid(end, endPort, fault));
    return;
  }
  const what = port === undefined ? 'not specified' : 'non-numeric';
  if (endPort !== undefined) out.push(invalid(end, endPort, `may not be specified when \`port\` is ${what}`));
  if (port !== undefined) validatePortNumOrName(port, path.child('port'), out);
}

function validateBlock(
  { cidr, except }: NonNullable<NetworkPolicyPeer['ipBlock']>,
  { isStrict, leavesSome }: BlockRules,
  path: FieldPath,
  out: Faults,
): void {
  if (!cidr) return void out.push(required(path.child('cidr')));
  out.push(...isValidCIDRForLegacyField(path.child('cidr'), cidr, isStrict));
  const whole = parseCIDR(cidr);
  if (whole === undefined) return;
  for (const [index, text] of (except ?? []).entries()) {
    const at = path.child('except').index(index);
    out.push(...isValidCIDRForLegacyField(at, text, isStrict));
    const part = parseCIDR(text);
    if (part === undefined) continue;
    const isWithin = cidrContains(whole, { ...part.ip, bytes: part.network }) && (!leavesSome || whole.prefixLength < part.prefixLength);
    if (!isWithin) out.push(invalid(at, text, 'must be a strict subset of `cidr`'));
  }
}
