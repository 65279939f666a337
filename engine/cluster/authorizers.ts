/** Who decides what somebody may, by `--authorization-mode`. Mirrors pkg/kubeapiserver/authorizer. */
import { abacRulesOf, createAbacAuthorizer, readAbacPolicies } from '../apiserver/auth/abac.ts';
import { unionOf } from '../apiserver/auth/node-authorizer.ts';
import { superuserGroup } from '../apiserver/auth/rbac.ts';
import { allowAll, type Authorizer } from '../apiserver/authorizer.ts';
import { assert } from '../base/assert.ts';
import type { AccessRule } from '../contracts/access.ts';
import type { Identity } from '../contracts/request.ts';
import { metricFamily, type Sample } from '../apiserver/metrics-text.ts';
import type { MetricLabels } from '../base/prometheus-text.ts';
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
  /** What each has decided, in Prometheus' text form. */
  metrics(): string;
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
  const decisions: { readonly labels: MetricLabels; count: number }[] = [];
  const counted = (known: ConfiguredAuthorizer): Authorizer => {
    const authorizer = authorizerOf(known);
    const made = {
      labels: { decision: 'allowed', name: known.type === 'Webhook' ? known.name : known.type.toLowerCase(), type: known.type },
      count: 0,
    };
    decisions.push(made);
    return {
      authorize: (identity, attributes, ask) => {
        const decision = authorizer.authorize(identity, attributes, ask);
        if (decision.allowed) made.count++;
        return decision;
      },
    };
  };
  return {
    authorizer: unionOf(superusers, ...(hasWebhook ? [laws] : []), ...configured.map(counted), ...(modes.includes('RBAC') ? [] : [laws]), ...further),
    rulesOf: (identity, namespace) => modes.flatMap((mode) => rules[mode](identity, namespace)),
    hasNode: modes.includes('Node'),
    hasWebhook,
    metrics: () => {
      const samples = decisions.filter(({ count }) => count > 0).map(({ labels, count }): Sample => [labels, count]);
      return samples.length === 0 ? '' : metricFamily('apiserver_authorization_decisions_total', 'counter', decisionsHelp, samples);
    },
  };
}

const decisionsHelp = '[ALPHA] Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.';

function mustHave(webhook: ConfiguredAuthorizer['webhook']): NonNullable<ConfiguredAuthorizer['webhook']> {
  assert(webhook, 'an authorizer of the type Webhook has one');
  return webhook;
}

/** The laws of the simulation hold also where there are no roles that say so, and nobody outside is asked about them. */
const laws: Authorizer = { authorize: ({ name }) => ({ allowed: name.startsWith('system:wavetank:'), reason: '' }) };
const superusers: Authorizer = { authorize: ({ groups }) => ({ allowed: groups.includes(superuserGroup), reason: '' }) };
