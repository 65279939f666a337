/** Defaults of workloads. Mirrors pkg/apis/apps/v1/defaults.go. */
import type { DaemonSet, Deployment, DeploymentStrategy, ReplicaSet, StatefulSet } from '../../../api/apps/v1/types.gen.ts';
import type { PersistentVolumeClaim } from '../../../api/core/v1/types.gen.ts';
import { defaultPodTemplate } from '../../core/v1/pod-defaults.ts';
import { defaultClaimSpec } from '../../core/v1/volume-defaults.ts';
import { edit, editEach, ensure, fill, fillZero } from '../../shared/defaulting.ts';

const rolling = 'RollingUpdate';
const typeDefaults = Object.freeze({ type: rolling });
const deploymentDefaults = Object.freeze({ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
const deploymentRolling = Object.freeze({ maxUnavailable: '25%', maxSurge: '25%' });
const daemonSetDefaults = Object.freeze({ revisionHistoryLimit: 10 });
const daemonSetRolling = Object.freeze({ maxUnavailable: 1, maxSurge: 0 });
const replicaSetDefaults = Object.freeze({ replicas: 1 });
const statefulSetDefaults = Object.freeze({ replicas: 1, revisionHistoryLimit: 10 });
const statefulSetZero = Object.freeze({ podManagementPolicy: 'OrderedReady' });
const retention = Object.freeze({ whenDeleted: 'Retain', whenScaled: 'Retain' });

export function defaultDeployment(object: Deployment): Deployment {
  return ensure(object, 'spec', (spec) => {
    const filled = ensure(fill(spec, deploymentDefaults), 'strategy', defaultStrategy);
    return ensure(filled, 'template', defaultPodTemplate);
  });
}

function defaultStrategy(strategy: DeploymentStrategy): DeploymentStrategy {
  const typed = fillZero(strategy, typeDefaults);
  return typed.type === rolling ? ensure(typed, 'rollingUpdate', (update) => fill(update, deploymentRolling)) : typed;
}

export function defaultReplicaSet(object: ReplicaSet): ReplicaSet {
  return ensure(object, 'spec', (spec) => ensure(fill(spec, replicaSetDefaults), 'template', defaultPodTemplate));
}

export function defaultDaemonSet(object: DaemonSet): DaemonSet {
  return ensure(object, 'spec', (spec) => {
    const filled = ensure(fill(spec, daemonSetDefaults), 'updateStrategy', (strategy) => {
      const typed = fillZero(strategy, typeDefaults);
      return typed.type === rolling ? ensure(typed, 'rollingUpdate', (update) => fill(update, daemonSetRolling)) : typed;
    });
    return ensure(filled, 'template', defaultPodTemplate);
  });
}

export function defaultStatefulSet(object: StatefulSet): StatefulSet {
  return ensure(object, 'spec', (spec) => {
    let next = fillZero(fill(spec, statefulSetDefaults), statefulSetZero);
    next = ensure(next, 'updateStrategy', (strategy) => {
      const typed = strategy.type ? strategy : { ...strategy, type: rolling, rollingUpdate: strategy.rollingUpdate ?? {} };
      return typed.type === rolling
        ? edit(typed, 'rollingUpdate', (update) => (update.partition === undefined ? { ...update, partition: 0 } : update))
        : typed;
    });
    next = ensure(next, 'persistentVolumeClaimRetentionPolicy', (policy) => fillZero(policy, retention));
    next = editEach(next, 'volumeClaimTemplates', defaultClaimTemplate);
    return ensure(next, 'template', defaultPodTemplate);
  });
}

/** Templates are whole claims: they show kind, version and phase like stored ones, whatever kind and version a client says. */
function defaultClaimTemplate(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  let next =
    claim.kind === 'PersistentVolumeClaim' && claim.apiVersion === 'v1' ? claim : { ...claim, kind: 'PersistentVolumeClaim', apiVersion: 'v1' };
  next = edit(next, 'spec', defaultClaimSpec);
  return next.status?.phase ? next : { ...next, status: { ...next.status, phase: 'Pending' } };
}
