/**
 * `serviceaccounts/x/token`: a token bound to a service account and, if asked, to a pod, node or secret. Signing is a capability of
 * the host. Mirrors pkg/registry/core/serviceaccount/storage/token.go.
 */
import { formatTime } from '../apimachinery/time.ts';
import { newBadRequest, newConflict, newInvalid } from '../apimachinery/errors.ts';
import { invalid, root } from '../apimachinery/field-errors.ts';
import { type KubeObject, type ObjectMeta, parseGroupVersion } from '../apimachinery/object.ts';
import { isList, type JsonValue } from '../base/json.ts';
import type { TokenClaims, TokenSigner } from '../contracts/tokens.ts';
import type { WriteCall, WriteCore } from './core.ts';
import { dedup } from './create.ts';
import { recordBody } from './managed.ts';
import { matchNamespace, orderedMeta } from './meta.ts';
import { missing } from './missing.ts';
import { section, type Section, type SubresourceHandler } from './subresource-handlers.ts';

const kind = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };
const requestSchema = 'io.k8s.api.authentication.v1.TokenRequest';
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
  if (core.ratcheted('NamedTokens')) matchNamespace(body, call.namespace);
  const once = dedup(core, recordBody(core, call, withDefaults(body), core.schemas.mustGet(requestSchema)), call, false);
  const asked = dedup(core, call.hooks.admit(once, undefined), call, true);
  checkName(core, call, asked);
  const account = core.read(call.resource, call.namespace, call.name)?.value;
  if (account === undefined) throw missing(call.resource.groupResource, call.name);
  const uid = account.metadata.uid ?? '';
  checkUid(core, call, asked.metadata.uid ?? '', uid);
  const { status: _status, ...rest } = asked as KubeObject & { readonly status?: unknown };
  const metadata = core.ratcheted('NamedTokens') ? ofAccount(core, call, asked, uid) : asked.metadata;
  const spec = section(asked, 'spec');
  const audiences = isList(spec['audiences']) && spec['audiences'].length > 0 ? (spec['audiences'] as readonly string[]) : signer.audiences;
  const request = { ...rest, metadata, spec: { ...spec, audiences } } as KubeObject;
  checkLifetime(spec['expirationSeconds']);
  call.hooks.validate(request, undefined);
  return signed(signer, core, call, request, uid);
}

/** The request with its status: the token. What it may be bound to is looked for last. */
function signed(signer: TokenSigner, core: WriteCore, call: WriteCall, request: KubeObject, uid: string): KubeObject {
  const spec = section(request, 'spec');
  const audiences = spec['audiences'] as readonly string[];
  const askedSeconds = Number(spec['expirationSeconds']);
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
    spec: { ...spec, expirationSeconds },
    status: { token, expirationTimestamp: formatTime(nowMs + expirationSeconds * 1000) },
  } as KubeObject;
}

function withDefaults(body: KubeObject): KubeObject {
  const spec = section(body, 'spec');
  return { ...body, spec: { ...spec, expirationSeconds: spec['expirationSeconds'] ?? secondsDefault } } as KubeObject;
}

/** What the request says of itself stays, whatever it is; whose token it is stands there too. */
function ofAccount(core: WriteCore, call: WriteCall, { metadata }: KubeObject, uid: string): ObjectMeta {
  return orderedMeta({ ...metadata, name: call.name, namespace: call.namespace, uid: metadata.uid || uid, creationTimestamp: core.nowText() });
}

/** Name and namespace may be in the body as well; admission may have put others there. */
function checkName(core: WriteCore, call: WriteCall, { metadata: { name, namespace } }: KubeObject): void {
  if (!core.ratcheted('NamedTokens')) return;
  const refuse = (field: 'name' | 'namespace', value: string): Error =>
    newInvalid(kind, call.name, [invalid(root('metadata', field), value, `must match the service account ${field} if specified`)]);
  if (name && name !== call.name) throw refuse('name', name);
  if (namespace && namespace !== call.namespace) throw refuse('namespace', namespace);
}

