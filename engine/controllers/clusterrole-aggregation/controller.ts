/**
 * Fills ClusterRoles that have an aggregation rule with the rules of those it selects. Mirrors
 * pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go.
 */
import type { ClusterRole, PolicyRule } from '../../api/rbac/v1/types.gen.ts';
import { isUnsupportedMediaType } from '../../apimachinery/errors.ts';
import { deepEqual } from '../../base/equal.ts';
import type { Informer } from '../../client/informer.ts';
import { resourceType } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { toMatcher } from '../lib/label-selector.ts';

const name = 'clusterrole-aggregation-controller';
const clusterRoles = resourceType<ClusterRole>('rbac.authorization.k8s.io', 'v1', 'clusterroles', 'ClusterRole', false);

class ClusterRoleAggregator implements Controller {
  readonly #roles: Informer<ClusterRole>;

  constructor(environment: ControllerEnvironment) {
    this.#roles = environment.informer(clusterRoles);
    this.#roles.addIndex('aggregated', ({ aggregationRule }) => (aggregationRule === undefined ? [] : ['']));
  }

  /** Any role may be part of any that aggregates. */
  keysOf(): readonly string[] {
    return this.#roles.byIndex('aggregated', '').map(({ metadata }) => metadata.name ?? '');
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    const role = this.#roles.get(undefined, key);
    if (role?.aggregationRule === undefined) return;
    const rules = this.#rulesFor(role);
    if (deepEqual(rules, role.rules ?? [])) return;
    const wanted = { kind: 'ClusterRole', apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: key }, rules };
    await client.patch(clusterRoles, undefined, key, 'apply', wanted, { fieldManager: name, force: true }).catch((error: unknown) => {
      // Before 1.14 a server applies nothing itself.
      if (!isUnsupportedMediaType(error)) throw error;
      return client.update(clusterRoles, { ...role, rules });
    });
  }

  /** Selector by selector, roles by name; each rule once. */
  #rulesFor({ metadata, aggregationRule }: ClusterRole): readonly PolicyRule[] {
    const rules = new Map<string, PolicyRule>();
    for (const selector of aggregationRule?.clusterRoleSelectors ?? []) {
      const matches = toMatcher(selector);
      for (const role of this.#roles.list()) {
        if (role.metadata.name === metadata.name || !matches(role.metadata.labels)) continue;
        for (const rule of role.rules ?? []) {
          const text = textOf(rule);
          if (!rules.has(text)) rules.set(text, rule);
        }
      }
    }
    return [...rules.values()];
  }
}

function textOf({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule): string {
  return JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs]);
}

export const clusterRoleAggregationController = defineController<ClusterRoleAggregator>({
  name,
  aliases: ['clusterrole-aggregation'],
  serviceAccount: 'clusterrole-aggregation-controller',
  eventSource: name,
  workers: () => 5,
  watches: [watchOf(clusterRoles, (_event, controller: ClusterRoleAggregator) => controller.keysOf())],
  create: (environment) => new ClusterRoleAggregator(environment),
});
