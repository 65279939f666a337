/** Containers of every sort. Mirrors validateContainers, validateInitContainers and validateEphemeralContainers of pkg/apis/core/validation. */
import type { Int64 } from '../../../base/int64.ts';
import type { Container, EphemeralContainer, PodSpec, Volume } from '../../../api/core/v1/types.gen.ts';
import {
  type FieldPath,
  duplicate,
  evenEmpty,
  forbidden,
  invalid,
  notFound,
  notSupported,
  notSupportedOf,
  required,
  tooMany,
} from '../../../apimachinery/field-errors.ts';
import { isDNS1123Label, isValidPortName, isValidPortNum } from '../../../apimachinery/validation.ts';
import { validateEnv, validateEnvFrom } from './env-validation.ts';
import { validateLifecycle, validateProbe, type ProbeRole } from './probe-validation.ts';
import { type Faults, validateContainerResourceName, validateRequirements } from './resource-validation.ts';
import { validateContainerSecurity } from './security-validation.ts';
import { validateMounts } from './volume-validation.ts';

/** What containers need to know of their pod. */
export interface PodFacts {
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly claims: ReadonlySet<string>;
  readonly grace: Int64 | undefined;
  readonly restartPolicy: string;
  readonly os: string | undefined;
  readonly needsUsers: boolean;
  /** Whether a rule may restart all containers. */
  readonly restartsAll: boolean;
  /** Whether variables may come from files. */
  readonly hasEnvFiles: boolean;
  /** Whether what init containers may not have is judged no further. */
  readonly restsInit: boolean;
}

const probes: readonly ProbeRole[] = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const protocols = ['SCTP', 'TCP', 'UDP'];
const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
const messagePolicies = ['File', 'FallbackToLogsOnError'];

export function validateContainers(containers: readonly Container[], facts: PodFacts, path: FieldPath, out: Faults): void {
  if (containers.length === 0) return void out.push(required(path));
  const names = new Set<string>();
  for (let index = 0; index < containers.length; index++) {
    const container = containers[index] as Container;
    const at = path.index(index);
    validateCommon(container, facts, at, out);
    if (names.has(container.name)) out.push(duplicate(at.child('name'), container.name));
    names.add(container.name);
    validateRunning(container, facts, at, out);
    validateRestartRules(container, facts, at, out);
  }
  checkHostPorts(containers, path, out);
}

export function validateInitContainers(spec: PodSpec, facts: PodFacts, path: FieldPath, out: Faults): void {
  const names = new Set((spec.containers ?? []).map((container) => container.name));
  for (const [index, container] of (spec.initContainers ?? []).entries()) {
    const at = path.index(index);
    validateCommon(container, facts, at, out);
    if (container.restartPolicy !== undefined) validateRestartRules(container, facts, at, out);
    else if (container.restartPolicyRules?.length)
      out.push(required(at.child('restartPolicy'), 'must specify restartPolicy when restart rules are used'));
    if (names.has(container.name)) out.push(duplicate(at.child('name'), container.name));
    else if (container.name) names.add(container.name);
    checkHostPorts([container], path, out);
    if (container.restartPolicy === 'Always') validateRunning(container, facts, at, out);
    else if (facts.restsInit) forbidRunning(container, at, out);
    else validateRunning(container, facts, at, out);
  }
  if (!facts.restsInit) for (const [index, container] of (spec.initContainers ?? []).entries()) refuseRunning(container, path.index(index), out);
}

function refuseRunning(container: Container, path: FieldPath, out: Faults): void {
  for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe'] as const)
    if (container[name]) out.push(invalid(path.child(name), container[name], 'must not be set for init containers'));
}

function forbidRunning(container: Container, path: FieldPath, out: Faults): void {
  for (const name of ['lifecycle', ...probes] as const) {
    if (container[name]) out.push(forbidden(path.child(name), 'may not be set for init containers without restartPolicy=Always'));
  }
  for (const [index, policy] of (container.resizePolicy ?? []).entries()) {
    if (policy.restartPolicy === 'RestartContainer') {
      out.push(
        invalid(
          path.child('resizePolicy').index(index).child('restartPolicy'),
          policy.restartPolicy,
          "must not be set to 'RestartContainer' for non-sidecar initContainers",
        ),
      );
    }
  }
}

