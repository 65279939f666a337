/** What updates of the status of workloads may say. Mirrors Validate…Status of pkg/apis/apps/validation and of replication controllers. */
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../../api/apps/v1/types.gen.ts';
import type { ReplicationController } from '../../../api/core/v1/types.gen.ts';
import { type FieldErrorList, invalid } from '../../../apimachinery/field-errors.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { statusPath } from '../../shared/strategy.ts';
import { nonnegative } from './validation.ts';

type Counts = { readonly [name: string]: number | undefined };

/** `counts` may not be negative, `parts` not more than the whole. */
function validateCounts(status: object, counts: readonly string[], parts: readonly string[], ready: string, out: Faults): void {
  const numbers = status as Counts;
  for (const name of counts) nonnegative(numbers[name], statusPath.child(name), out);
  if (parts.length === 0) return;
  for (const name of parts)
    if ((numbers[name] ?? 0) > (numbers['replicas'] ?? 0))
      out.push(invalid(statusPath.child(name), numbers[name] ?? 0, 'cannot be greater than status.replicas'));
  if ((numbers['availableReplicas'] ?? 0) > (numbers['readyReplicas'] ?? 0))
    out.push(invalid(statusPath.child('availableReplicas'), numbers['availableReplicas'] ?? 0, `cannot be greater than ${ready}`));
}

interface Collisions {
  readonly collisionCount?: number;
}

function validateCollisions(next: Collisions | undefined, old: Collisions | undefined, out: Faults): void {
  const [now, before] = [next?.collisionCount, old?.collisionCount];
  if (before !== undefined && (now === undefined || now < before))
    out.push(invalid(statusPath.child('collisionCount'), now ?? 0, 'cannot be decremented'));
}

const setCounts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'];
const setParts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];

export function validateReplicaSetStatus({ status = { replicas: 0 } }: ReplicaSet): FieldErrorList {
  const out: Faults = [];
  validateCounts(status, [...setCounts, 'terminatingReplicas'], setParts, 'readyReplicas', out);
  return out;
}

export function validateControllerStatus({ status = { replicas: 0 } }: ReplicationController): FieldErrorList {
  const out: Faults = [];
  validateCounts(status, setCounts, setParts, 'readyReplicas', out);
  return out;
}

const deploymentCounts = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
];

export function validateDeploymentStatus({ status = {} }: Deployment, old: Deployment): FieldErrorList {
  const out: Faults = [];
  validateCounts(status, deploymentCounts, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas', out);
  validateCollisions(status, old.status, out);
  return out;
}

const statefulParts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];

export function validateStatefulSetStatus({ status = { replicas: 0, availableReplicas: 0 } }: StatefulSet, old: StatefulSet): FieldErrorList {
  const out: Faults = [];
  validateCounts(status, ['replicas', ...statefulParts, 'observedGeneration', 'collisionCount'], statefulParts, 'status.readyReplicas', out);
  validateCollisions(status, old.status, out);
  return out;
}

const daemonCounts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

export function validateDaemonSetStatus({ status }: DaemonSet, old: DaemonSet): FieldErrorList {
  const out: Faults = [];
  if (status) validateCounts(status, daemonCounts, [], '', out);
  validateCollisions(status, old.status, out);
  return out;
}
