/** Ways to say who one is that a process is told of when it starts, for all its branches. */
import type { AnonymousPolicy, RequestHeaderTrust } from '../apiserver/auth/authentication.ts';
import type { TokenWebhook } from '../apiserver/auth/token-webhook.ts';
import type { PasswordAuthenticator } from '../apiserver/auth/password-file.ts';
import type { TokenAuthenticator } from '../apiserver/auth/authenticator.ts';
import type { Reach } from './asking.ts';
import type { ServiceAccountKeys } from './service-account-keys.ts';
import { keysPrefix, type OidcIssuer } from './oidc.ts';

export interface Ways {
  readonly anonymous: AnonymousPolicy;
  readonly bootstrapTokens: boolean;
  /** Keys and names that tokens of service accounts have; this machine's where absent. */
  readonly serviceAccounts?: ServiceAccountKeys;
  /** Issuers of JSON Web Tokens, asked in turn; others once the file that names them changes. */
  readonly issuers: readonly OidcIssuer[];
  /** What there is to count, in Prometheus' text form. */
  metrics?(): string;
  /** Looks for changes until the returned function is called; what it finds is told line by line. */
  watch?(log: (line: string) => void): () => void;
  /** Who is asked about tokens that nobody else knows. */
  readonly tokenWebhook?: TokenWebhook;
  /** Tokens of a file, which are good for these audiences. */
  fromFile?(audiences: readonly string[]): TokenAuthenticator;
  readonly passwords?: PasswordAuthenticator;
  /** Who signs certificates of clients besides this machine's authority. */
  readonly clientAuthoritiesPem?: string;
  readonly requestHeader?: RequestHeaderTrust & {
    /** The authorities themselves. */
    readonly authoritiesPem: string;
  };
}

/** Issuers are asked for their keys here, everybody else elsewhere. */
export function reachIssuers(ways: Pick<Ways, 'issuers'>, others: Reach): Reach {
  return async (question, signal) => {
    if (!question.to.startsWith(keysPrefix)) return others(question, signal);
    const url = question.to.slice(keysPrefix.length);
    await ways.issuers.find((issuer) => issuer.url === url)?.fetchKeys();
    return {};
  };
}
