/** What a DeviceTaintRule says of the pods that it evicts; pure. Mirrors maybeUpdateRuleStatus of pkg/controller/devicetainteviction. */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { ResourceClaim, ResourceSlice } from '../../api/resource/v1/types.gen.ts';
import type { DeviceTaintRule } from '../../api/resource/v1beta2/types.gen.ts';
import type { Condition } from '../../api/meta/v1/types.gen.ts';
import { allocatedDevices, type DeviceWorld, podEviction, presentSlices, ruleKey, ruleMatches } from './evictions.ts';

export const evictionInProgress = 'EvictionInProgress';

/** Everything of its kind that the cluster has. */
export interface Census {
  readonly world: DeviceWorld;
  readonly pods: readonly Pod[];
  readonly claims: readonly ResourceClaim[];
  /** By pool. */
  readonly pools: readonly (readonly ResourceSlice[])[];
}

export type RuleCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message' | 'observedGeneration'>;

/** `evicted`: pods that went because of this rule since the controller began. */
export function ruleCondition(rule: DeviceTaintRule, census: Census, evicted: number): RuleCondition {
  const told = tell(rule, census, evicted);
  const since = evicted === 0 ? '' : `${count(evicted, 'pod')} evicted since starting the controller.`;
  return {
    type: evictionInProgress,
    status: told.status ?? 'False',
    observedGeneration: rule.metadata.generation ?? 0,
    reason: told.reason,
    message: [told.message ?? '', since].filter((part) => part !== '').join(' '),
  };
}

function tell(rule: DeviceTaintRule, census: Census, evicted: number): { reason: string; message?: string; status?: 'True' } {
  const effect = rule.spec.taint?.effect;
  if (effect === 'None') return { reason: 'NoEffect', message: whatWouldHappen(rule, census) };
  if (effect !== 'NoExecute') return { reason: 'OtherEffect', message: 'Eviction only happens for the NoExecute effect.' };
  const { pods, namespaces } = pendingPods(rule, census);
  if (pods > 0)
    return {
      reason: 'PodsPendingEviction',
      status: 'True',
      message: `${pods === 1 ? '1 pod needs' : `${pods} pods need`} to be evicted in ${namespacesText(namespaces)}.`,
    };
  return { reason: evicted > 0 ? 'Completed' : 'NotStarted' };
}

/** As if the effect were NoExecute. */
function whatWouldHappen(rule: DeviceTaintRule, census: Census): string {
  const published = census.pools
    .flatMap((slices) => presentSlices(slices))
    .flatMap(({ spec }) => (spec.devices ?? []).filter(({ name }) => ruleMatches(rule, spec.driver, spec.pool.name, name)));
  const allocated = census.claims.flatMap((claim) =>
    allocatedDevices(claim).filter(({ driver, pool, device }) => ruleMatches(rule, driver, pool, device)),
  );
  const { pods, namespaces } = pendingPods(rule, { ...census, world: { ...census.world, rules: [rule] } });
  return [
    `${count(published.length, 'published device')} selected.`,
    `${count(allocated.length, 'allocated device')} selected.`,
    `${count(pods, 'pod')} would be evicted in ${namespacesText(namespaces)} if the effect was NoExecute.`,
    'This information will not be updated again. Recreate the DeviceTaintRule to trigger an update.',
  ].join(' ');
}

function pendingPods(rule: DeviceTaintRule, { world, pods }: Census): { readonly pods: number; readonly namespaces: number } {
  const pending = pods.filter(
    (pod) => pod.metadata.deletionTimestamp === undefined && podEviction(world, pod)?.rules.includes(ruleKey(rule)) === true,
  );
  return { pods: pending.length, namespaces: new Set(pending.map(({ metadata }) => metadata.namespace)).size };
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
}

function namespacesText(many: number): string {
  return many === 1 ? '1 namespace' : `${many} different namespaces`;
}
