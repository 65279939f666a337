/** All situations, by controller. */
import { cronjobSituations } from './list/cronjob.ts';
import { deploymentSituations } from './list/deployment.ts';
import { disruptionSituations } from './list/disruption.ts';
import { endpointsSituations } from './list/endpoints.ts';
import { garbageSituations } from './list/garbage.ts';
import { jobSituations } from './list/job.ts';
import { mirroringSituations } from './list/mirroring.ts';
import { namespacesSituations } from './list/namespaces.ts';
import { nodesSituations } from './list/nodes.ts';
import { quotaSituations } from './list/quota.ts';
import { replicasetSituations } from './list/replicaset.ts';
import { replicationcontrollerSituations } from './list/replicationcontroller.ts';
import { ttlSituations } from './list/ttl.ts';
import { statefulsetSituations } from './list/statefulset.ts';
import { daemonsetSituations } from './list/daemonset.ts';
import { volumesSituations } from './list/volumes.ts';
import { autoscalingSituations } from './list/autoscaling.ts';
import { certificatesSituations } from './list/certificates.ts';
import { accessSituations } from './list/access.ts';
import { podGroupSituations } from './list/podgroups.ts';
import { gangSituations } from './list/gangs.ts';
import { type Dialect, groupsDialect } from './dialect.ts';
import type { SituationGroup } from './situation.ts';

/** What the dialect is there for: all situations for a release, those of its gates for others. */
export function groupsOf({ name }: Dialect): readonly SituationGroup[] {
  return name === groupsDialect ? [podGroupSituations, gangSituations] : groups;
}

export const groups: readonly SituationGroup[] = [
  cronjobSituations,
  deploymentSituations,
  disruptionSituations,
  endpointsSituations,
  garbageSituations,
  jobSituations,
  mirroringSituations,
  namespacesSituations,
  nodesSituations,
  quotaSituations,
  replicasetSituations,
  replicationcontrollerSituations,
  ttlSituations,
  statefulsetSituations,
  daemonsetSituations,
  volumesSituations,
  accessSituations,
  autoscalingSituations,
  certificatesSituations,
];
