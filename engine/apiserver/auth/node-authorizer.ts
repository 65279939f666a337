/**
 * What a kubelet may do: the rules of the role `system:node`, with writes of nodes, leases and pod status bound to the node's own
 * name where the name is in the request. Mirrors kubernetes plugin/pkg/auth/authorizer/node; the graph of secrets and config maps
 * that a node's pods use is not tracked (docs/differences.md).
 */
import type { PolicyRule } from '../../api/rbac/v1/types.gen.ts';
import type { Identity } from '../../contracts/request.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorizer.ts';
import { bootstrapPolicy } from './bootstrap-policy.gen.ts';
import { ruleAllows } from './rbac.ts';

const nodeGroup = 'system:nodes';
const nodePrefix = 'system:node:';
const nodeRole = bootstrapPolicy.find((object) => object.kind === 'ClusterRole' && object.metadata.name === 'system:node');
const nodeRules = (nodeRole as unknown as { readonly rules: readonly PolicyRule[] }).rules;
const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

export const nodeAuthorizer: Authorizer = {
  authorize(identity: Identity, attributes: AuthorizationAttributes): Decision {
    if (!identity.groups.includes(nodeGroup) || !identity.name.startsWith(nodePrefix)) return { allowed: false, reason: '' };
    const node = identity.name.slice(nodePrefix.length);
    if (isForeign(node, attributes))
      return {
        allowed: false,
        reason: `node '${node}' cannot ${attributes.verb} '${attributes.name}', only its own ${attributes.resource === 'leases' ? 'Lease' : 'Node'}`,
      };
    return { allowed: nodeRules.some((rule) => ruleAllows(rule, attributes)), reason: '' };
  },
};

function isForeign(node: string, { verb, resource, namespace, name }: AuthorizationAttributes): boolean {
  if (!writes.has(verb) || name === '' || name === node) return false;
  return resource === 'nodes' || (resource === 'leases' && namespace === 'kube-node-lease');
}

/** Asks several authorizers in turn; the first yes wins, else the reasons of all are given. */
export function unionOf(...authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize(identity, attributes) {
      const reasons: string[] = [];
      for (const authorizer of authorizers) {
        const decision = authorizer.authorize(identity, attributes);
        if (decision.allowed) return decision;
        if (decision.reason !== '') reasons.push(decision.reason);
      }
      return { allowed: false, reason: reasons.join(', ') };
    },
  };
}
