/**
 * Asking as somebody else: the `Impersonate-*` headers, and whether the caller may. Mirrors apiserver
 * pkg/endpoints/filters/impersonation.
 */
import { setOwn } from '../../base/dictionary.ts';
import { newBadRequest } from '../../apimachinery/errors.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import type { Ask } from '../../contracts/questions.ts';
import type { Identity } from '../../contracts/request.ts';
import type { AuthorizationAttributes, Authorizer } from '../authorizer.ts';
import { serviceAccountIdentity } from './authenticator.ts';
import { headerTexts } from './header-text.ts';
import { accountOf, check, constrain, type LastModes } from './constrained-impersonation.ts';
import type { AdmittedRequest, HttpRequest } from '../http-types.ts';

const extraPrefix = 'impersonate-extra-';
const authenticationGroup = 'authentication.k8s.io';
const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';
const anonymousName = 'system:anonymous';

/** Who the request goes on as, and the verb that allowed it where that was one for this request alone. */
export interface Impersonated {
  readonly identity: Identity;
  /** Empty where it was the verb of old, which is good for all requests. */
  readonly constraint: string;
}

/** Of old: what was asked for names nobody, in words for who reads the log. */
export class NobodyImpersonated extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NobodyImpersonated';
  }
}

/** Releases of old know no uids, and add no groups to those that are named, nor any to the anonymous. */
export type ImpersonationRules = 'present' | 'old';

/**
 * Undefined where nobody else is wanted. `constraints` are what is asked, and by which ways callers came last; without them the verb of old alone counts. Throws 403 where the
 * caller may not be who it wants to be.
 */
export function impersonated(
  request: Pick<AdmittedRequest, 'headers' | 'identity'>,
  authorizer: Authorizer,
  ask: Ask,
  constraints?: { readonly asked: AuthorizationAttributes; readonly last: LastModes },
  rules: ImpersonationRules = 'present',
): Impersonated | undefined {
  const wanted = readHeaders(request.headers, rules);
  if (wanted === undefined) return undefined;
  const given = { requestor: request.identity, wanted, authorizer, ask };
  const asOfOld = (): void => questions(wanted).forEach((asked) => check({ ...given, attributes: asked }, asked));
  if (constraints === undefined) asOfOld();
  const { constraint, groups } =
    constraints === undefined
      ? { constraint: '', groups: wanted.groups }
      : constrain({ ...given, attributes: constraints.asked }, constraints.last, asOfOld);
  return { identity: completed({ ...wanted, groups }, rules), constraint };
}

function readHeaders(headers: HttpRequest['headers'], rules: ImpersonationRules): Identity | undefined {
  if (!asksForAnother(headers)) return undefined;
  const name = valuesOf(headers['impersonate-user'])[0] ?? '';
  const uid = rules === 'old' ? '' : (valuesOf(headers['impersonate-uid'])[0] ?? '');
  const groups = valuesOf(headers['impersonate-group']);
  const extra: { [key: string]: readonly string[] } = {};
  for (const header of Object.keys(headers).sort()) {
    if (header.startsWith(extraPrefix)) setOwn(extra, decodeKey(header.slice(extraPrefix.length)), valuesOf(headers[header]));
  }
  const hasExtra = Object.keys(extra).length > 0;
  if (name === '') {
    if (uid === '' && groups.length === 0 && !hasExtra) return undefined;
    if (rules === 'old') throw new NobodyImpersonated(`requested ${goReferences(groups, extra)} without impersonating a user`);
    throw newBadRequest(`requested ${goUser(uid, groups, extra)} without impersonating a user name`);
  }
  return { name, groups, ...(uid === '' ? {} : { uid }), ...(hasExtra ? { extra } : {}) };
}

/** Hardly any request does: nothing is made for those that do not. */
function asksForAnother(headers: HttpRequest['headers']): boolean {
  for (const header in headers) if (header.startsWith('impersonate-')) return true;
  return false;
}

/** One that is empty is none. */
function valuesOf(header: string | readonly string[] | undefined): readonly string[] {
  return header === '' ? [] : headerTexts(header);
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** As Go prints the user that was put together so far. */
function goUser(uid: string, groups: readonly string[], extra: Readonly<Record<string, readonly string[]>>): string {
  const list = (values: readonly string[]): string => `[]string{${values.map(goQuote).join(', ')}}`;
  const pairs = Object.entries(extra).map(([key, values]) => `${goQuote(key)}:${list(values)}`);
  const extraText = pairs.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${pairs.join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:${groups.length === 0 ? '[]string(nil)' : list(groups)}, Extra:${extraText}}`;
}

/** As Go prints the references that it made of them. */
function goReferences(groups: readonly string[], extra: Readonly<Record<string, readonly string[]>>): string {
  const extras = Object.entries(extra).flatMap(([key, values]) => values.map((value) => `{UserExtra  ${value}  ${authenticationGroup}/v1  ${key}}`));
  return `[${[...groups.map((group) => `{Group  ${group}    }`), ...extras].join(' ')}]`;
}

function questions({ name, uid, groups, extra }: Identity): readonly AuthorizationAttributes[] {
  const account = accountOf(name);
  return [
    account === undefined ? question('', 'users', name) : { ...question('', 'serviceaccounts', account.name), namespace: account.namespace },
    ...(uid === undefined ? [] : [question(authenticationGroup, 'uids', uid)]),
    ...groups.map((group) => question('', 'groups', group)),
    ...Object.entries(extra ?? {}).flatMap(([key, values]) =>
      values.map((value) => ({ ...question(authenticationGroup, 'userextras', value), subresource: key })),
    ),
  ];
}

function question(group: string, resource: string, name: string): AuthorizationAttributes {
  return { verb: 'impersonate', isResource: true, path: '', group, version: 'v1', resource, subresource: '', namespace: '', name };
}

/** A service account has its groups, everybody but the anonymous is authenticated. */
function completed(wanted: Identity, rules: ImpersonationRules): Identity {
  if (rules === 'old' && (wanted.groups.length > 0 || wanted.name === anonymousName)) return wanted;
  const account = accountOf(wanted.name);
  const groups = wanted.groups.length === 0 && account !== undefined ? serviceAccountIdentity(account.namespace, account.name).groups : wanted.groups;
  const isAnonymous = wanted.name === anonymousName;
  const own = isAnonymous ? unauthenticated : authenticated;
  const settled = groups.includes(unauthenticated) || (!isAnonymous && groups.includes(authenticated));
  return { ...wanted, groups: settled ? groups : [...groups, own] };
}
