/** What an update of a pod's status may say. Mirrors ValidatePodStatusUpdate of pkg/apis/core/validation. */
import type { Container, ContainerStatus, Pod, PodSpec } from '../../../api/core/v1/types.gen.ts';
import { duplicate, type FieldErrorList, type FieldPath, forbidden, internal, invalid, required } from '../../../apimachinery/field-errors.ts';
import { hasPending } from '../../../apimachinery/initializers.ts';
import { parseIP } from '../../../apimachinery/ip.ts';
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidIPForLegacyField,
  validateImmutableField,
} from '../../../apimachinery/validation.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { statusPath } from '../../shared/strategy.ts';
import { validateContainerStatuses } from './container-status-validation.ts';
import { withUsedGates } from './gates-in-use.ts';
import { validateAnnotationUpdate } from './pod-validation.ts';
import type { Faults } from './resource-validation.ts';

type Status = NonNullable<Pod['status']>;
const noSpec: PodSpec = Object.freeze({ containers: [] });
const countText = 'must be a non-negative integer';

export function validatePodStatusUpdate(next: Pod, old: Pod, context: StrategyContext): FieldErrorList {
  if (hasPending(old)) return [forbidden(statusPath, 'must not update status when the object is uninitialized')];
  const out: Faults = [];
  const [now, before] = [next.status ?? {}, old.status ?? {}];
  const spec = old.spec ?? noSpec;
  validateAnnotationUpdate(next, old, withUsedGates(context, old), out);
  if (now.conditions !== before.conditions) validateConditions(now, out);
  const nominated = now.nominatedNodeName ?? '';
  const at = statusPath.child('nominatedNodeName');
  if (nominated !== '' && nominated !== before.nominatedNodeName) {
    for (const fault of isDNS1123Subdomain(nominated)) out.push(invalid(at, nominated, fault));
    if (spec.nodeName && context.featureEnabled('ClearingNominatedNodeNameAfterBinding'))
      out.push(forbidden(at, 'may not be set on pods that are already bound to a node'));
  }
  if ((now.observedGeneration ?? 0) < 0) out.push(invalid(statusPath.child('observedGeneration'), now.observedGeneration, countText));
  if (now.qosClass !== before.qosClass) out.push(...validateImmutableField(now.qosClass ?? '', before.qosClass ?? '', statusPath.child('qosClass')));
  validateTransitions(now.containerStatuses, before.containerStatuses, spec.containers ?? [], spec, statusPath.child('containerStatuses'), out);
  const inits = statusPath.child('initContainerStatuses');
  validateTransitions(now.initContainerStatuses, before.initContainerStatuses, spec.initContainers ?? [], spec, inits, out);
  validateEnded(now.ephemeralContainerStatuses, before.ephemeralContainerStatuses, () => false, statusPath.child('ephemeralContainerStatuses'), out);
  validateClaims(now, spec, out);
  validateExtendedClaim(now, spec, out);
  const isStrict = context.featureEnabled('StrictIPCIDRValidation');
  validateIPs(now.podIPs, before.podIPs, isStrict, statusPath.child('podIPs'), out);
  validateHostIPs(now, before, isStrict, out);
  validateContainerStatuses(now, spec, out);
  return out;
}

const systemConditions: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

function validateConditions({ conditions = [] }: Status, out: Faults): void {
  for (const [index, { type = '', observedGeneration = 0 }] of conditions.entries()) {
    const at = statusPath.child('conditions').index(index);
    if (observedGeneration < 0) out.push(invalid(at.child('observedGeneration'), observedGeneration, countText));
    if (!systemConditions.has(type)) for (const fault of isQualifiedName(type)) out.push(invalid(at.child('Type'), type, fault));
  }
}

type Statuses = readonly ContainerStatus[] | undefined;

