/** RBAC rules that a release adds to its roles where a gate is on; controllers bring their own. Mirrors the conditions of plugin/pkg/auth/authorizer/rbac/bootstrappolicy. */
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { FeatureGates } from './feature-gates.ts';

interface WithRules extends KubeObject {
  readonly rules?: readonly JsonValue[];
}

const group = 'scheduling.k8s.io';
const read = ['get', 'list', 'watch'];
/** By ClusterRole, where GenericWorkload is on. */
const workloadRules: ReadonlyMap<string, readonly JsonObject[]> = new Map<string, readonly JsonObject[]>([
  [
    'system:kube-scheduler',
    [
      { apiGroups: [group], resources: ['podgroups'], verbs: read },
      { apiGroups: [group], resources: ['podgroups/status'], verbs: ['patch', 'update'] },
    ],
  ],
  ['system:aggregate-to-view', [{ apiGroups: [group], resources: ['podgroups', 'podgroups/status', 'workloads'], verbs: read }]],
  [
    'system:aggregate-to-edit',
    [{ apiGroups: [group], resources: ['podgroups', 'workloads'], verbs: ['create', 'delete', 'deletecollection', 'patch', 'update'] }],
  ],
]);

export function gatedPolicy(policy: readonly KubeObject[], gates: FeatureGates): readonly KubeObject[] {
  if (!gates.enabled('GenericWorkload')) return policy;
  return policy.map((object) => {
    const more = object.kind === 'ClusterRole' ? workloadRules.get(object.metadata.name ?? '') : undefined;
    return more === undefined ? object : ({ ...object, rules: [...((object as WithRules).rules ?? []), ...more] } as KubeObject);
  });
}
