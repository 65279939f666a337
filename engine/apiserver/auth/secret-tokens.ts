/**
 * Whether a token that a Secret holds is still good: as long as the Secret has it and the account is the one it was made for. Mirrors
 * pkg/serviceaccount/legacy.go.
 */
import type { Secret } from '../../api/core/v1/types.gen.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { encodeBase64 } from '../../base/base64.ts';
import type { Identity } from '../../contracts/request.ts';
import type { Authenticated, VerifiedSecretClaims } from '../../contracts/tokens.ts';
import { serviceAccountIdentity } from './authenticator.ts';
import type { TokenSurroundings } from './service-account-tokens.ts';

const claimPrefix = 'kubernetes.io/serviceaccount';
const invalidSince = 'kubernetes.io/legacy-token-invalid-since';
const invalidated = 'Token has been invalidated';

/** `wanted` are the audiences that would do; the API server's own when absent. */
export function checkSecretToken(
  token: string,
  claims: VerifiedSecretClaims,
  wanted: readonly string[] | undefined,
  around: TokenSurroundings,
): Authenticated<Identity> {
  const asked = wanted ?? around.apiAudiences;
  const audiences = around.apiAudiences.filter((audience) => asked.includes(audience));
  const list = (values: readonly string[]): string => `[${values.map(goQuote).join(' ')}]`;
  if (audiences.length === 0) return { error: `token audiences ${list(around.apiAudiences)} is invalid for the target audiences ${list(asked)}` };
  const namespace = claims[`${claimPrefix}/namespace`] ?? '';
  const secret = claims[`${claimPrefix}/secret.name`] ?? '';
  const name = claims[`${claimPrefix}/service-account.name`] ?? '';
  const uid = claims[`${claimPrefix}/service-account.uid`] ?? '';
  for (const [text, value] of Object.entries({
    sub: claims.sub ?? '',
    namespace,
    secretName: secret,
    serviceAccountName: name,
    serviceAccountUID: uid,
  }))
    if (value === '') return { error: `${text} claim is missing` };
  if (claims.sub !== `system:serviceaccount:${namespace}:${name}`) return { error: 'sub claim is invalid' };
  const error = wrongSecret(token, namespace, secret, name, around) ?? wrongAccount(namespace, name, uid, around);
  return error === undefined ? { identity: serviceAccountIdentity(namespace, name, uid), audiences } : { error };
}

function wrongSecret(token: string, namespace: string, name: string, account: string, { lookup }: TokenSurroundings): string | undefined {
  const secret = lookup('', 'secrets', namespace, name) as Secret | undefined;
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) return invalidated;
  if (secret.data?.['token'] !== encodeBase64(new TextEncoder().encode(token))) return "Token does not match server's copy";
  if (!secret.metadata.labels?.[invalidSince]) return undefined;
  return (
    `the token in secret ${namespace}/${name} for service account ${namespace}/${account} has been marked invalid. Use tokens from the TokenRequest API ` +
    `or manually created secret-based tokens, or remove the '${invalidSince}' label from the secret to temporarily allow use of this token`
  );
}

function wrongAccount(namespace: string, name: string, uid: string, { lookup }: TokenSurroundings): string | undefined {
  const account = lookup('', 'serviceaccounts', namespace, name);
  if (account === undefined) return `serviceaccounts ${goQuote(name)} not found`;
  if (account.metadata.deletionTimestamp !== undefined) return `ServiceAccount ${namespace}/${name} has been deleted`;
  return account.metadata.uid === uid ? undefined : `ServiceAccount UID (${account.metadata.uid}) does not match claim (${uid})`;
}
