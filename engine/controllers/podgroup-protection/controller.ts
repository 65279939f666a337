/** Keeps PodGroups that pods belong to from being removed. Mirrors pkg/controller/scheduling/podgroupprotection. */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { PodGroup } from '../../api/scheduling/v1alpha2/types.gen.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { podGroups, pods } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { isPodTerminal } from '../lib/pod.ts';
import { keysOfGroup } from '../lib/resource-claims.ts';
import { isDeletionCandidate, podGroupProtection, withoutFinalizer } from '../lib/protection.ts';

const name = 'podgroup-protection-controller';
const byGroup = 'activePodSchedulingGroup';

class PodGroupProtectionController implements Controller {
  readonly #pods: Informer<Pod>;
  readonly #groups: Informer<PodGroup>;

  constructor(environment: ControllerEnvironment) {
    this.#groups = environment.informer(podGroups);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(byGroup, (pod) => (isPodTerminal(pod) ? [] : keysOfGroup(pod)));
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    const { namespace, name: groupName } = splitKey(key);
    const group = this.#groups.get(namespace, groupName);
    if (group === undefined || !isDeletionCandidate(group, podGroupProtection)) return;
    if (this.#pods.byIndex(byGroup, key).length === 0) await client.update(podGroups, withoutFinalizer(group, podGroupProtection));
  }
}

/** Only of a pod that is over: those in use change nothing. */
function keysOfPod(event: InformerEvent<Pod>): readonly string[] {
  const { type, object } = event;
  const replaced = type === 'update' && event.old.metadata.uid !== object.metadata.uid ? keysOfGroup(event.old) : [];
  return [...replaced, ...(type === 'delete' || isPodTerminal(object) ? keysOfGroup(object) : [])];
}

export const podGroupProtectionController = defineController<PodGroupProtectionController>({
  name,
  aliases: [],
  gates: ['GenericWorkload'],
  serviceAccount: name,
  rules: [
    { apiGroups: ['scheduling.k8s.io'], resources: ['podgroups'], verbs: ['get', 'list', 'update', 'watch'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] },
  ],
  eventSource: name,
  workers: () => 1,
  watches: [
    watchOf(podGroups, ({ type, object }) => (type !== 'delete' && isDeletionCandidate(object, podGroupProtection) ? [keyOf(object)] : [])),
    watchOf(pods, keysOfPod),
  ],
  create: (environment) => new PodGroupProtectionController(environment),
});
