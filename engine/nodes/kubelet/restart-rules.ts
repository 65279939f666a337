/** What the rules of containers say of their ends. Mirrors FindMatchingContainerRestartRule and AllContainersCouldRestart of pkg/api/v1/pod/util.go. */
import type { Container, ContainerRestartRule, Pod } from '../../api/core/v1/types.gen.ts';

/** Whether an end could start the whole pod over. */
export function couldRestartAll({ spec }: Pod): boolean {
  const asks = ({ restartPolicyRules = [] }: Container): boolean =>
    (restartPolicyRules ?? []).some(({ action }) => action === 'RestartAllContainers');
  return (spec?.initContainers ?? []).some(asks) || (spec?.containers ?? []).some(asks);
}

/** The first rule that an exit code meets decides. */
export function ruleFor({ restartPolicyRules = [] }: Container, exitCode: number): ContainerRestartRule | undefined {
  return (restartPolicyRules ?? []).find(({ exitCodes }) => {
    if (exitCodes === undefined) return false;
    const isListed = (exitCodes.values ?? []).includes(exitCode);
    return exitCodes.operator === 'NotIn' ? !isListed : isListed;
  });
}
