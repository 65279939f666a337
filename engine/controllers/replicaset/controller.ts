/** Keeps the pods of each ReplicaSet. Mirrors pkg/controller/replicaset; the work is in `lib/replica-controller.ts`. */
import type { ReplicaSet } from '../../api/apps/v1/types.gen.ts';
import { pods, replicaSets } from '../../client/resources.ts';
import { watchOf } from '../../controller-runtime/controller.ts';
import { defineController } from '../controller.ts';
import { toMatcher } from '../lib/label-selector.ts';
import { ReplicaController, type ReplicaKind } from '../lib/replica-controller.ts';

const kind: ReplicaKind<ReplicaSet> = {
  type: replicaSets,
  countsTerminating: true,
  specOf: ({ spec, status }) => ({
    replicas: spec?.replicas ?? 1,
    minReadySeconds: spec?.minReadySeconds ?? 0,
    matches: toMatcher(spec?.selector),
    template: spec?.template,
    status,
  }),
  withStatus: (owner, status) => ({ ...owner, status }),
};

export const replicaSetController = defineController<ReplicaController<ReplicaSet>>({
  name: 'replicaset-controller',
  aliases: ['replicaset'],
  serviceAccount: 'replicaset-controller',
  eventSource: 'replicaset-controller',
  workers: (options) => options.concurrentReplicaSetSyncs,
  watches: [
    watchOf(replicaSets, (event, controller: ReplicaController<ReplicaSet>) => controller.keysOfOwner(event)),
    watchOf(pods, (event, controller: ReplicaController<ReplicaSet>) => controller.keysOfPod(event)),
  ],
  create: (environment) => new ReplicaController(kind, environment),
});