/** What has ended for good does not run again. */
function validateTransitions(next: Statuses, old: Statuses, containers: readonly Container[], spec: PodSpec, path: FieldPath, out: Faults): void {
  const all = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  if (all.some(({ restartPolicyRules }) => restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'))) return;
  validateEnded(
    next,
    old,
    (name, code) => {
      const container = containers.find((one) => one.name === name);
      return container !== undefined && isRestarted(container, spec, code);
    },
    path,
    out,
  );
}

function validateEnded(next: Statuses, old: Statuses, mayRestart: (name: string, code: number) => boolean, path: FieldPath, out: Faults): void {
  if (next === old || next === undefined) return;
  for (const [index, { name, state }] of (old ?? []).entries()) {
    if (!state?.terminated) continue;
    const now = next.find((one) => one.name === name);
    if (now === undefined || now.state?.terminated || mayRestart(name, state.terminated.exitCode ?? 0)) continue;
    out.push(forbidden(path.index(index).child('state'), 'may not be transitioned to non-terminated state'));
  }
}

function isRestarted({ restartPolicy, restartPolicyRules = [] }: Container, spec: PodSpec, code: number): boolean {
  const rule = restartPolicyRules.find(({ exitCodes }) => exitCodes?.values?.includes(code) === (exitCodes?.operator === 'In'));
  if (restartPolicy !== undefined && rule?.action === 'Restart') return true;
  const policy = restartPolicy ?? spec.restartPolicy;
  return policy === 'OnFailure' ? code !== 0 : policy !== 'Never';
}

function validateClaims({ resourceClaimStatuses = [] }: Status, { resourceClaims = [] }: PodSpec, out: Faults): void {
  const names = new Set<string>();
  for (const [index, { name = '', resourceClaimName }] of resourceClaimStatuses.entries()) {
    const at = statusPath.child('resourceClaimStatuses').index(index);
    if (!resourceClaims.some((claim) => claim.name === name))
      out.push(invalid(at.child('name'), name, 'must match the name of an entry in `spec.resourceClaims`'));
    if (names.has(name)) out.push(duplicate(at.child('name'), name));
    names.add(name);
    if (resourceClaimName !== undefined)
      for (const fault of isDNS1123Subdomain(resourceClaimName)) out.push(invalid(at.child('resourceClaimName'), resourceClaimName, fault));
  }
}

function validateExtendedClaim({ extendedResourceClaimStatus: status }: Status, spec: PodSpec, out: Faults): void {
  if (!status) return;
  const path = statusPath.child('extendedResourceClaimStatus');
  const containers = new Map([...(spec.initContainers ?? []), ...(spec.containers ?? [])].map((one) => [one.name, one]));
  const mappings = status.requestMappings ?? [];
  if (mappings.length === 0) out.push(required(path.child('requestMappings'), 'at least one request mapping is required'));
  const seen = new Set<string>();
  for (const [index, { containerName = '', resourceName = '', requestName = '' }] of mappings.entries()) {
    const at = path.child('requestMappings').index(index);
    const where = (list: string): string => `an entry in spec.initContainers.${list} or spec.containers.${list}`;
    const container = containers.get(containerName);
    if (container === undefined) out.push(invalid(at.child('containerName'), containerName, `must match the name of ${where('name')}`));
    else if (getOwn(container.resources?.requests, resourceName) === undefined)
      out.push(invalid(at.child('resourceName'), resourceName, `must match the extended resource name of ${where('resources.requests')}`));
    for (const fault of isDNS1123Label(requestName)) out.push(invalid(path.child('requestName'), requestName, fault));
    const members = { containerName, resourceName, requestName };
    const key = JSON.stringify(members);
    if (seen.has(key)) for (const [name, value] of Object.entries(members)) out.push(duplicate(at.child(name), value));
    seen.add(key);
  }
  const name = status.resourceClaimName ?? '';
  if (name === '') out.push(required(path.child('resourceClaimName')));
  else for (const fault of isDNS1123Subdomain(name)) out.push(invalid(path.child('resourceClaimName'), name, fault));
}

type Addresses = readonly { readonly ip?: string }[] | undefined;

function validateIPs(now: Addresses = [], before: Addresses, isStrict: boolean, path: FieldPath, out: Faults): void {
  const old = (before ?? []).map(({ ip = '' }) => ip);
  const texts = now.map(({ ip = '' }) => ip);
  for (const [index, text] of texts.entries()) out.push(...isValidIPForLegacyField(path.index(index), text, isStrict, old));
  if (texts.length < 2) return;
  const parsed = texts.map(parseIP);
  const bad = parsed.indexOf(undefined);
  if (bad >= 0) out.push(internal(path, `failed to check for dual stack with error:invalid IP[${bad}]: ${texts[bad]}`));
  if (bad >= 0 || new Set(parsed.map((one) => one?.family)).size < 2 || texts.length > 2)
    out.push(invalid(path, now, 'may specify no more than one IP for each IP family'));
}

function validateHostIPs(now: Status, before: Status, isStrict: boolean, out: Faults): void {
  const [first] = now.hostIPs ?? [];
  if (first === undefined) return;
  const path = statusPath.child('hostIPs');
  if ((now.hostIP ?? '') !== (first.ip ?? '')) out.push(invalid(path.index(0).child('ip'), first.ip ?? '', 'must be equal to `hostIP`'));
  validateIPs(now.hostIPs, before.hostIPs, isStrict, path, out);
}
