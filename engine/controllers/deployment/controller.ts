/** Rolls ReplicaSets from one pod template to the next. Mirrors pkg/controller/deployment/deployment_controller.go. */
import { deepEqual } from '../../base/equal.ts';
import type { Deployment, ReplicaSet } from '../../api/apps/v1/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { deployments, pods, replicaSets } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { claim, controllerIndex, controllerIndexValues, controllerOf, orphansOf, sameControllerRef } from '../lib/controller-ref.ts';
import { isEmptySelector, toMatcher } from '../lib/label-selector.ts';
import { isNamespaceTerminating } from '../lib/pod-control.ts';
import { rollbackRevision } from './rollback.ts';
import { Rollout } from './rollout.ts';

/** Failures after which a key waits for the next change. */
const retriesMax = 15;

class DeploymentController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #deployments: Informer<Deployment>;
  readonly #replicaSets: Informer<ReplicaSet>;
  readonly #pods: Informer<Pod>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#deployments = environment.informer(deployments);
    this.#replicaSets = environment.informer(replicaSets);
    this.#replicaSets.addIndex(controllerIndex, controllerIndexValues);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(controllerIndex, controllerIndexValues, { ignoresStatus: true });
  }

  keysOfReplicaSet(event: InformerEvent<ReplicaSet>): readonly string[] {
    const replicaSet = event.object;
    const reference = controllerOf(replicaSet);
    const isGoing = event.type === 'delete' || (event.type === 'add' && replicaSet.metadata.deletionTimestamp !== undefined);
    if (isGoing) return this.#ownerKeys(replicaSet);
    const changed = event.type === 'update' && !sameControllerRef(reference, controllerOf(event.old));
    const oldKeys = changed ? this.#ownerKeys(event.old) : [];
    if (reference !== undefined) return [...oldKeys, ...this.#ownerKeys(replicaSet)];
    if (event.type === 'update' && !changed && deepEqual(replicaSet.metadata.labels, event.old.metadata.labels)) return [];
    return [...oldKeys, ...this.#deploymentsMatching(replicaSet)];
  }

  /** Only Recreate waits for pods to be gone. */
  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    if (event.type !== 'delete') return [];
    const reference = controllerOf(event.object);
    if (reference?.kind !== 'ReplicaSet') return [];
    const replicaSet = this.#replicaSets.get(event.object.metadata.namespace, reference.name);
    if (replicaSet?.metadata.uid !== reference.uid || replicaSet === undefined) return [];
    const deployment = this.#ownerOf(replicaSet);
    if (deployment?.spec?.strategy?.type !== 'Recreate') return [];
    const siblings = this.#replicaSets.byIndex(controllerIndex, deployment.metadata.uid ?? '');
    return siblings.some((sibling) => this.#podsOf(sibling).length > 0) ? [] : [keyOf(deployment)];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    try {
      await this.#sync(context, key);
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      if (error instanceof StatusError && this.#environment.retries(key) >= retriesMax) return;
      throw error;
    }
  }

  async #sync(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const deployment = this.#deployments.get(namespace, name);
    if (deployment === undefined) return;
    if (isEmptySelector(deployment.spec?.selector)) {
      await this.#refuse(context, deployment);
      return;
    }
    const owned = await this.#claimReplicaSets(context, deployment);
    const rollout = new Rollout(this.#environment, context, key, deployment, owned);
    if (deployment.metadata.deletionTimestamp !== undefined) {
      await rollout.statusOnly();
      return;
    }
    await rollout.checkPaused();
    const asked = deployment.spec?.paused === true ? undefined : rollbackRevision(deployment);
    if (asked !== undefined) await rollout.rollBack(asked);
    else if (deployment.spec?.paused === true || (await rollout.isScaling())) await rollout.scaleOnly();
    else if (deployment.spec?.strategy?.type === 'Recreate') await rollout.recreate((replicaSet) => this.#podsOf(replicaSet));
    else await rollout.rolling();
  }

  async #refuse({ client, causes }: ReconcileContext, deployment: Deployment): Promise<void> {
    const message = 'This deployment is selecting all pods. A non-empty selector is required.';
    this.#environment.recorder.event(deployment, 'Warning', 'SelectingAll', message, causes);
    const { generation = 0 } = deployment.metadata;
    if ((deployment.status?.observedGeneration ?? 0) >= generation) return;
    await client.updateStatus(deployments, { ...deployment, status: { ...deployment.status, observedGeneration: generation } });
  }

  async #claimReplicaSets({ client }: ReconcileContext, owner: Deployment): Promise<readonly ReplicaSet[]> {
    const { uid = '', namespace } = owner.metadata;
    const matches = toMatcher(owner.spec?.selector);
    const own = this.#replicaSets.byIndex(controllerIndex, uid);
    const orphans = this.#replicaSets.byIndex(controllerIndex, orphansOf(namespace)).filter(({ metadata }) => matches(metadata.labels));
    return claim({ client, owner, ownerType: deployments, type: replicaSets, matches }, [...own, ...orphans]);
  }

  #podsOf(replicaSet: KubeObject): readonly Pod[] {
    return this.#pods.byIndex(controllerIndex, replicaSet.metadata.uid ?? '');
  }

  #ownerOf(replicaSet: ReplicaSet): Deployment | undefined {
    const reference = controllerOf(replicaSet);
    if (reference?.kind !== 'Deployment') return undefined;
    const owner = this.#deployments.get(replicaSet.metadata.namespace, reference.name);
    return owner?.metadata.uid === reference.uid ? owner : undefined;
  }

  #ownerKeys(replicaSet: ReplicaSet): readonly string[] {
    const owner = this.#ownerOf(replicaSet);
    return owner === undefined ? [] : [keyOf(owner)];
  }

  #deploymentsMatching({ metadata }: ReplicaSet): readonly string[] {
    if (metadata.labels === undefined) return [];
    const matching = this.#deployments
      .list(metadata.namespace)
      .filter(({ spec }) => !isEmptySelector(spec?.selector) && toMatcher(spec?.selector)(metadata.labels));
    return matching.map(keyOf);
  }
}

export const deploymentController = defineController<DeploymentController>({
  name: 'deployment-controller',
  aliases: ['deployment'],
  serviceAccount: 'deployment-controller',
  eventSource: 'deployment-controller',
  workers: (options) => options.concurrentDeploymentSyncs,
  watches: [
    watchOf(deployments, (event) => [keyOf(event.object)]),
    watchOf(replicaSets, (event, controller: DeploymentController) => controller.keysOfReplicaSet(event)),
    watchOf(pods, (event, controller: DeploymentController) => controller.keysOfPod(event)),
  ],
  create: (environment) => new DeploymentController(environment),
});
