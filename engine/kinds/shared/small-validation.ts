/** Validation of kinds with few rules. Mirrors pkg/apis/{policy,autoscaling,scheduling,storage,coordination,node}/validation. */
import type { HorizontalPodAutoscaler } from '../../api/autoscaling/v2/types.gen.ts';
import type { Lease } from '../../api/coordination/v1/types.gen.ts';
import type { ReplicationController } from '../../api/core/v1/types.gen.ts';
import type { RuntimeClass } from '../../api/node/v1/types.gen.ts';
import type { PodDisruptionBudget } from '../../api/policy/v1/types.gen.ts';
import type { PriorityClass } from '../../api/scheduling/v1/types.gen.ts';
import type { StorageClass } from '../../api/storage/v1/types.gen.ts';
import { type FieldErrorList, forbidden, invalid, notSupported, required, root } from '../../apimachinery/field-errors.ts';
import type { StrategyContext } from '../../contracts/kind.ts';
import { isDNS1123Label, validateImmutableField, validateLabelSelector } from '../../apimachinery/validation.ts';
import { nonnegative, validateIntOrPercent } from '../apps/v1/validation.ts';
import { validatePodTemplate } from '../core/v1/pod-validation.ts';
import type { Faults } from '../core/v1/resource-validation.ts';
import { metadataPath, specPath } from './strategy.ts';

export function validateBudget(object: PodDisruptionBudget): FieldErrorList {
  const out: Faults = [];
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = object.spec ?? {};
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    out.push(invalid(specPath, object.spec, 'minAvailable and maxUnavailable cannot be both set'));
  for (const [name, value] of [
    ['minAvailable', minAvailable],
    ['maxUnavailable', maxUnavailable],
  ] as const) {
    if (value === undefined) continue;
    validateIntOrPercent(value, specPath.child(name), out);
    if (typeof value === 'string' && Number(value.replace('%', '')) > 100)
      out.push(invalid(specPath.child(name), value, 'must not be greater than 100%'));
  }
  if (selector) out.push(...validateLabelSelector(selector, specPath.child('selector')));
  if (policy !== undefined && policy !== 'IfHealthyBudget' && policy !== 'AlwaysAllow')
    out.push(notSupported(specPath.child('unhealthyPodEvictionPolicy'), policy, ['AlwaysAllow', 'IfHealthyBudget']));
  return out;
}

export function validateAutoscaler(object: HorizontalPodAutoscaler): FieldErrorList {
  const out: Faults = [];
  const { minReplicas, maxReplicas = 0, scaleTargetRef } = object.spec ?? {};
  if (minReplicas !== undefined && minReplicas < 1)
    out.push(invalid(specPath.child('minReplicas'), minReplicas, 'must be greater than or equal to 1'));
  if (maxReplicas < 1) out.push(invalid(specPath.child('maxReplicas'), maxReplicas, 'must be greater than 0'));
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    out.push(invalid(specPath.child('maxReplicas'), maxReplicas, 'must be greater than or equal to `minReplicas`'));
  if (!scaleTargetRef?.kind) out.push(required(specPath.child('scaleTargetRef').child('kind')));
  if (!scaleTargetRef?.name) out.push(required(specPath.child('scaleTargetRef').child('name')));
  return out;
}

const userPriorityMax = 1000000000;

export function validatePriorityClass(object: PriorityClass): FieldErrorList {
  const name = object.metadata.name ?? '';
  const out: Faults = [];
  if (name.startsWith('system-') && name !== 'system-node-critical' && name !== 'system-cluster-critical') {
    out.push(
      forbidden(
        metadataPath.child('name'),
        "priority class names with 'system-' prefix are reserved for system use only. error: the name is not a known system priority class",
      ),
    );
  } else if (!name.startsWith('system-') && object.value > userPriorityMax) {
    out.push(forbidden(root('value'), `maximum allowed value of a user defined priority is ${userPriorityMax}`));
  }
  const policy = object.preemptionPolicy;
  if (policy !== undefined && policy !== 'PreemptLowerPriority' && policy !== 'Never')
    out.push(notSupported(root('preemptionPolicy'), policy, ['Never', 'PreemptLowerPriority']));
  return out;
}

