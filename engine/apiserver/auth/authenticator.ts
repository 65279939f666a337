/**
 * Who is asking: a client certificate that our authority signed, a bearer token, or nobody in particular. Mirrors apiserver
 * pkg/authentication: the first authenticator that knows the credential wins; a credential that is there and that nobody knows is 401.
 */
import { newUnauthorized } from '../../apimachinery/errors.ts';
import type { PeerSubject } from '../../contracts/credentials.ts';
import type { Ask } from '../../contracts/questions.ts';
import type { Identity } from '../../contracts/request.ts';
import type { Authenticated, TokenRemarks } from '../../contracts/tokens.ts';
import type { HttpRequest } from '../http-types.ts';
import type { PasswordAuthenticator } from './password-file.ts';
import { type AnonymousPolicy, identifyByHeaders, mayBeAnonymous, type RequestHeaderTrust } from './authentication.ts';

export interface Credentials {
  readonly peer: PeerSubject | undefined;
  readonly authorization: string | undefined;
  readonly headers: HttpRequest['headers'];
  /** What is asked about. */
  readonly path: string;
}

/** Who is believed. */
export interface Authentication {
  /** Asked in turn. */
  readonly tokens: readonly TokenAuthenticator[];
  readonly anonymous: AnonymousPolicy;
  /** Of those who say their name and a password; absent where nobody may. */
  readonly passwords?: PasswordAuthenticator | undefined;
  readonly requestHeader: RequestHeaderTrust | undefined;
  /** Whether certificates say the uid too (AllowParsingUserUIDFromCertAuth). */
  readonly certificatesHaveUids: boolean;
  /** Whether who comes with a certificate is known with its fingerprint; absent: yes. */
  readonly namesCertificates?: boolean;
}

/** Knows some tokens, or asks who may know. Without `audiences` those of the API server are wanted. */
export type TokenAuthenticator = (token: string, audiences: readonly string[] | undefined, ask: Ask) => Authenticated<Identity>;

const authenticated = 'system:authenticated';
export const anonymous: Identity = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
export const invalidToken = 'invalid bearer token';

/** `remark` is told what there is to say of the use of a token, good or not. Throws 401 for a credential that is there and not known. */
export function authenticate(
  credentials: Credentials,
  { tokens, anonymous: mayBe, requestHeader, certificatesHaveUids, namesCertificates = true, passwords }: Authentication,
  ask: Ask,
  remark: (remarks: TokenRemarks, isGood: boolean) => void = () => undefined,
): Identity {
  const { peer, headers, authorization, path } = credentials;
  const byHeaders = identifyByHeaders(peer, headers, requestHeader);
  if (byHeaders !== undefined && 'identity' in byHeaders) return withAuthenticated(byHeaders.identity);
  const byPassword = passwords?.(authorization);
  if (byPassword !== undefined && 'identity' in byPassword) return withAuthenticated(byPassword.identity);
  const byCertificate = isProxy(peer, requestHeader)
    ? { error: 'x509: certificate signed by unknown authority' }
    : identifyPeer(peer, certificatesHaveUids, namesCertificates);
  if (byCertificate !== undefined && 'identity' in byCertificate) return withAuthenticated(byCertificate.identity);
  const token = bearerToken(authorization);
  if (token === undefined) {
    if (byHeaders !== undefined || byPassword !== undefined || byCertificate !== undefined || !mayBeAnonymous(mayBe, path))
      throw newUnauthorized('Unauthorized');
    return anonymous;
  }
  const known = authenticateToken(token, undefined, tokens, ask);
  if (known.remarks !== undefined) remark(known.remarks, 'identity' in known);
  if ('error' in known) throw newUnauthorized('Unauthorized');
  return known.identity;
}

/** Whose token it is, with the groups that authentication adds, or what is wrong with it. */
export function authenticateToken(
  token: string,
  audiences: readonly string[] | undefined,
  tokens: readonly TokenAuthenticator[],
  ask: Ask,
): NonNullable<Authenticated<Identity>> {
  const errors = new Set<string>([invalidToken]);
  let remarks: TokenRemarks | undefined;
  for (const known of tokens) {
    const answer = known(token, audiences, ask);
    if (answer === undefined) continue;
    if ('identity' in answer) return { ...answer, identity: withAuthenticated(answer.identity) };
    errors.add(answer.error);
    remarks ??= answer.remarks;
  }
  const list = [...errors];
  return { error: list.length === 1 ? invalidToken : `[${list.join(', ')}]`, ...(remarks === undefined ? {} : { remarks }) };
}

/** Its certificate says that it may speak for others, and nothing of itself. */
function isProxy(peer: PeerSubject | undefined, trust: RequestHeaderTrust | undefined): boolean {
  if (trust === undefined || peer === undefined || 'problem' in peer) return false;
  const { authority = '' } = peer;
  return trust.roots.has(authority) && trust.clientRoots?.has(authority) !== true;
}

/** A certificate without a common name says nothing about its holder. Mirrors CommonNameUserConversion of request/x509. */
function identifyPeer(peer: PeerSubject | undefined, hasUids: boolean, isNamed: boolean): Authenticated<Identity> {
  if (peer === undefined) return undefined;
  if ('problem' in peer) return { error: peer.problem };
  const { commonName, organizations, fingerprint } = peer;
  const { uids = [] } = hasUids ? peer : {};
  if (commonName === '') return undefined;
  if (uids.length > 1) return { error: `expected 1 UID, but found multiple: [${uids.join(' ')}]` };
  if (uids[0] === '') return { error: 'UID cannot be an empty string' };
  const identity: Identity = {
    name: commonName,
    ...(uids[0] === undefined ? {} : { uid: uids[0] }),
    groups: organizations,
    ...(fingerprint === undefined || !isNamed ? {} : { extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] } }),
  };
  return { identity, audiences: [] };
}

/** Whether a header would hold a token but for a space too many before it. */
export function isSpacedToken(authorization: string): boolean {
  return /^bearer  /i.test(authorization.trim());
}

/** The token in a header, if it holds one. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const parts = (authorization ?? '').trim().split(' ');
  return parts[0]?.toLowerCase() === 'bearer' && parts[1] !== undefined && parts[1] !== '' ? parts[1] : undefined;
}

function withAuthenticated(identity: Identity): Identity {
  const { name, groups } = identity;
  const isSettled = name === anonymous.name || groups.includes(authenticated) || groups.includes('system:unauthenticated');
  return isSettled ? identity : { ...identity, groups: [...groups, authenticated] };
}

/** Identity of a service account, as its tokens and controllers carry it. */
export function serviceAccountIdentity(namespace: string, name: string, uid?: string): Identity {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    ...(uid === undefined ? {} : { uid }),
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, authenticated],
  };
}

/** Which of those that are asked for a token has, as often as they are. Mirrors Audiences.Intersect of pkg/authentication/authenticator. */
export function sharedAudiences(own: readonly string[], asked: readonly string[]): readonly string[] {
  return asked.filter((audience) => own.includes(audience));
}
