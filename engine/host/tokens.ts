/**
 * Service account tokens, the host's part: signing them and checking signatures. Those that are asked for are ES256, or what the given key
 * signs; those that Secrets hold are EdDSA. Nothing is drawn: the same claims give the same token when a session is read again. Each cluster has a key of its own, derived from
 * this machine's token key and the cluster's id, so that a token opens no other cluster, and a session read again keeps its tokens. Who gives
 * keys opens each cluster that is given the same ones, as upstream.
 */
import { createECDH, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Ask } from '../contracts/questions.ts';
import type { KnownToken } from '../contracts/access.ts';
import { authenticateToken, type TokenAuthenticator, sharedAudiences } from '../apiserver/auth/authenticator.ts';
import { checkBootstrapToken } from '../apiserver/auth/bootstrap-tokens.ts';
import { checkSecretToken } from '../apiserver/auth/secret-tokens.ts';
import { checkToken, type TokenSurroundings } from '../apiserver/auth/service-account-tokens.ts';
import { readBoundClaims, readSecretClaims } from '../apiserver/auth/token-claims.ts';
import { adminIdentity } from '../cluster/identities.ts';
import { createTokenWebhook } from '../apiserver/auth/token-webhook.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { SecretTokenClaims, SecretTokenSigner, TokenClaims, TokenSigner } from '../contracts/tokens.ts';
import type { Ways } from './authentication.ts';
import type { Keys } from './home.ts';
import { JwtIssuer } from './jwt.ts';

export const issuer = 'https://kubernetes.default.svc.cluster.local';
/** Of tokens that Secrets hold. */
export const secretIssuer = 'kubernetes/serviceaccount';

export interface ClusterTokens {
  readonly signer: TokenSigner;
  readonly signForSecret: SecretTokenSigner;
  /** The admin's token, and tokens of service accounts of this cluster. */
  authenticators(cluster: () => Cluster): readonly TokenAuthenticator[];
  /** For TokenReview. */
  known(cluster: Cluster, token: string, wanted: readonly string[], ask: Ask): KnownToken;
}

export function createClusterTokens(keys: Pick<Keys, 'tokens' | 'adminToken'>, clusterId: string, ways?: Ways): ClusterTokens {
  const given = ways?.serviceAccounts;
  const issuers = given?.issuers ?? [issuer];
  const audiences = given?.audiences ?? issuers;
  const signing = given?.signingKey ?? deriveKey(keys.tokens.keyPem, clusterId);
  const known = given?.publicKeys ?? [];
  const secretKey = deriveSecretKey(keys.tokens.keyPem, clusterId);
  const bound = new JwtIssuer(issuers, signing, known.length > 0 ? known : [signing]);
  const ofSecrets = new JwtIssuer([secretIssuer], secretKey, [secretKey, ...known]);
  const surroundings = ({ loop, registry }: Cluster) => ({
    nowMs: loop.nowMs(),
    apiAudiences: audiences,
    lookup: registry.core.lookup.bind(registry.core),
  });
  const webhook = ways?.tokenWebhook === undefined ? undefined : createTokenWebhook(ways.tokenWebhook, audiences);
  const fromFile = ways?.fromFile?.(audiences);
  const authenticators = (cluster: () => Cluster): readonly TokenAuthenticator[] => [
    ...(fromFile === undefined ? [] : [fromFile]),
    (token, wanted) => {
      const shared = sharedAudiences(audiences, wanted ?? audiences);
      return token === keys.adminToken && shared.length > 0 ? { identity: adminIdentity, audiences: shared } : undefined;
    },
    (token, wanted) => {
      const claims = bound.read(token, readBoundClaims);
      return claims === undefined || 'error' in claims ? claims : checkToken(claims, wanted, surroundings(cluster()));
    },
    (token, wanted) => {
      const claims = ofSecrets.read(token, readSecretClaims);
      return claims === undefined || 'error' in claims ? claims : checkSecretToken(token, claims, wanted, surroundings(cluster()));
    },
    ...(ways?.bootstrapTokens === true ? [createBootstrapAuthenticator(() => surroundings(cluster()))] : []),
    ...(ways === undefined ? [] : [askIssuers(ways, audiences)]),
    ...(webhook === undefined ? [] : [webhook]),
  ];
  return {
    signer: {
      audiences,
      published: { ...bound.published, ...(given?.keysUrl === undefined ? {} : { keysUrl: given.keysUrl }) },
      ...(given?.expirationSecondsMax === undefined ? {} : { expirationSecondsMax: given.expirationSecondsMax }),
      ...(given === undefined ? {} : { extendsExpiration: given.extendsExpiration }),
      sign: (claims) => bound.sign(toJwt(issuers[0] ?? issuer, claims)),
    },
    signForSecret: (claims) => ofSecrets.sign(toSecretJwt(claims)),
    authenticators,
    known: (cluster, token, wanted, ask) =>
      authenticateToken(
        token,
        wanted.length === 0 ? audiences : wanted,
        authenticators(() => cluster),
        ask,
      ),
  };
}

