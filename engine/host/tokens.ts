/** Service account tokens: signed by a key of this machine (ES256), checked against the account that must still be there. */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KnownToken } from '../contracts/access.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { TokenAuthenticator } from '../apiserver/auth/authenticator.ts';
import { authenticate, serviceAccountIdentity } from '../apiserver/auth/authenticator.ts';
import { adminIdentity } from '../cluster/identities.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { TokenClaims, TokenSigner } from '../contracts/tokens.ts';
import type { Keys } from './home.ts';

const issuer = 'https://kubernetes.default.svc.cluster.local';

export function createTokenSigner(keys: Keys): TokenSigner {
  const key = createPrivateKey(keys.tokens.keyPem);
  const keyId = createHash('sha256')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return {
    audiences: [issuer],
    sign: (claims) => {
      const head = encode({ alg: 'ES256', kid: keyId });
      const body = encode(toJwt(claims));
      const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
      return `${head}.${body}.${signature.toString('base64url')}`;
    },
  };
}

/** The admin's token, and tokens of service accounts that exist and whose time (virtual) is not over. */
export function createTokenAuthenticators(keys: Keys, cluster: () => Cluster): readonly TokenAuthenticator[] {
  const key = createPublicKey(createPrivateKey(keys.tokens.keyPem));
  return [
    (token) => (token === keys.adminToken ? adminIdentity : undefined),
    (token) => {
      const [head, body, signature] = token.split('.');
      if (head === undefined || body === undefined || signature === undefined) return undefined;
      const signed = Buffer.from(`${head}.${body}`);
      if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))) return undefined;
      return identify(JSON.parse(Buffer.from(body, 'base64url').toString()) as Jwt, cluster());
    },
  ];
}

/** For TokenReview: the identity behind a token, with the groups that authentication adds. */
export function knownToken(keys: Keys, cluster: Cluster, token: string): KnownToken | undefined {
  try {
    return {
      identity: authenticate(
        { peer: undefined, authorization: `Bearer ${token}` },
        createTokenAuthenticators(keys, () => cluster),
      ),
      audiences: [issuer],
    };
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

interface Jwt {
  readonly exp: number;
  readonly sub: string;
  readonly 'kubernetes.io': { readonly namespace: string; readonly serviceaccount: { readonly name: string; readonly uid: string } };
}

function identify(jwt: Jwt, cluster: Cluster): ReturnType<TokenAuthenticator> {
  const { namespace, serviceaccount } = jwt['kubernetes.io'];
  const account = cluster.store.get(`/registry/serviceaccounts/${namespace}/${serviceaccount.name}`)?.value;
  if (account?.metadata.uid !== serviceaccount.uid || jwt.exp * 1000 < cluster.loop.nowMs()) return undefined;
  return serviceAccountIdentity(namespace, serviceaccount.name, serviceaccount.uid);
}

function toJwt({ namespace, serviceAccount, audiences, expirationSeconds, nowMs, pod, node, secret }: TokenClaims): object {
  const seconds = Math.floor(nowMs / 1000);
  return {
    aud: audiences,
    exp: seconds + expirationSeconds,
    iat: seconds,
    iss: issuer,
    'kubernetes.io': {
      namespace,
      ...(node === undefined ? {} : { node }),
      ...(pod === undefined ? {} : { pod }),
      ...(secret === undefined ? {} : { secret }),
      serviceaccount: serviceAccount,
    },
    nbf: seconds,
    sub: `system:serviceaccount:${namespace}:${serviceAccount.name}`,
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
