/**
 * Who is asking: a client certificate that our authority signed, a bearer token, or nobody in particular. Mirrors apiserver
 * pkg/authentication: the first authenticator that knows the credential wins, a token that nobody knows is 401.
 */
import { newUnauthorized } from '../../apimachinery/errors.ts';
import type { Identity } from '../../contracts/request.ts';

export interface Credentials {
  /** Of a verified client certificate. */
  readonly peer: { readonly commonName: string; readonly organizations: readonly string[] } | undefined;
  readonly authorization: string | undefined;
}

/** Knows some tokens. */
export type TokenAuthenticator = (token: string) => Identity | undefined;

const authenticated = 'system:authenticated';
export const anonymous: Identity = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Throws 401 for a credential that is there and not known. */
export function authenticate(credentials: Credentials, tokens: readonly TokenAuthenticator[]): Identity {
  if (credentials.peer !== undefined) {
    return { name: credentials.peer.commonName, groups: withAuthenticated(credentials.peer.organizations) };
  }
  const { authorization } = credentials;
  const match = authorization === undefined ? null : /^bearer +(\S+)\s*$/i.exec(authorization);
  if (match === null) return anonymous;
  for (const known of tokens) {
    const identity = known(match[1] as string);
    if (identity !== undefined) return { ...identity, groups: withAuthenticated(identity.groups) };
  }
  throw newUnauthorized('Unauthorized');
}

function withAuthenticated(groups: readonly string[]): readonly string[] {
  return groups.includes(authenticated) ? groups : [...groups, authenticated];
}

/** Identity of a service account, as its tokens and controllers carry it. */
export function serviceAccountIdentity(namespace: string, name: string, uid?: string): Identity {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    ...(uid === undefined ? {} : { uid }),
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, authenticated],
  };
}
