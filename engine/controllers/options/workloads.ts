import type { GoForms } from '../../apimachinery/go-print.ts';
import { defineOptions, idleManagerFlag, managerFlag } from './family.ts';

/** What keeps pods running, and what clears up after those that ended. */
export interface WorkloadOptions {
  readonly concurrentCronJobSyncs: number;
  readonly concurrentDaemonSetSyncs: number;
  readonly concurrentDeploymentSyncs: number;
  readonly concurrentJobSyncs: number;
  readonly concurrentRcSyncs: number;
  readonly concurrentReplicaSetSyncs: number;
  readonly concurrentStatefulSetSyncs: number;
  readonly concurrentTtlAfterFinishedSyncs: number;
  readonly terminatedPodGcThreshold: number;
  /** The longest wait before a Job replaces a failed pod. */
  readonly jobBackoffMaxMs: number;
  /** Feature gate StatefulSetSemanticRevisionComparison: a revision that gives a StatefulSet the same template in other words is the same. */
  readonly comparesRevisions: boolean;
  /** Feature gate MaxUnavailableStatefulSet: a StatefulSet may update several pods at once. */
  readonly maxUnavailableStatefulSet: boolean;
  /** Feature gate PodDeletionCost: annotations of pods say which of them goes first. */
  readonly heedsDeletionCost: boolean;
  /** Feature gate ScheduleDaemonSetPods: the scheduler places pods of DaemonSets; else their controller does. */
  readonly schedulesDaemons: boolean;
  /** Feature gate ExperimentalCriticalPodAnnotation: an annotation says which daemons of the system are critical. */
  readonly heedsCriticalDaemons: boolean;
  /** Feature gate DeploymentReplicaSetTerminatingReplicas: statuses count the pods that are about to end. */
  readonly countsTerminating: boolean;
  /** Feature gate WorkloadWithJob: Jobs whose pods run together make a Workload and a PodGroup. */
  readonly jobWorkloads: boolean;
  /** How the release prints pod templates, whose hash names ReplicaSets and the revisions of DaemonSets. */
  readonly podTemplateForms: GoForms;
}

export const workloadOptions = defineOptions<WorkloadOptions>({
  flags: [
    managerFlag('concurrent-cron-job-syncs', 'integer', '5', 'CronJobs synced at the same time', 1),
    managerFlag('concurrent-daemonset-syncs', 'integer', '2', 'DaemonSets synced at the same time', 1),
    managerFlag('concurrent-deployment-syncs', 'integer', '5', 'Deployments synced at the same time', 1),
    managerFlag('concurrent-job-syncs', 'integer', '5', 'Jobs synced at the same time', 1),
    managerFlag('concurrent-rc-syncs', 'integer', '5', 'ReplicationControllers synced at the same time', 1),
    managerFlag('concurrent-replicaset-syncs', 'integer', '5', 'ReplicaSets synced at the same time', 1),
    managerFlag('concurrent-statefulset-syncs', 'integer', '5', 'StatefulSets synced at the same time', 1),
    managerFlag('concurrent-ttl-after-finished-syncs', 'integer', '5', 'Finished jobs looked at at the same time', 1),
    managerFlag('terminated-pod-gc-threshold', 'integer', '12500', 'Terminated pods kept'),
    idleManagerFlag('upstream’s controller does not read it either', 'deployment-controller-sync-period', 'duration', '30s', 'Resync of Deployments'),
  ],
  read: (source) => ({
    concurrentCronJobSyncs: source.number('concurrent-cron-job-syncs'),
    concurrentDaemonSetSyncs: source.number('concurrent-daemonset-syncs'),
    concurrentDeploymentSyncs: source.number('concurrent-deployment-syncs'),
    concurrentJobSyncs: source.number('concurrent-job-syncs'),
    concurrentRcSyncs: source.number('concurrent-rc-syncs'),
    concurrentReplicaSetSyncs: source.number('concurrent-replicaset-syncs'),
    concurrentStatefulSetSyncs: source.number('concurrent-statefulset-syncs'),
    concurrentTtlAfterFinishedSyncs: source.number('concurrent-ttl-after-finished-syncs'),
    terminatedPodGcThreshold: source.number('terminated-pod-gc-threshold'),
    jobBackoffMaxMs: source.release.timing.jobBackoffMaxMs,
    heedsDeletionCost: source.hasGate('PodDeletionCost'),
    countsTerminating: source.hasGate('DeploymentReplicaSetTerminatingReplicas'),
    schedulesDaemons: source.hasGate('ScheduleDaemonSetPods'),
    heedsCriticalDaemons: source.hasGate('ExperimentalCriticalPodAnnotation'),
    comparesRevisions: source.hasGate('StatefulSetSemanticRevisionComparison'),
    maxUnavailableStatefulSet: source.hasGate('MaxUnavailableStatefulSet'),
    jobWorkloads: source.hasGate('WorkloadWithJob'),
    podTemplateForms: source.release.podTemplateForms,
  }),
});
