/** Whether somebody is a kubelet, and of which node. Mirrors pkg/auth/nodeidentifier. */
import type { Identity } from '../../contracts/request.ts';

const nodeGroup = 'system:nodes';
const nodePrefix = 'system:node:';

/** Undefined for anybody else; empty for a kubelet that does not say which node it is. */
export function nodeNameOf({ name, groups }: Identity): string | undefined {
  return name.startsWith(nodePrefix) && groups.includes(nodeGroup) ? name.slice(nodePrefix.length) : undefined;
}