/** In the order of upstream's type. */
const ephemeralForbidden = ['ports', 'resources', 'resizePolicy', 'restartPolicy', 'restartPolicyRules', ...probes, 'lifecycle'] as const;

export function validateEphemeralContainers(spec: PodSpec, facts: PodFacts, path: FieldPath, out: Faults): void {
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((container) => container.name));
  const names = new Set(others);
  for (const [index, container] of (spec.ephemeralContainers ?? []).entries()) {
    const at = path.index(index);
    validateCommon(container, facts, at, out);
    const { image = '' } = container;
    if (image.trim() !== image) out.push(invalid(at.child('image'), image, 'must not have leading or trailing whitespace'));
    if (names.has(container.name)) out.push(duplicate(at.child('name'), container.name));
    names.add(container.name);
    if (container.targetContainerName && !others.has(container.targetContainerName))
      out.push(notFound(at.child('targetContainerName'), container.targetContainerName));
    forbidEphemeral(container, at, out);
  }
}

/** Resources are there with a map in them, be there something in it or not. */
function isThere(container: EphemeralContainer, name: (typeof ephemeralForbidden)[number]): boolean {
  return name === 'resources' ? Object.keys(container.resources ?? {}).length > 0 : container[name] !== undefined;
}

function forbidEphemeral(container: EphemeralContainer, path: FieldPath, out: Faults): void {
  const text = 'cannot be set for an Ephemeral Container';
  for (const name of ephemeralForbidden) if (isThere(container, name)) out.push(evenEmpty(forbidden(path.child(name), text)));
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const at = path.child('volumeMounts').index(index);
    if (mount.subPath) out.push(forbidden(at.child('subPath'), text));
    if (mount.subPathExpr) out.push(forbidden(at.child('subPathExpr'), text));
  }
}

function validateCommon(container: Container | EphemeralContainer, facts: PodFacts, path: FieldPath, out: Faults): void {
  if (!container.name) out.push(required(path.child('name')));
  else for (const fault of isDNS1123Label(container.name)) out.push(invalid(path.child('name'), container.name, fault));
  const image = container.image ?? '';
  if (image === '') out.push(required(path.child('image')));
  const message = container.terminationMessagePolicy;
  if (!message) out.push(required(path.child('terminationMessagePolicy')));
  else if (!messagePolicies.includes(message)) out.push(notSupportedOf(path.child('terminationMessagePolicy'), message, messagePolicies));
  if (container.ports?.length) validatePorts(container.ports, path.child('ports'), out);
  if (container.env?.length) validateEnv(container.env, facts.hasEnvFiles, path.child('env'), out);
  if (container.envFrom?.length) validateEnvFrom(container.envFrom, path.child('envFrom'), out);
  if (container.volumeMounts?.length || container.volumeDevices?.length) validateMounts(container, facts.volumes, path, out);
  const pull = container.imagePullPolicy;
  if (!pull) out.push(required(path.child('imagePullPolicy')));
  else if (!pullPolicies.includes(pull)) out.push(notSupported(path.child('imagePullPolicy'), pull, pullPolicies));
  if (container.resources) validateRequirements(container.resources, validateContainerResourceName, facts.claims, path.child('resources'), out);
  if (container.resizePolicy?.length) validateResizePolicy(container.resizePolicy, facts.restartPolicy, path.child('resizePolicy'), out);
  if (container.securityContext) validateContainerSecurity(container.securityContext, facts.needsUsers, path.child('securityContext'), out);
}

/** What templates let pass and pods do not: blanks around the names of images. */
export function validateImageNames(containers: readonly (Container | EphemeralContainer)[], path: FieldPath, out: Faults): void {
  for (const [index, { image = '' }] of containers.entries())
    if (image.trim() !== image) out.push(invalid(path.index(index).child('image'), image, 'must not have leading or trailing whitespace'));
}

function validateRunning(container: Container, facts: PodFacts, path: FieldPath, out: Faults): void {
  if (container.lifecycle) validateLifecycle(container.lifecycle, facts.grace, facts.os, path.child('lifecycle'), out);
  for (const role of probes) {
    const probe = container[role];
    if (probe) validateProbe(probe, role, facts.grace, path.child(role), out);
  }
}

