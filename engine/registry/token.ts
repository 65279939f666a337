/**
 * `serviceaccounts/x/token`: a token bound to a service account and, if asked, to a pod, node or secret. Signing is a capability of
 * the host. Mirrors pkg/registry/core/serviceaccount/storage/token.go.
 */
import { formatTime } from '../apimachinery/time.ts';
import { newBadRequest, newConflict, newInvalid, newNotFound } from '../apimachinery/errors.ts';
import { invalid, root, type FieldError } from '../apimachinery/field-errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { TokenClaims, TokenSigner } from '../contracts/tokens.ts';
import type { WriteCall, WriteCore } from './core.ts';
import { missing } from './missing.ts';
import { section, type Section, type SubresourceHandler } from './subresource-handlers.ts';

const kind = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };
const secondsMin = 600;
const secondsMax = 2 ** 32;
const secondsDefault = 3600;

export function tokenHandler(signer: TokenSigner): SubresourceHandler {
  return {
    group: '',
    resource: 'serviceaccounts',
    subresource: 'token',
    bodyKind: kind,
    create: (core, call, body) => issue(signer, core, call, body),
  };
}

/** A pod's own token, as it is mounted, goes on working for a year: programs that never read it anew are warned of, not cut off. */
const mountedSeconds = 3607;
const extendedSeconds = 365 * 24 * 3600;

export function lifetimeOf(
  signer: TokenSigner,
  audiences: readonly string[],
  expirationSeconds: number,
  isOfPod: boolean,
): Pick<TokenClaims, 'expirationSeconds' | 'warnAfterSeconds'> {
  const isMounted =
    signer.extendsExpiration !== false &&
    isOfPod &&
    expirationSeconds === mountedSeconds &&
    audiences.every((audience) => signer.audiences.includes(audience));
  return isMounted ? { expirationSeconds: extendedSeconds, warnAfterSeconds: mountedSeconds } : { expirationSeconds };
}

function issue(signer: TokenSigner, core: WriteCore, call: WriteCall, body: KubeObject): KubeObject {
  const asked = call.hooks.admit(body, undefined);
  const account = core.read(call.resource, call.namespace, call.name)?.value;
  checkPlace(call, asked);
  if (account === undefined) throw missing(call.resource.groupResource, call.name);
  const uid = account.metadata.uid ?? '';
  checkUid(core, call, asked.metadata.uid ?? '', uid);
  const spec = section(asked, 'spec');
  const askedSeconds = Number(spec['expirationSeconds'] ?? secondsDefault);
  const given = spec['audiences'];
  const audiences = Array.isArray(given) && given.length > 0 ? (given as readonly string[]) : signer.audiences;
  checkLifetime(askedSeconds);
  const metadata = { name: call.name, namespace: call.namespace, uid, creationTimestamp: core.nowText() };
  const request = {
    kind: kind.kind,
    apiVersion: 'authentication.k8s.io/v1',
    metadata,
    spec: { ...spec, audiences, expirationSeconds: askedSeconds },
  };
  call.hooks.validate(request, undefined);
  const bound = boundObjects(core, call, spec['boundObjectRef'] as Section | null | undefined);
  const expirationSeconds = Math.min(askedSeconds, signer.expirationSecondsMax ?? askedSeconds);
  if (expirationSeconds < askedSeconds) call.warn(`requested expiration of ${askedSeconds} seconds shortened to ${expirationSeconds} seconds`);
  const nowMs = core.nowMs();
  const id = core.newUid();
  // Which token it was can be told from the log, though the token stands nowhere.
  if (core.featureEnabled('ServiceAccountTokenJTI')) call.annotate?.('authentication.kubernetes.io/issued-credential-id', `JTI=${id}`);
  const token = signer.sign({
    id,
    namespace: call.namespace,
    serviceAccount: { name: call.name, uid },
    audiences,
    nowMs,
    ...lifetimeOf(signer, audiences, expirationSeconds, bound.pod !== undefined),
    ...bound,
  });
  return {
    ...request,
    spec: { ...request.spec, expirationSeconds },
    status: { token, expirationTimestamp: formatTime(nowMs + expirationSeconds * 1000) },
  } as KubeObject;
}

/** Name and namespace may be in the body as well. */
function checkPlace(call: WriteCall, { metadata }: KubeObject): void {
  const faults: FieldError[] = [];
  if (metadata.name && metadata.name !== call.name)
    faults.push(invalid(root('metadata', 'name'), metadata.name, 'must match the service account name if specified'));
  if (metadata.namespace && metadata.namespace !== call.namespace)
    faults.push(invalid(root('metadata', 'namespace'), metadata.namespace, 'must match the service account namespace if specified'));
  if (faults.length > 0) throw newInvalid(kind, call.name, faults);
}

/** A token for an account that was deleted and made again under its name is not what was asked for. */
function checkUid(core: WriteCore, call: WriteCall, asked: string, uid: string): void {
  if (asked === '' || asked === uid) return;
  const why = `the UID in the token request (${asked}) does not match the UID of the service account (${uid})`;
  if (!core.featureEnabled('TokenRequestServiceAccountUIDValidation'))
    return call.annotate?.('authentication.k8s.io/token-request-uid-mismatch', why);
  throw newConflict({ group: kind.group, resource: kind.kind }, call.name, why);
}

function checkLifetime(seconds: number): void {
  const path = root('spec', 'expirationSeconds');
  if (seconds < secondsMin) throw newInvalid(kind, '', [invalid(path, seconds, 'may not specify a duration less than 10 minutes')]);
  if (seconds > secondsMax) throw newInvalid(kind, '', [invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')]);
}

type Bound = Pick<TokenClaims, 'pod' | 'node' | 'secret'>;

function boundObjects(core: WriteCore, call: WriteCall, reference: Section | null | undefined): Bound {
  if (reference === undefined || reference === null) return {};
  const name = String(reference['name'] ?? '');
  const boundKind = String(reference['kind'] ?? '');
  const resource = { Pod: 'pods', Node: 'nodes', Secret: 'secrets' }[boundKind];
  const version = String(reference['apiVersion'] ?? '');
  if (resource === undefined || (version !== 'v1' && version !== ''))
    throw newBadRequest(`cannot bind token to object of type ${version}, Kind=${boundKind}`);
  const object = core.lookup('', resource, boundKind === 'Node' ? undefined : call.namespace, name);
  if (object === undefined) throw newNotFound({ group: '', resource }, name);
  const uid = object.metadata.uid ?? '';
  if (reference['uid'] && reference['uid'] !== uid) {
    const why = `the UID in the bound object reference (${String(reference['uid'])}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw newConflict({ group: '', resource: boundKind }, name, why);
  }
  if (boundKind === 'Node') return { node: { name, uid } };
  if (boundKind === 'Secret') return { secret: { name, uid } };
  const spec = section(object, 'spec');
  if (spec['serviceAccountName'] !== call.name) {
    throw newBadRequest(`cannot bind token for serviceaccount ${JSON.stringify(call.name)} to pod running with different serviceaccount name.`);
  }
  const nodeName = String(spec['nodeName'] ?? '');
  if (nodeName === '') return { pod: { name, uid } };
  const node = core.lookup('', 'nodes', undefined, nodeName);
  return { pod: { name, uid }, node: { name: nodeName, uid: node?.metadata.uid ?? '' } };
}
