/** Keeps the pods of each ReplicationController. Mirrors pkg/controller/replication, which converts to ReplicaSets likewise. */
import type { ReplicaSetStatus } from '../../api/apps/v1/types.gen.ts';
import type { ReplicationController, ReplicationControllerStatus } from '../../api/core/v1/types.gen.ts';
import { pods, replicationControllers } from '../../client/resources.ts';
import { watchOf } from '../../controller-runtime/controller.ts';
import { defineController } from '../controller.ts';
import { mapMatcher } from '../lib/label-selector.ts';
import { ReplicaController, type ReplicaKind } from '../lib/replica-controller.ts';

const kind: ReplicaKind<ReplicationController> = {
  type: replicationControllers,
  countsTerminating: false,
  specOf: ({ spec, status }) => ({
    replicas: spec?.replicas ?? 1,
    minReadySeconds: spec?.minReadySeconds ?? 0,
    matches: spec?.selector === undefined ? () => false : mapMatcher(spec.selector),
    template: spec?.template,
    status: status as ReplicaSetStatus | undefined,
  }),
  withStatus: (owner, status) => ({ ...owner, status: status as unknown as ReplicationControllerStatus }),
};

export const replicationControllerController = defineController<ReplicaController<ReplicationController>>({
  name: 'replicationcontroller-controller',
  aliases: ['replicationcontroller'],
  serviceAccount: 'replication-controller',
  eventSource: 'replication-controller',
  workers: (options) => options.concurrentRcSyncs,
  watches: [
    watchOf(replicationControllers, (event, controller: ReplicaController<ReplicationController>) => controller.keysOfOwner(event)),
    watchOf(pods, (event, controller: ReplicaController<ReplicationController>) => controller.keysOfPod(event)),
  ],
  create: (environment) => new ReplicaController(kind, environment),
});
