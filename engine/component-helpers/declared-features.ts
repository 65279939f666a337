/** What a pod asks of its node that not every node can do, by the names under which nodes declare it (component-helpers nodedeclaredfeatures of 1.36). */
import type { Pod } from '../api/core/v1/types.gen.ts';

/** Those that decide where a pod can be; others only say what of it may be changed once it is there. */
export function featuresForScheduling({ spec }: Pod): readonly string[] {
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const restartsAll = containers.some(
    ({ restartPolicyRules }) => restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers') === true,
  );
  const sharesNetworkAlone = spec?.hostNetwork === true && spec.hostUsers === false;
  return [...(restartsAll ? ['RestartAllContainersOnContainerExits'] : []), ...(sharesNetworkAlone ? ['UserNamespacesHostNetworkSupport'] : [])];
}
