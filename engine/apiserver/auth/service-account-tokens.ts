/**
 * Whether a service account's token is still good: its audience, its time on the cluster's clock, and the objects it is bound to, which
 * must be the same ones and not gone. Mirrors pkg/serviceaccount/{jwt,claims}.go and apiserver pkg/authentication/serviceaccount.
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { parseTime } from '../../apimachinery/time.ts';
import { isPathSegmentName } from '../../apimachinery/validation.ts';
import type { Identity } from '../../contracts/request.ts';
import type { Authenticated, ObjectClaim, TokenRemarks, VerifiedClaims } from '../../contracts/tokens.ts';
import { unaskableName } from '../admission/refusal.ts';
import { serviceAccountIdentity, sharedAudiences } from './authenticator.ts';

export interface TokenSurroundings {
  /** Virtual: tokens live on the cluster's clock, like everything in it. */
  readonly nowMs: number;
  /** The API server's own. */
  readonly apiAudiences: readonly string[];
  lookup(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
}

const extraPrefix = 'authentication.kubernetes.io/';
/** Clocks may differ, and a pod that is being deleted may use its token a little longer. */
const leewayMs = 60_000;
const invalidated = 'service account token has been invalidated';

/** `wanted` are the audiences that would do; the API server's own when absent. */
export function checkToken(claims: VerifiedClaims, wanted: readonly string[] | undefined, around: TokenSurroundings): Authenticated<Identity> {
  const audiences = audiencesOf(claims, wanted, around);
  if ('error' in audiences) return audiences;
  const error = wrongTime(claims, around.nowMs) ?? wrongObject(claims, around);
  return error === undefined ? { identity: identityOf(claims), audiences, ...remarksOf(claims, around.nowMs) } : { error };
}

/** A token that is used past the time for which its pod asked. */
function remarksOf({ sub = '', 'kubernetes.io': { warnafter } }: VerifiedClaims, nowMs: number): { readonly remarks?: TokenRemarks } {
  if (warnafter === undefined || warnafter === 0) return {};
  if (nowMs <= warnafter * 1000) return { remarks: { counts: ['valid_tokens'] } };
  const seconds = Math.floor(nowMs / 1000) - warnafter;
  const text = `subject: ${sub}, seconds after warning threshold: ${seconds}`;
  return { remarks: { annotations: { 'authentication.k8s.io/stale-token': text }, counts: ['stale_tokens'] } };
}

function wrongTime({ exp, nbf, iat }: VerifiedClaims, nowMs: number): string | undefined {
  if (nbf !== undefined && nowMs + leewayMs < nbf * 1000) return 'service account token is not valid yet';
  if (exp !== undefined && nowMs - leewayMs > exp * 1000) return 'service account token has expired';
  if (iat !== undefined && nowMs + leewayMs < iat * 1000) return 'service account token is issued in the future';
  return undefined;
}

function wrongObject({ 'kubernetes.io': bound }: VerifiedClaims, around: TokenSurroundings): string | undefined {
  const { namespace, serviceaccount, secret, pod, node } = bound;
  const unnameable = wrongName(namespace, serviceaccount.name);
  if (unnameable !== undefined) return unnameable;
  const account = around.lookup('', 'serviceaccounts', namespace, serviceaccount.name);
  if (account === undefined) return `serviceaccounts ${goQuote(serviceaccount.name)} not found`;
  if (account.metadata.uid !== serviceaccount.uid)
    return `service account UID (${account.metadata.uid}) does not match claim (${serviceaccount.uid})`;
  if (isGone(account, around)) return `service account ${namespace}/${serviceaccount.name} has been deleted`;
  // A pod's node is information; who is bound to a node alone depends on it.
  const bindings: readonly (readonly [word: string, resource: string, namespace: string | undefined, claim: ObjectClaim | undefined])[] = [
    ['secret', 'secrets', namespace, secret],
    ['pod', 'pods', namespace, pod],
    ['node', 'nodes', undefined, pod === undefined && node !== undefined ? { name: node.name, uid: node.uid ?? '' } : undefined],
  ];
  for (const [word, resource, within, claim] of bindings) {
    if (claim === undefined) continue;
    const object = around.lookup('', resource, within, claim.name);
    if (object === undefined) return invalidated;
    if (object.metadata.uid !== claim.uid)
      return `${word} UID (${object.metadata.uid}) does not match service account ${word} ref claim (${claim.uid})`;
    if (isGone(object, around)) return invalidated;
  }
  return undefined;
}

/** What upstream's client says before it asks for what nothing can be called. */
function wrongName(namespace: string, name: string): string | undefined {
  const within = isPathSegmentName(namespace);
  if (namespace !== '' && within.length > 0) return `invalid namespace ${goQuote(namespace)}: [${within.join(' ')}]`;
  if (name === '') return 'resource name may not be empty';
  return unaskableName(name) ?? (namespace === '' ? 'the server could not find the requested resource' : undefined);
}

function isGone({ metadata }: KubeObject, { nowMs }: TokenSurroundings): boolean {
  const deletedMs = metadata.deletionTimestamp === undefined ? undefined : parseTime(metadata.deletionTimestamp);
  return deletedMs !== undefined && deletedMs < nowMs - leewayMs;
}

function identityOf({ jti, 'kubernetes.io': { namespace, serviceaccount, pod, node } }: VerifiedClaims): Identity {
  const isPodNamed = pod !== undefined && pod.name !== '' && pod.uid !== '';
  const extra = {
    ...(jti && { [`${extraPrefix}credential-id`]: [`JTI=${jti}`] }),
    ...(node?.name && { [`${extraPrefix}node-name`]: [node.name] }),
    ...(node?.name && node.uid && { [`${extraPrefix}node-uid`]: [node.uid] }),
    ...(isPodNamed && { [`${extraPrefix}pod-name`]: [pod.name], [`${extraPrefix}pod-uid`]: [pod.uid] }),
  };
  const identity = serviceAccountIdentity(namespace, serviceaccount.name, serviceaccount.uid);
  return Object.keys(extra).length === 0 ? identity : { ...identity, extra };
}

/** For whom the token is of those that are asked for; the API server's own where nothing is said. */
export function audiencesOf(
  { aud = [] }: Pick<VerifiedClaims, 'aud'>,
  wanted: readonly string[] | undefined,
  { apiAudiences }: Pick<TokenSurroundings, 'apiAudiences'>,
): readonly string[] | { readonly error: string } {
  const own = aud.length === 0 ? apiAudiences : aud;
  const asked = wanted ?? apiAudiences;
  const shared = sharedAudiences(own, asked);
  return shared.length > 0 ? shared : { error: `token audiences ${goList(own)} is invalid for the target audiences ${goList(asked)}` };
}

function goList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}
