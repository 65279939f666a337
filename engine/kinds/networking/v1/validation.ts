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
} from '../../../apimachinery/field-errors.ts';
import {
  isDNS1035Label,
  isDNS1123Subdomain,
  isValidCIDR,
  isWildcardDNS1123Subdomain,
  validateLabelSelector,
} from '../../../apimachinery/validation.ts';
import { validatePortNumOrName } from '../../core/v1/probe-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
/** Where a rule names its peers. */
const names = { sources: `from`, targets: `to` } as const;
const protocols = ['SCTP', 'TCP', 'UDP'];

export function validateIngress(object: Ingress): FieldErrorList {
  const out: Faults = [];
  const { rules = [], defaultBackend, tls = [], ingressClassName } = object.spec ?? {};
  if (rules.length === 0 && !defaultBackend)
    out.push(invalid(specPath, object.spec?.rules ?? null, 'either `defaultBackend` or `rules` must be specified'));
  if (defaultBackend) validateBackend(defaultBackend, specPath.child('defaultBackend'), out);
  for (const [index, rule] of rules.entries()) {
    const at = specPath.child('rules').index(index);
    if (rule.host) validateHost(rule.host, at.child('host'), out);
    if (!rule.http) continue;
    if (!rule.http.paths?.length) out.push(required(at.child('http').child('paths')));
    for (const [place, entry] of (rule.http.paths ?? []).entries()) validatePath(entry, at.child('http').child('paths').index(place), out);
  }
  for (const [index, entry] of tls.entries()) {
    for (const [place, host] of (entry.hosts ?? []).entries())
      validateHost(host, specPath.child('tls').index(index).child('hosts').index(place), out);
    if (entry.secretName)
      for (const fault of isDNS1123Subdomain(entry.secretName))
        out.push(invalid(specPath.child('tls').index(index).child('secretName'), entry.secretName, fault));
  }
  if (ingressClassName)
    for (const fault of isDNS1123Subdomain(ingressClassName)) out.push(invalid(specPath.child('ingressClassName'), ingressClassName, fault));
  return out;
}

function validateHost(host: string, path: FieldPath, out: Faults): void {
  const faults = host.includes('*') ? isWildcardDNS1123Subdomain(host) : isDNS1123Subdomain(host);
  for (const fault of faults) out.push(invalid(path, host, fault));
}

function validatePath(entry: HTTPIngressPath, path: FieldPath, out: Faults): void {
  const text = entry.path ?? '';
  if (!entry.pathType) out.push(required(path.child('pathType'), 'pathType must be specified'));
  else if (!pathTypes.includes(entry.pathType)) out.push(notSupported(path.child('pathType'), entry.pathType, pathTypes));
  else if (entry.pathType === 'ImplementationSpecific' ? text !== '' && !text.startsWith('/') : !text.startsWith('/')) {
    out.push(invalid(path.child('path'), text, 'must be an absolute path'));
  } else if (entry.pathType !== 'ImplementationSpecific') {
    for (const part of ['//', '/./', '/../', '%2f', '%2F'])
      if (text.includes(part)) out.push(invalid(path.child('path'), text, `must not contain '${part}'`));
    for (const end of ['/..', '/.']) if (text.endsWith(end)) out.push(invalid(path.child('path'), text, `cannot end with '${end}'`));
  }
  validateBackend(entry.backend, path.child('backend'), out);
}

function validateBackend(backend: IngressBackend | undefined, path: FieldPath, out: Faults): void {
  const { service, resource } = backend ?? {};
  if (service && resource) return void out.push(invalid(path, '', 'cannot set both resource and service backends'));
  if (resource) {
    if (!resource.kind) out.push(required(path.child('resource').child('kind')));
    if (!resource.name) out.push(required(path.child('resource').child('name')));
    return;
  }
  if (!service) return void out.push(invalid(path, '', 'resource or service backend is required'));
  if (!service.name) out.push(required(path.child('service').child('name')));
  else for (const fault of isDNS1035Label(service.name)) out.push(invalid(path.child('service').child('name'), service.name, fault));
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

export function validateNetworkPolicy(object: NetworkPolicy): FieldErrorList {
  const out: Faults = [];
  const { podSelector, ingress = [], egress = [], policyTypes = [] } = object.spec ?? {};
  if (podSelector) out.push(...validateLabelSelector(podSelector, specPath.child('podSelector')));
  for (const [index, rule] of ingress.entries()) validatePeers(rule.ports, rule.from, specPath.child('ingress').index(index), names.sources, out);
  for (const [index, rule] of egress.entries()) validatePeers(rule.ports, rule.to, specPath.child('egress').index(index), names.targets, out);
  if (policyTypes.length > 2) out.push(invalid(specPath.child('policyTypes'), policyTypes, 'may not specify more than two policyTypes'));
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
  out: Faults,
): void {
  for (const [index, port] of (ports ?? []).entries()) {
    const at = path.child('ports').index(index);
    if (port.protocol && !protocols.includes(port.protocol)) out.push(notSupportedOf(at.child('protocol'), port.protocol, ['TCP', 'UDP', 'SCTP']));
    if (port.port !== undefined) validatePortNumOrName(port.port, at.child('port'), out);
    else if (port.endPort !== undefined) out.push(required(at.child('port'), 'must be specified when endPort is specified'));
    if (port.endPort !== undefined && typeof port.port === 'number' && port.endPort < port.port)
      out.push(invalid(at.child('endPort'), port.endPort, 'must be greater than or equal to `port`'));
  }
  for (const [index, peer] of (peers ?? []).entries()) {
    const at = path.child(side).index(index);
    if (peer.podSelector) out.push(...validateLabelSelector(peer.podSelector, at.child('podSelector')));
    if (peer.namespaceSelector) out.push(...validateLabelSelector(peer.namespaceSelector, at.child('namespaceSelector')));
    if (peer.ipBlock && (peer.podSelector || peer.namespaceSelector)) out.push(forbidden(at, 'may not specify both ipBlock and another peer'));
    else if (peer.ipBlock) {
      if (!peer.ipBlock.cidr) out.push(required(at.child('ipBlock').child('cidr')));
      else out.push(...isValidCIDR(at.child('ipBlock').child('cidr'), peer.ipBlock.cidr));
    } else if (!peer.podSelector && !peer.namespaceSelector) out.push(required(at, 'must specify a peer'));
  }
}