export function validatePriorityClassUpdate(next: PriorityClass, old: PriorityClass): FieldErrorList {
  const out: Faults = [];
  if (next.value !== old.value) out.push(forbidden(root('value'), 'may not be changed in an update.'));
  out.push(...validateImmutableField(next.preemptionPolicy, old.preemptionPolicy, root('preemptionPolicy')));
  return out;
}

export function validateStorageClass(object: StorageClass): FieldErrorList {
  const out: Faults = [];
  const { provisioner = '', reclaimPolicy, volumeBindingMode } = object;
  if (provisioner === '') out.push(required(root('provisioner'), provisioner));
  if (reclaimPolicy && reclaimPolicy !== 'Delete' && reclaimPolicy !== 'Retain')
    out.push(notSupported(root('reclaimPolicy'), reclaimPolicy, ['Delete', 'Retain']));
  if (!volumeBindingMode) out.push(required(root('volumeBindingMode')));
  else if (volumeBindingMode !== 'Immediate' && volumeBindingMode !== 'WaitForFirstConsumer')
    out.push(notSupported(root('volumeBindingMode'), volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']));
  return out;
}

export function validateStorageClassUpdate(next: StorageClass, old: StorageClass): FieldErrorList {
  const out: Faults = [];
  if (validateImmutableField(next.parameters, old.parameters, root('parameters')).length > 0)
    out.push(forbidden(root('parameters'), 'updates to parameters are forbidden.'));
  if (next.provisioner !== old.provisioner) out.push(forbidden(root('provisioner'), 'updates to provisioner are forbidden.'));
  if (next.reclaimPolicy !== old.reclaimPolicy) out.push(forbidden(root('reclaimPolicy'), 'updates to reclaimPolicy are forbidden.'));
  out.push(...validateImmutableField(next.volumeBindingMode, old.volumeBindingMode, root('volumeBindingMode')));
  return out;
}

export function validateLease(object: Lease): FieldErrorList {
  const out: Faults = [];
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions } = object.spec ?? {};
  if (seconds !== undefined && seconds <= 0) out.push(invalid(specPath.child('leaseDurationSeconds'), seconds, 'must be greater than 0'));
  if (transitions !== undefined && transitions < 0)
    out.push(invalid(specPath.child('leaseTransitions'), transitions, 'must be greater than or equal to 0'));
  return out;
}

export function validateRuntimeClass(object: RuntimeClass): FieldErrorList {
  return isDNS1123Label(object.handler ?? '').map((fault) => invalid(root('handler'), object.handler ?? '', fault));
}

export function validateRuntimeClassUpdate(next: RuntimeClass, old: RuntimeClass): FieldErrorList {
  return validateImmutableField(next.handler, old.handler, root('handler'));
}

export function validateReplicationController(object: ReplicationController, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const { selector = {}, template, replicas, minReadySeconds } = object.spec ?? {};
  nonnegative(minReadySeconds, specPath.child('minReadySeconds'), out);
  if (Object.keys(selector).length === 0) out.push(required(specPath.child('selector')));
  nonnegative(replicas, specPath.child('replicas'), out);
  const path = specPath.child('template');
  if (!template) return [...out, required(path)];
  const labels = template.metadata?.labels ?? {};
  if (Object.entries(selector).some(([key, value]) => labels[key] !== value))
    out.push(invalid(path.child('metadata', 'labels'), labels, '`selector` does not match template `labels`'));
  validatePodTemplate(template, context, path, out);
  const policy = template.spec?.restartPolicy ?? '';
  if (policy !== 'Always') out.push(notSupported(path.child('spec', 'restartPolicy'), policy, ['Always']));
  return out;
}
