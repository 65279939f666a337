/** What plugins may ask of the scheduler, from its parts. */
import type { Bindings } from './binding.ts';
import type { SchedulerCache } from './cache.ts';
import type { Filters } from './filters.ts';
import type { Claims } from './framework/claims.ts';
import type { PodGroups } from './framework/groups.ts';
import type { Handle } from './framework/plugin.ts';
import type { Volumes } from './framework/volumes.ts';
import type { Listers } from './listers.ts';
import type { Outcomes } from './outcomes.ts';
import type { SchedulerEnvironment } from './parts.ts';

export interface HandleParts {
  readonly environment: Pick<SchedulerEnvironment, 'random'>;
  readonly cache: SchedulerCache;
  readonly listers: Listers;
  readonly volumes: Volumes;
  readonly claims: Claims;
  readonly groups: PodGroups;
  readonly filters: Filters;
  /** These are made after the plugins. */
  outcomes(): Outcomes;
  bindings(): Bindings;
}

export function createHandle({ environment, cache, listers, volumes, claims, groups, filters, ...later }: HandleParts): Handle {
  const images = { get: (name: string) => cache.image(name), has: cache.hasImage.bind(cache) };
  return {
    snapshot: cache,
    namespaceLabels: (namespace) => listers.namespaceLabels(namespace),
    namespacesMatching: (selector) => listers.namespacesMatching(selector),
    defaultSelector: (pod) => listers.defaultSelector(pod),
    servicesOf: (pod) => listers.servicesOf(pod),
    controllersOf: (pod) => listers.controllersOf(pod),
    images: () => images,
    disruptionBudgets: () => listers.budgets(),
    randomInteger: (bound) => environment.random.integer(bound),
    filterHypothetical: (node) => filters.askHypothetical(node),
    dependsOnNodeAlone: (node) => filters.dependOnNodeAlone(node),
    volumes,
    claims,
    groups,
    isPreempting: (uid) => later.outcomes().evictions.isRunning(uid),
    allow: (uid, plugin) => later.bindings().allow(uid, plugin),
    bind: (pod, node) => later.bindings().postBinding(pod, node),
  };
}
