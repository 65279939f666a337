/** Who decides what somebody may, by `--authorization-mode`. Mirrors pkg/kubeapiserver/authorizer. */
import { abacRulesOf, createAbacAuthorizer, readAbacPolicies } from '../apiserver/auth/abac.ts';
import { unionOf } from '../apiserver/auth/node-authorizer.ts';
import { superuserGroup } from '../apiserver/auth/rbac.ts';
import { allowAll, type Authorizer } from '../apiserver/authorizer.ts';
import type { AccessRule } from '../contracts/access.ts';
import type { Identity } from '../contracts/request.ts';
import { type AuthorizationMode, modesOf } from './authorization-modes.ts';
import type { Settings } from './settings.ts';

export interface BuiltInAuthorizers {
  readonly Node: Authorizer;
  readonly RBAC: Authorizer & { rulesOf(identity: Identity, namespace: string): readonly AccessRule[] };
}

export interface ClusterAuthorizers {
  readonly authorizer: Authorizer;
  /** What is known of the rules that somebody has. */
  rulesOf(identity: Identity, namespace: string): readonly AccessRule[];
  readonly hasNode: boolean;
}

const everything: readonly AccessRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Superusers may everything whatever the modes; `further` are asked behind them. */
export function createAuthorizers(settings: Settings, builtIn: BuiltInAuthorizers, further: readonly Authorizer[]): ClusterAuthorizers {
  const modes = modesOf(settings);
  const policies = readAbacPolicies(settings.text('authorization-policy-file'));
  const byMode: { readonly [mode in AuthorizationMode]: Authorizer } = {
    ...builtIn,
    AlwaysAllow: allowAll,
    AlwaysDeny: { authorize: () => ({ allowed: false, reason: 'Everything is forbidden.' }) },
    ABAC: createAbacAuthorizer(policies),
  };
  const rules: { readonly [mode in AuthorizationMode]: (identity: Identity, namespace: string) => readonly AccessRule[] } = {
    Node: () => [],
    RBAC: (identity, namespace) => builtIn.RBAC.rulesOf(identity, namespace),
    AlwaysAllow: () => everything,
    AlwaysDeny: () => [],
    ABAC: (identity, namespace) => abacRulesOf(policies, identity, namespace),
  };
  return {
    authorizer: unionOf(superusers, ...modes.map((mode) => byMode[mode]), ...(modes.includes('RBAC') ? [] : [laws]), ...further),
    rulesOf: (identity, namespace) => modes.flatMap((mode) => rules[mode](identity, namespace)),
    hasNode: modes.includes('Node'),
  };
}

/** The laws of the simulation hold also where there are no roles that say so. */
const laws: Authorizer = { authorize: ({ name }) => ({ allowed: name.startsWith('system:wavetank:'), reason: '' }) };
const superusers: Authorizer = { authorize: ({ groups }) => ({ allowed: groups.includes(superuserGroup), reason: '' }) };