function validatePorts(ports: NonNullable<Container['ports']>, path: FieldPath, out: Faults): void {
  const names = new Set<string>();
  for (let index = 0; index < ports.length; index++) {
    const port = ports[index] as NonNullable<Container['ports']>[number];
    const at = path.index(index);
    if (port.name) {
      const faults = isValidPortName(port.name);
      for (const fault of faults) out.push(invalid(at.child('name'), port.name, fault));
      if (faults.length === 0 && names.has(port.name)) out.push(duplicate(at.child('name'), port.name));
      if (faults.length === 0) names.add(port.name);
    }
    if (!port.containerPort) out.push(required(at.child('containerPort')));
    else for (const fault of isValidPortNum(port.containerPort)) out.push(invalid(at.child('containerPort'), port.containerPort, fault));
    if (port.hostPort) for (const fault of isValidPortNum(port.hostPort)) out.push(invalid(at.child('hostPort'), port.hostPort, fault));
    if (!port.protocol) out.push(required(at.child('protocol')));
    else if (!protocols.includes(port.protocol)) out.push(notSupported(at.child('protocol'), port.protocol, protocols));
  }
}

function checkHostPorts(containers: readonly Container[], path: FieldPath, out: Faults): void {
  const taken = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [place, port] of (container.ports ?? []).entries()) {
      if (!port.hostPort) continue;
      const text = `${port.protocol ?? ''}/${port.hostIP ?? ''}/${port.hostPort}`;
      if (taken.has(text)) out.push(duplicate(path.index(index).child('ports').index(place).child('hostPort'), text));
      taken.add(text);
    }
  }
}

const resizeResources = ['cpu', 'memory'];
const resizePolicies = ['NotRequired', 'RestartContainer'];

function validateResizePolicy(policies: NonNullable<Container['resizePolicy']>, restartPolicy: string, path: FieldPath, out: Faults): void {
  const seen = new Set<string>();
  for (const [index, policy] of policies.entries()) {
    if (seen.has(policy.resourceName)) out.push(duplicate(path.index(index), policy.resourceName));
    seen.add(policy.resourceName);
    if (!policy.resourceName) out.push(required(path));
    else if (!resizeResources.includes(policy.resourceName)) out.push(notSupported(path, policy.resourceName, resizeResources));
    if (!policy.restartPolicy) out.push(required(path));
    else if (!resizePolicies.includes(policy.restartPolicy)) out.push(notSupported(path, policy.restartPolicy, resizePolicies));
    if (restartPolicy === 'Never' && policy.restartPolicy !== 'NotRequired') {
      out.push(invalid(path, policy.restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    }
  }
}

const restartPolicies = ['Always', 'Never', 'OnFailure'];
const ruleActions = ['Restart', 'RestartAllContainers'];
const fewerActions = ['Restart'];
const ruleOperators = ['In', 'NotIn'];

function validateRestartRules(container: Container, { restartsAll }: PodFacts, path: FieldPath, out: Faults): void {
  const rules = container.restartPolicyRules ?? [];
  const policy = container.restartPolicy;
  if (policy === undefined) {
    if (rules.length > 0) out.push(required(path.child('restartPolicy'), 'must specify restartPolicy when restart rules are used'));
  } else if (!restartPolicies.includes(policy)) out.push(notSupported(path.child('restartPolicy'), policy, restartPolicies));
  if (rules.length > 20) out.push(tooMany(path.child('restartPolicyRules'), rules.length, 20));
  for (const [index, rule] of rules.entries()) {
    const at = path.child('restartPolicyRules').index(index);
    const actions = restartsAll ? ruleActions : fewerActions;
    if (!actions.includes(rule.action ?? '')) out.push(notSupported(at.child('action'), rule.action ?? '', actions));
    if (!rule.exitCodes) {
      out.push(required(at.child('exitCodes'), 'must be specified'));
      continue;
    }
    const { operator = '', values = [] } = rule.exitCodes;
    if (!ruleOperators.includes(operator)) out.push(notSupported(at.child('exitCodes').child('operator'), operator, ruleOperators));
    if (values.length > 255) out.push(tooMany(at.child('exitCodes').child('values'), values.length, 255));
  }
}