/** Those that there are now; a token is of one of them at most. */
function askIssuers(ways: Ways, audiences: readonly string[]): TokenAuthenticator {
  return (token, wanted, ask) => {
    for (const issuer of ways.issuers) {
      const answer = issuer.authenticator(audiences)(token, wanted, ask);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
}

function createBootstrapAuthenticator(around: () => TokenSurroundings): TokenAuthenticator {
  return (token, wanted) => checkBootstrapToken(token, wanted, around());
}

/** A scalar of P-256 for this cluster; one drawing in 2^32 is out of range and is drawn again. */
function deriveKey(secretPem: string, clusterId: string): KeyObject {
  const curve = createECDH('prime256v1');
  for (let attempt = 0; ; attempt++) {
    const scalar = Buffer.from(hkdfSync('sha256', secretPem, clusterId, `wavetank service account tokens ${attempt}`, 32));
    try {
      curve.setPrivateKey(scalar);
    } catch (error) {
      if (attempt > 8) throw error;
      continue;
    }
    const point = curve.getPublicKey();
    const text = (bytes: Buffer): string => bytes.toString('base64url');
    const jwk = { kty: 'EC', crv: 'P-256', d: text(scalar), x: text(point.subarray(1, 33)), y: text(point.subarray(33)) };
    return createPrivateKey({ key: jwk, format: 'jwk' });
  }
}

/** Any 32 bytes are a key; before them stands what says that it is one of Ed25519 (RFC 8410). */
function deriveSecretKey(secretPem: string, clusterId: string): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', secretPem, clusterId, 'wavetank tokens of secrets', 32));
  const head = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([head, seed]), format: 'der', type: 'pkcs8' });
}

/** Claims of a token that a Secret holds, as they are signed. */
export function toSecretJwt({ namespace, secret, serviceAccount }: SecretTokenClaims): object {
  const name = 'kubernetes.io/serviceaccount';
  return {
    iss: secretIssuer,
    [`${name}/namespace`]: namespace,
    [`${name}/secret.name`]: secret,
    [`${name}/service-account.name`]: serviceAccount.name,
    [`${name}/service-account.uid`]: serviceAccount.uid,
    sub: `system:serviceaccount:${namespace}:${serviceAccount.name}`,
  };
}

function toJwt(
  iss: string,
  { id, namespace, serviceAccount, expirationSeconds, nowMs, warnAfterSeconds, pod, node, secret, ...rest }: TokenClaims,
): object {
  const seconds = Math.floor(nowMs / 1000);
  return {
    aud: rest.audiences,
    exp: seconds + expirationSeconds,
    iat: seconds,
    iss,
    jti: id,
    'kubernetes.io': {
      namespace,
      ...(node === undefined ? {} : { node: node.uid === '' ? { name: node.name } : node }),
      ...(pod === undefined ? {} : { pod }),
      ...(secret === undefined ? {} : { secret }),
      serviceaccount: serviceAccount,
      ...(warnAfterSeconds === undefined ? {} : { warnafter: seconds + warnAfterSeconds }),
    },
    nbf: seconds,
    sub: `system:serviceaccount:${namespace}:${serviceAccount.name}`,
  };
}
