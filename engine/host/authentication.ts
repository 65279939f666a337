/** Ways to say who one is that a process is told of when it starts, for all its branches. */
import type { AnonymousPolicy, RequestHeaderTrust } from '../apiserver/auth/authentication.ts';
import type { TokenAuthenticator } from '../apiserver/auth/authenticator.ts';

export interface Ways {
  readonly anonymous: AnonymousPolicy;
  readonly bootstrapTokens: boolean;
  /** Tokens of a file, which are good for these audiences. */
  fromFile?(audiences: readonly string[]): TokenAuthenticator;
  readonly requestHeader?: RequestHeaderTrust & {
    /** The authorities themselves. */
    readonly authoritiesPem: string;
  };
}