/** A token for an account that was deleted and made again under its name is not what was asked for. */
function checkUid(core: WriteCore, call: WriteCall, asked: string, uid: string): void {
  if (asked === '' || asked === uid) return;
  const why = `the UID in the token request (${asked}) does not match the UID of the service account (${uid})`;
  if (!core.featureEnabled('TokenRequestServiceAccountUIDValidation'))
    return call.annotate?.('authentication.k8s.io/token-request-uid-mismatch', why);
  throw newConflict({ group: kind.group, resource: kind.kind }, call.name, why);
}

/** In the exact number that was sent. */
function checkLifetime(seconds: JsonValue | undefined): void {
  const path = root('spec', 'expirationSeconds');
  if (Number(seconds) < secondsMin) throw newInvalid(kind, '', [invalid(path, seconds, 'may not specify a duration less than 10 minutes')]);
  if (Number(seconds) > secondsMax) throw newInvalid(kind, '', [invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')]);
}

type Bound = Pick<TokenClaims, 'pod' | 'node' | 'secret'>;

/** Kinds of the first group, in any version, by which tokens may be bound. */
const bindable: ReadonlyMap<string, string> = new Map([
  ['Pod', 'pods'],
  ['Node', 'nodes'],
  ['Secret', 'secrets'],
]);

function boundObjects(core: WriteCore, call: WriteCall, reference: Section | null | undefined): Bound {
  if (reference === undefined || reference === null) return {};
  const name = String(reference['name'] ?? '');
  const boundKind = String(reference['kind'] ?? '');
  // What is no group and version counts as none.
  const { group, version } = parseGroupVersion(String(reference['apiVersion'] ?? '')) ?? { group: '', version: '' };
  const resource = group === '' ? bindable.get(boundKind) : undefined;
  if (resource === undefined) throw newBadRequest(`cannot bind token to object of type ${group}/${version}, Kind=${boundKind}`);
  if (boundKind === 'Node') checkNodesBind(core);
  const object = mustFind(core, resource, boundKind === 'Node' ? undefined : call.namespace, name);
  const { uid = '' } = object.metadata;
  const bound = boundKind === 'Pod' ? ofPod(core, call, object, uid) : boundKind === 'Node' ? { node: { name, uid } } : { secret: { name, uid } };
  if (reference['uid'] && reference['uid'] !== uid) {
    const why = `the UID in the bound object reference (${String(reference['uid'])}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw newConflict({ group: '', resource: boundKind }, name, why);
  }
  return bound;
}

function checkNodesBind(core: WriteCore): void {
  const gate = 'ServiceAccountTokenNodeBinding';
  if (!core.featureEnabled(gate)) throw newBadRequest(`cannot bind token to a Node object as the ${JSON.stringify(gate)} feature-gate is disabled`);
}

function mustFind(core: WriteCore, resource: string, namespace: string | undefined, name: string): KubeObject {
  if (name === '') throw newBadRequest('Name parameter required.');
  const object = core.lookup('', resource, namespace, name);
  if (object === undefined) throw missing({ group: '', resource }, name);
  return object;
}

function ofPod(core: WriteCore, call: WriteCall, pod: KubeObject, uid: string): Bound {
  const { name = '' } = pod.metadata;
  const spec = section(pod, 'spec');
  if (spec['serviceAccountName'] !== call.name)
    throw newBadRequest(`cannot bind token for serviceaccount ${JSON.stringify(call.name)} to pod running with different serviceaccount name.`);
  const nodeName = String(spec['nodeName'] ?? '');
  if (nodeName === '' || !core.featureEnabled('ServiceAccountTokenPodNodeInfo')) return { pod: { name, uid } };
  const node = core.lookup('', 'nodes', undefined, nodeName);
  return { pod: { name, uid }, node: { name: nodeName, uid: node?.metadata.uid ?? '' } };
}
