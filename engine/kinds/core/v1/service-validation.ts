/** Services. Mirrors ValidateService of pkg/apis/core/validation. */
import type { Service, ServicePort, ServiceSpec } from '../../../api/core/v1/types.gen.ts';
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
} from '../../../apimachinery/field-errors.ts';
import {
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isValidIPForLegacyField,
  isValidPortNum,
  validateLabels,
} from '../../../apimachinery/validation.ts';
import { metadataPath, specPath } from '../../shared/strategy.ts';
import { validatePortNumOrName } from './probe-validation.ts';
import type { Faults } from './resource-validation.ts';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const protocols = ['SCTP', 'TCP', 'UDP'];
const policies = ['Cluster', 'Local'];

/** A name may begin with a digit only where a gate relaxes that. */
export function validateNewService(object: Service, context: StrategyContext): FieldErrorList {
  const { name = '' } = object.metadata;
  const isTooRelaxed = !context.featureEnabled('RelaxedServiceNameValidation') && isDNS1123Label(name).length === 0;
  const faults = isTooRelaxed ? isDNS1035Label(name).map((fault) => invalid(metadataPath.child('name'), name, fault)) : [];
  return [...faults, ...validateService(object)];
}

export function validateService(object: Service): FieldErrorList {
  const out: Faults = [];
  const spec: ServiceSpec = object.spec ?? {};
  const headless = spec.clusterIP === 'None';
  const ports = spec.ports ?? [];
  if (ports.length === 0 && !headless && spec.type !== 'ExternalName') out.push(required(specPath.child('ports')));
  if (spec.type === 'LoadBalancer' && headless)
    out.push(invalid(specPath.child('clusterIPs').index(0), spec.clusterIP, "may not be set to 'None' for LoadBalancer services"));
  if (spec.type === 'NodePort' && headless)
    out.push(invalid(specPath.child('clusterIPs').index(0), spec.clusterIP, "may not be set to 'None' for NodePort services"));
  if (spec.type === 'ExternalName') {
    if (spec.clusterIPs?.length) out.push(forbidden(specPath.child('clusterIPs'), 'may not be set for ExternalName services'));
    const name = (spec.externalName ?? '').replace(/\.$/, '');
    if (name === '') out.push(required(specPath.child('externalName')));
    else for (const fault of isDNS1123Subdomain(name)) out.push(invalid(specPath.child('externalName'), spec.externalName, fault));
  }
  validatePorts(ports, headless, out);
  if (spec.selector) out.push(...validateLabels(spec.selector, specPath.child('selector')));
  validateChoices(spec, out);
  for (const [index, ip] of (spec.externalIPs ?? []).entries()) out.push(...isValidIPForLegacyField(specPath.child('externalIPs').index(index), ip));
  validateNodePorts(spec, out);
  return out;
}

function choice(value: string | undefined, values: readonly string[], path: FieldPath, out: Faults): void {
  if (!value) out.push(required(path));
  else if (!values.includes(value)) out.push(notSupported(path, value, values));
}

function validateChoices(spec: ServiceSpec, out: Faults): void {
  choice(spec.sessionAffinity, ['ClientIP', 'None'], specPath.child('sessionAffinity'), out);
  choice(spec.type, types, specPath.child('type'), out);
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (seconds !== undefined && (seconds <= 0 || seconds > 86400)) {
    out.push(
      invalid(
        specPath.child('sessionAffinityConfig').child('clientIP').child('timeoutSeconds'),
        seconds,
        'must be greater than 0 and less than 86400',
      ),
    );
  }
  if (spec.externalTrafficPolicy && !policies.includes(spec.externalTrafficPolicy))
    out.push(notSupported(specPath.child('externalTrafficPolicy'), spec.externalTrafficPolicy, policies));
  if (spec.internalTrafficPolicy && !policies.includes(spec.internalTrafficPolicy))
    out.push(notSupported(specPath.child('internalTrafficPolicy'), spec.internalTrafficPolicy, policies));
  if (spec.trafficDistribution && !distributions.includes(spec.trafficDistribution))
    out.push(notSupportedOf(specPath.child('trafficDistribution'), spec.trafficDistribution, distributions));
}

const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

function validatePorts(ports: readonly ServicePort[], headless: boolean, out: Faults): void {
  const names = new Set<string>();
  const used = new Set<string>();
  const path = specPath.child('ports');
  for (const [index, port] of ports.entries()) {
    const at = path.index(index);
    if (ports.length > 1 && !port.name) out.push(required(at.child('name')));
    else if (port.name) {
      for (const fault of isDNS1123Label(port.name)) out.push(invalid(at.child('name'), port.name, fault));
      if (names.has(port.name)) out.push(duplicate(at.child('name'), port.name));
      names.add(port.name);
    }
    for (const fault of isValidPortNum(port.port)) out.push(invalid(at.child('port'), port.port, fault));
    choice(port.protocol, protocols, at.child('protocol'), out);
    validatePortNumOrName(port.targetPort ?? 0, at.child('targetPort'), out);
    if (headless && port.port !== port.targetPort && port.targetPort === undefined) out.push(required(at.child('targetPort')));
    const key = `${port.protocol ?? ''}/${port.port}`;
    if (used.has(key)) out.push(duplicate(at, { protocol: port.protocol, port: port.port }));
    used.add(key);
  }
}

function validateNodePorts(spec: ServiceSpec, out: Faults): void {
  const used = new Set<string>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort) continue;
    const at = specPath.child('ports').index(index).child('nodePort');
    if (spec.type === 'ClusterIP' || spec.type === 'ExternalName') out.push(forbidden(at, `may not be used when \`type\` is '${spec.type}'`));
    const key = `${port.protocol ?? ''}/${port.nodePort}`;
    if (used.has(key)) out.push(duplicate(at, port.nodePort));
    used.add(key);
  }
}

export function validateServiceUpdate(next: Service, old: Service): FieldErrorList {
  if (next.spec === old.spec) return [];
  const out: Faults = [...validateService(next)];
  const [now, before] = [next.spec ?? {}, old.spec ?? {}];
  const kept = now.type !== 'ExternalName' && before.type !== 'ExternalName' && before.clusterIP;
  if (kept && now.clusterIP !== before.clusterIP)
    out.push(invalid(specPath.child('clusterIPs').index(0), now.clusterIP ?? '', 'may not change once set'));
  return out;
}
