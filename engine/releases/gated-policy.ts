/** RBAC rules that a release adds to its roles where a gate is on; controllers bring their own. Mirrors the conditions of plugin/pkg/auth/authorizer/rbac/bootstrappolicy. */
import type { KubeObject } from '../apimachinery/object.ts';
import { getOwn } from '../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { FeatureGates } from './feature-gates.ts';

interface WithRules extends KubeObject {
  readonly rules?: readonly JsonValue[];
}

const workloads = 'scheduling.k8s.io';
const read = ['get', 'list', 'watch'];

type RulesByRole = Readonly<Record<string, readonly JsonObject[]>>;

/** By gate, then by ClusterRole. */
const rulesByGate: Readonly<Record<string, RulesByRole>> = {
  GenericWorkload: {
    'system:kube-scheduler': [
      { apiGroups: [workloads], resources: ['podgroups'], verbs: read },
      { apiGroups: [workloads], resources: ['podgroups/status'], verbs: ['patch', 'update'] },
    ],
    'system:aggregate-to-view': [{ apiGroups: [workloads], resources: ['podgroups', 'podgroups/status', 'workloads'], verbs: read }],
    'system:aggregate-to-edit': [
      { apiGroups: [workloads], resources: ['podgroups', 'workloads'], verbs: ['create', 'delete', 'deletecollection', 'patch', 'update'] },
    ],
  },
  DRADeviceTaintRules: {
    'system:kube-scheduler': [{ apiGroups: ['resource.k8s.io'], resources: ['devicetaintrules'], verbs: read }],
  },
};

export function gatedPolicy(policy: readonly KubeObject[], gates: FeatureGates): readonly KubeObject[] {
  const added = Object.entries(rulesByGate).flatMap(([gate, byRole]) => (gates.enabled(gate) ? [byRole] : []));
  if (added.length === 0) return policy;
  return policy.map((object) => {
    const more = object.kind === 'ClusterRole' ? added.flatMap((byRole) => getOwn(byRole, object.metadata.name ?? '') ?? []) : [];
    return more.length === 0 ? object : ({ ...object, rules: [...((object as WithRules).rules ?? []), ...more] } as KubeObject);
  });
}
