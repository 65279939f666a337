/** Where claims may see devices that others hold. Mirrors AuthorizedForAdmin of pkg/registry/resource. */
import { getOwn } from '../../../base/dictionary.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';

const label = 'resource.kubernetes.io/admin-access';

export const adminText = `admin access to devices requires the \`${label}: true\` label on the containing namespace`;

export function mayHaveAdminAccess(namespace: string | undefined, context: Pick<StrategyContext, 'lookup'>): boolean {
  return getOwn(context.lookup('', 'namespaces', undefined, namespace ?? '')?.metadata.labels, label) === 'true';
}
