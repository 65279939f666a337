/** A webhook that knows tokens (`--authentication-token-webhook-…`). Mirrors apiserver plugin/pkg/authenticator/token/webhook. */
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Identity } from '../../contracts/request.ts';
import type { TokenAuthenticator } from './authenticator.ts';
import { type Asked, CallFailure, fieldFault, reviewQuestion, type StatusReview, statusIn } from './review-webhook.ts';

export interface TokenWebhook {
  /** Path on the host. */
  readonly kubeconfig: string;
  readonly version: 'v1' | 'v1beta1';
  /** Virtual time for which answers count. */
  readonly keptMs: number;
}

const timeoutMs = 30_000;

const statusPlace = { holder: 'TokenReview', path: 'status', type: 'TokenReviewStatus' };
const userPlace = { holder: 'TokenReviewStatus', path: 'status.user', type: 'UserInfo' };
const form: StatusReview = {
  group: 'authentication.k8s.io',
  kind: 'TokenReview',
  emptyStatus: { user: {} },
  typeFault: (status, version) =>
    fieldFault(status, statusPlace, version, { authenticated: 'flag', audiences: 'texts', error: 'text' }) ??
    fieldFault(isObject(status) ? status['user'] : undefined, userPlace, version, { username: 'text', uid: 'text', groups: 'texts', extra: 'lists' }),
};

/** `audiences` are the API server's own, for which the webhook is taken to answer where it names none. */
export function createTokenWebhook({ kubeconfig, version, keptMs }: TokenWebhook, audiences: readonly string[]): TokenAuthenticator {
  const asked: Asked = { name: 'tokens', kubeconfig, form, version, timeoutMs, patienceMs: timeoutMs, isOfIdentities: true };
  return (token, wanted, ask) => {
    const of = wanted ?? audiences;
    const question = reviewQuestion(asked, { token, audiences: of }, (status) => (errorOf(status) === '' ? keptMs : 0), { verb: 'authenticate' });
    const status = statusIn(ask(question), asked);
    if (status instanceof CallFailure) return { error: status.message };
    const given = textsOf(status['audiences']);
    const shared = of.filter((audience) => (given.length > 0 ? given : audiences).includes(audience));
    if (shared.length === 0) return undefined;
    if (status['authenticated'] === true) return { identity: identityOf(status['user']), audiences: shared };
    const error = errorOf(status);
    return error === '' ? undefined : { error };
  };
}

function errorOf(status: JsonObject): string {
  return status['authenticated'] !== true && typeof status['error'] === 'string' ? status['error'] : '';
}

function identityOf(user: JsonValue | undefined): Identity {
  const { username, uid, groups, extra } = isObject(user) ? (user as { readonly [field: string]: JsonValue | undefined }) : {};
  const known = isObject(extra) ? Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, textsOf(values)])) : {};
  return {
    name: typeof username === 'string' ? username : '',
    ...(typeof uid === 'string' && uid !== '' ? { uid } : {}),
    groups: textsOf(groups),
    ...(Object.keys(known).length === 0 ? {} : { extra: known }),
  };
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).map((one) => (typeof one === 'string' ? one : '')) : [];
}
