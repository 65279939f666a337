/** Who decides what somebody may, by `--authorization-mode` or an AuthorizationConfiguration, which may change. Mirrors pkg/kubeapiserver/authorizer. */
import { abacRulesOf, createAbacAuthorizer, readAbacPolicies } from '../apiserver/auth/abac.ts';
import { unionOf } from '../apiserver/auth/node-authorizer.ts';
import { superuserGroup } from '../contracts/access.ts';
import { allowAll, type Authorizer } from '../apiserver/authorizer.ts';
import { assert } from '../base/assert.ts';
import type { AccessOracle, AccessRule, MissingRole } from '../contracts/access.ts';
import type { Identity } from '../contracts/request.ts';
import { AuthorizationMetrics } from '../apiserver/auth/authorization-metrics.ts';
import { type AuthorizationMode, type ConfiguredAuthorizer, readAuthorizationConfiguration } from '../apiserver/auth/authorization-configuration.ts';
import { nodeNameOf } from '../apiserver/auth/node-identity.ts';
import { createWebhookAuthorizer } from '../apiserver/auth/webhook-authorizer.ts';
import { ChangingConfiguration } from './changing-configuration.ts';
import { configuredAuthorizers } from './authorization-modes.ts';
import type { Settings } from './settings.ts';

export interface BuiltInAuthorizers {
  readonly Node: Authorizer;
  readonly RBAC: Authorizer & Pick<AccessOracle, 'rulesOf'> & Required<Pick<AccessOracle, 'rolesMissing'>>;
}

const everything: readonly AccessRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

type Known = { readonly [mode in Exclude<AuthorizationMode, 'Webhook'>]: Authorizer };
type Rules = { readonly [mode in AuthorizationMode]: (identity: Identity, namespace: string) => readonly AccessRule[] };

/** Who decides now: by the options, and from its first change on by the AuthorizationConfiguration that came last. */
export class ClusterAuthorizers extends ChangingConfiguration {
  /** Stays the same over changes. */
  readonly authorizer: Authorizer = { authorize: (identity, attributes, ask) => this.#union.authorize(identity, attributes, ask) };
  readonly #settings: Settings;
  readonly #byMode: Known;
  readonly #rules: Rules;
  readonly #roles: BuiltInAuthorizers['RBAC'];
  readonly #further: readonly Authorizer[];
  readonly #metrics: AuthorizationMetrics;
  #modes: readonly AuthorizationMode[] = [];
  #union: Authorizer;

  /** Superusers may everything whatever the modes; `further` are asked behind them. `wallMs` is for metrics. */
  constructor(settings: Settings, builtIn: BuiltInAuthorizers, further: readonly Authorizer[], wallMs: () => number) {
    super(() => settings.text('authorization-config'));
    this.#metrics = new AuthorizationMetrics(wallMs);
    const policies = readAbacPolicies(settings.text('authorization-policy-file'));
    this.#settings = settings;
    this.#roles = builtIn.RBAC;
    this.#further = further;
    this.#byMode = {
      ...builtIn,
      AlwaysAllow: allowAll,
      AlwaysDeny: { authorize: () => ({ allowed: false, reason: 'Everything is forbidden.' }) },
      ABAC: createAbacAuthorizer(policies),
    };
    this.#rules = {
      Node: () => [],
      RBAC: (identity, namespace) => builtIn.RBAC.rulesOf(identity, namespace),
      AlwaysAllow: () => everything,
      AlwaysDeny: () => [],
      ABAC: (identity, namespace) => abacRulesOf(policies, identity, namespace),
      Webhook: () => [],
    };
    this.#union = this.#unionOf(configuredAuthorizers(settings));
  }

  /** What is known of the rules that somebody has. */
  rulesOf(identity: Identity, namespace: string): readonly AccessRule[] {
    return this.#modes.flatMap((mode) => this.#rules[mode](identity, namespace));
  }

  /** Why there may be more of them. */
  rulesMissing(identity: Identity): readonly string[] {
    return [
      ...(this.#modes.includes('Node') && nodeNameOf(identity) !== undefined ? ['node authorizer does not support user rule resolution'] : []),
      ...(this.#modes.includes('Webhook') ? ['webhook authorizer does not support user rule resolution'] : []),
    ];
  }

  /** What is bound to somebody and is not there. */
  rolesMissing(identity: Identity, namespace: string): readonly MissingRole[] {
    return this.#modes.includes('RBAC') ? this.#roles.rolesMissing(identity, namespace) : [];
  }

  /** What they have decided and what webhooks were asked, in Prometheus' text form. */
  metrics(): string {
    return this.#metrics.text();
  }

  protected take(changed: string | undefined): void {
    this.#union = this.#unionOf(
      changed === undefined ? configuredAuthorizers(this.#settings) : readAuthorizationConfiguration(changed, () => undefined),
    );
  }

  #unionOf(configured: readonly ConfiguredAuthorizer[]): Authorizer {
    this.#modes = configured.map(({ type }) => type);
    const asked = configured.map((one) => this.#counted(one));
    const [hasWebhook, hasRoles] = [this.#modes.includes('Webhook'), this.#modes.includes('RBAC')];
    return unionOf(superusers, ...(hasWebhook ? [laws] : []), ...asked, ...(hasRoles ? [] : [laws]), ...this.#further);
  }

  #counted({ type, name, webhook }: ConfiguredAuthorizer): Authorizer {
    const authorizer = type === 'Webhook' ? createWebhookAuthorizer(name, mustHave(webhook), this.#metrics) : this.#byMode[type];
    const known = type === 'Webhook' ? name : type.toLowerCase();
    return {
      authorize: (identity, attributes, ask) => {
        const decision = authorizer.authorize(identity, attributes, ask);
        if (decision.allowed || decision.denied === true) this.#metrics.decided(type, known, decision.allowed ? 'allowed' : 'denied');
        return decision;
      },
    };
  }
}

function mustHave(webhook: ConfiguredAuthorizer['webhook']): NonNullable<ConfiguredAuthorizer['webhook']> {
  assert(webhook, 'an authorizer of the type Webhook has one');
  return webhook;
}

/** The laws of the simulation hold also where there are no roles that say so, and nobody outside is asked about them. */
const laws: Authorizer = { authorize: ({ name }) => ({ allowed: name.startsWith('system:wavetank:'), reason: '' }) };
const superusers: Authorizer = { authorize: ({ groups }) => ({ allowed: groups.includes(superuserGroup), reason: '' }) };
