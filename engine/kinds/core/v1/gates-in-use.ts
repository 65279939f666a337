/** Gates that count as on for an update of a pod, since the pod that is there uses what they allow (GetValidationOptionsFromPodSpecAndMeta of pkg/api/pod). */
import type { FieldError } from '../../../apimachinery/field-errors.ts';
import type { Pod, PodSpec } from '../../../api/core/v1/types.gen.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { someContainer } from './containers.ts';
import { specPath } from '../../shared/strategy.ts';
import { isCostFault } from './pod-annotation-validation.ts';
import { validateSpreadKeys } from './placement-validation.ts';

const comparing: ReadonlySet<string> = new Set(['Gt', 'Lt']);
const merge = 'MatchLabelKeysInPodTopologySpreadSelectorMerge';

type Use = (old: PodSpec) => boolean;

const uses: Readonly<Record<string, Use>> = {
  TaintTolerationComparisonOperators: ({ tolerations }) => tolerations?.some(({ operator = '' }) => comparing.has(operator)) === true,
  RestartAllContainersOnContainerExits: (spec) =>
    someContainer(spec, ({ restartPolicyRules }) => restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers') === true),
  UserNamespacesHostNetworkSupport: ({ hostNetwork, hostUsers }) => hostNetwork === true && hostUsers === false,
  SELinuxMount: ({ securityContext }) => securityContext?.seLinuxChangePolicy === 'MountOption',
};

export function withUsedGates(context: StrategyContext, old: Pod): StrategyContext {
  const spec = old.spec ?? { containers: [] };
  const isOn = (gate: string): boolean => context.featureEnabled(gate);
  // Keys that the other rule refuses stay under the one that they were let in by.
  const mergesOtherwise = isOn('MatchLabelKeysInPodTopologySpread') && breaksRule(spec, isOn(merge));
  return {
    ...context,
    newUid: () => context.newUid(),
    randomSuffix: () => context.randomSuffix(),
    lookup: (...asked) => context.lookup(...asked),
    ratcheted: (ratchet) => context.ratcheted(ratchet),
    featureEnabled: (gate) => {
      if (gate === merge) return isOn(merge) !== mergesOtherwise;
      if (gate === 'PodDeletionCost') return isOn(gate) && !isCostFault(old.metadata.annotations);
      return isOn(gate) || getOwn(uses, gate)?.(spec) === true;
    },
  };
}

function breaksRule({ topologySpreadConstraints = [] }: PodSpec, isMerged: boolean): boolean {
  const out: FieldError[] = [];
  for (const constraint of topologySpreadConstraints ?? []) validateSpreadKeys(constraint, isMerged, specPath, out);
  return out.length > 0;
}
