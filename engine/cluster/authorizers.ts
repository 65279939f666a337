/** Who decides what somebody may, by `--authorization-mode`. Mirrors pkg/kubeapiserver/authorizer. */
import { abacRulesOf, createAbacAuthorizer, readAbacPolicies } from '../apiserver/auth/abac.ts';
import { unionOf } from '../apiserver/auth/node-authorizer.ts';
import { superuserGroup } from '../apiserver/auth/rbac.ts';
import { allowAll, type Authorizer } from '../apiserver/authorizer.ts';
import { assert } from '../base/assert.ts';
import type { AccessRule } from '../contracts/access.ts';
import type { Identity } from '../contracts/request.ts';
import type { AuthorizationMode, ConfiguredAuthorizer } from '../apiserver/auth/authorization-configuration.ts';
import { createWebhookAuthorizer } from '../apiserver/auth/webhook-authorizer.ts';
import { configuredAuthorizers } from './authorization-modes.ts';
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
  readonly hasWebhook: boolean;
}

const everything: readonly AccessRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Superusers may everything whatever the modes; `further` are asked behind them. */
export function createAuthorizers(settings: Settings, builtIn: BuiltInAuthorizers, further: readonly Authorizer[]): ClusterAuthorizers {
  const configured = configuredAuthorizers(settings);
  const modes = configured.map(({ type }) => type);
  const hasWebhook = modes.includes('Webhook');
  const policies = readAbacPolicies(settings.text('authorization-policy-file'));
  const byMode: { readonly [mode in Exclude<AuthorizationMode, 'Webhook'>]: Authorizer } = {
    ...builtIn,
    AlwaysAllow: allowAll,
    AlwaysDeny: { authorize: () => ({ allowed: false, reason: 'Everything is forbidden.' }) },
    ABAC: createAbacAuthorizer(policies),
  };
  const authorizerOf = ({ type, name, webhook }: ConfiguredAuthorizer): Authorizer =>
    type === 'Webhook' ? createWebhookAuthorizer(name, mustHave(webhook)) : byMode[type];
  const rules: { readonly [mode in AuthorizationMode]: (identity: Identity, namespace: string) => readonly AccessRule[] } = {
    Node: () => [],
    RBAC: (identity, namespace) => builtIn.RBAC.rulesOf(identity, namespace),
    AlwaysAllow: () => everything,
    AlwaysDeny: () => [],
    ABAC: (identity, namespace) => abacRulesOf(policies, identity, namespace),
    Webhook: () => [],
  };
  return {
    authorizer: unionOf(
      superusers,
      ...(hasWebhook ? [laws] : []),
      ...configured.map(authorizerOf),
      ...(modes.includes('RBAC') ? [] : [laws]),
      ...further,
    ),
    rulesOf: (identity, namespace) => modes.flatMap((mode) => rules[mode](identity, namespace)),
    hasNode: modes.includes('Node'),
    hasWebhook,
  };
}

function mustHave(webhook: ConfiguredAuthorizer['webhook']): NonNullable<ConfiguredAuthorizer['webhook']> {
  assert(webhook, 'an authorizer of the type Webhook has one');
  return webhook;
}

/** The laws of the simulation hold also where there are no roles that say so, and nobody outside is asked about them. */
const laws: Authorizer = { authorize: ({ name }) => ({ allowed: name.startsWith('system:wavetank:'), reason: '' }) };
const superusers: Authorizer = { authorize: ({ groups }) => ({ allowed: groups.includes(superuserGroup), reason: '' }) };
