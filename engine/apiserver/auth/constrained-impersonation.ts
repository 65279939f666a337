/**
 * The ways to ask as somebody else, tried in turn: as one's own node, as any node, as a service account, as any other user, each for what
 * is asked now alone, and last as of old for everything. Mirrors apiserver pkg/endpoints/filters/impersonation/mode.go.
 */
import { superuserGroup } from '../../contracts/access.ts';
import { newForbidden } from '../../apimachinery/errors.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '../../apimachinery/formats.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { assert } from '../../base/assert.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { Ask } from '../../contracts/questions.ts';
import type { Identity } from '../../contracts/request.ts';
import { forbiddenText, type AuthorizationAttributes, type Authorizer } from '../authorizer.ts';

const authenticationGroup = 'authentication.k8s.io';
const nodeKey = 'authentication.kubernetes.io/node-name';
const keysKey = 'authentication.kubernetes.io/associated-node-keys';
const nodesGroup = 'system:nodes';
/** From so many on it is asked first whether all may be had. */
const many = 4;

/** Who wants to be whom, and what she asks as that. */
export interface Impersonation {
  readonly requestor: Identity;
  readonly wanted: Identity;
  readonly attributes: AuthorizationAttributes;
  readonly authorizer: Authorizer;
  readonly ask: Ask;
}

interface Mode {
  readonly name: string;
  applies(impersonation: Impersonation): boolean;
}

const modes: readonly Mode[] = [
  {
    name: 'associated-node',
    applies: ({ wanted, requestor }) => {
      const node = isBare(wanted) ? nodeOf(wanted.name) : undefined;
      const own = getOwn(requestor.extra ?? {}, nodeKey);
      return node !== undefined && accountOf(requestor.name) !== undefined && own?.length === 1 && own[0] === node;
    },
  },
  { name: 'arbitrary-node', applies: ({ wanted }) => isBare(wanted) && nodeOf(wanted.name) !== undefined },
  { name: 'serviceaccount', applies: ({ wanted }) => isBare(wanted) && accountOf(wanted.name) !== undefined },
  { name: 'user-info', applies: ({ wanted }) => nodeOf(wanted.name) === undefined && accountOf(wanted.name) === undefined },
];

const callersMax = 10_000;

/** By which way callers came last, by their names: it is tried first, and what closes it is what they are told. Mirrors cache.go beside it. */
export class LastModes {
  readonly #modes = new Map<string, string>();

  of(caller: string): string | undefined {
    const mode = this.#modes.get(caller);
    if (mode !== undefined) this.#keep(caller, mode);
    return mode;
  }

  note(caller: string, mode: string): void {
    this.#keep(caller, mode);
    const [eldest] = this.#modes.size > callersMax ? this.#modes.keys() : [];
    if (eldest !== undefined) this.#modes.delete(eldest);
  }

  #keep(caller: string, mode: string): void {
    this.#modes.delete(caller);
    this.#modes.set(caller, mode);
  }
}

/** The verb by which it was allowed, empty for that of old, and the groups that come of the name. */
export interface Constrained {
  readonly constraint: string;
  readonly groups: readonly string[];
}

/** `asOfOld` is the last way, which throws where it is closed. Throws the first StatusError where all are. */
export function constrain(impersonation: Impersonation, last: LastModes, asOfOld: () => void): Constrained {
  const { requestor, wanted } = impersonation;
  const all: readonly Mode[] = [...modes, { name: '', applies: () => true }];
  const lastMode = last.of(requestor.name);
  const inOrder = [...all.filter(({ name }) => name === lastMode), ...all.filter(({ name }) => name !== lastMode)];
  let refusal: StatusError | undefined;
  for (const { name } of inOrder.filter((mode) => mode.applies(impersonation))) {
    try {
      if (name === '') asOfOld();
      else checkMode(name, impersonation);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      refusal ??= error;
      continue;
    }
    last.note(requestor.name, name);
    if (name === '') return { constraint: '', groups: wanted.groups };
    return { constraint: `impersonate:${name}`, groups: nodeOf(wanted.name) === undefined ? wanted.groups : [nodesGroup] };
  }
  assert(refusal !== undefined, 'the way of old is open or closed for everybody');
  throw refusal;
}

function checkMode(mode: string, given: Impersonation): void {
  const { wanted, attributes } = given;
  const asked = mode === 'associated-node' ? { ...given, requestor: withoutExtra(given.requestor) } : given;
  check(asked, { ...attributes, verb: `impersonate-on:${mode}:${attributes.verb}` });
  const verb = `impersonate:${mode}`;
  check(asked, { ...question(verb, 'users', wanted.name), ...named(mode, wanted.name) });
  if (wanted.uid !== undefined && wanted.uid !== '') check(asked, question(verb, 'uids', wanted.uid));
  checkGroups(verb, asked);
  checkExtra(verb, asked);
}

/** What an account's tokens say of themselves does not matter here, but which of it they say. */
function withoutExtra(requestor: Identity): Identity {
  return { ...requestor, extra: { [keysKey]: Object.keys(requestor.extra ?? {}).sort() } };
}

function named(mode: string, name: string): Partial<AuthorizationAttributes> {
  const node = nodeOf(name);
  if (node !== undefined) return { resource: 'nodes', name: mode === 'associated-node' ? '*' : node };
  const account = accountOf(name);
  return account === undefined ? {} : { resource: 'serviceaccounts', ...account };
}

function checkGroups(verb: string, given: Impersonation): void {
  const { groups } = given.wanted;
  const asked = (name: string): AuthorizationAttributes => question(verb, 'groups', name);
  if (groups.includes('')) refuse(given, asked(''), 'impersonating the empty string group is not allowed');
  if (groups.includes(superuserGroup)) refuse(given, asked(superuserGroup), 'impersonating the system:masters group is not allowed');
  if (groups.length >= many && isAllowed(given, asked('*'))) return;
  for (const group of groups) check(given, asked(group));
}

function checkExtra(verb: string, given: Impersonation): void {
  const extra = Object.entries(given.wanted.extra ?? {});
  const asked = (key: string, value: string): AuthorizationAttributes => ({ ...question(verb, 'userextras', value), subresource: key });
  for (const [key, values] of extra) {
    const why = extraFault(key, values);
    if (why !== undefined) refuse(given, asked('', ''), why);
  }
  const isLarge = extra.length >= many || extra.reduce((count, [, values]) => count + values.length, 0) >= many;
  if (isLarge && isAllowed(given, asked('*', '*'))) return;
  for (const [key, values] of extra) for (const value of values) check(given, asked(key, value));
}

function extraFault(key: string, values: readonly string[]): string | undefined {
  if (key === '') return 'impersonating the empty string key in extra is not allowed';
  const [domain = '', ...path] = key.split('/');
  if (path.length === 0 || path.join('/') === '' || domain === '' || isDNS1123Subdomain(domain.toLowerCase()).length > 0)
    return `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${goQuote(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
  if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
  if (values.length === 0) return 'impersonating empty values in extra is not allowed';
  return values.includes('') ? 'impersonating the empty string value in extra is not allowed' : undefined;
}

function question(verb: string, resource: string, name: string): AuthorizationAttributes {
  return { verb, isResource: true, path: '', group: authenticationGroup, version: 'v1', resource, subresource: '', namespace: '', name };
}

function isAllowed({ authorizer, requestor, ask }: Impersonation, attributes: AuthorizationAttributes): boolean {
  return authorizer.authorize(requestor, attributes, ask).allowed;
}

/** Throws 403 where the requestor may not. */
export function check(given: Impersonation, attributes: AuthorizationAttributes): void {
  const { allowed, reason } = given.authorizer.authorize(given.requestor, attributes, given.ask);
  if (!allowed) refuse(given, attributes, reason);
}

function refuse({ requestor }: Impersonation, attributes: AuthorizationAttributes, reason: string): never {
  const { group, resource, name } = attributes;
  throw newForbidden({ group, resource }, name, forbiddenText(requestor, attributes, reason));
}

function isBare({ uid = '', groups, extra = {} }: Identity): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
}

function nodeOf(name: string): string | undefined {
  const [, node] = /^system:node:(.*)$/s.exec(name) ?? [];
  return node !== undefined && isDNS1123Subdomain(node).length === 0 ? node : undefined;
}

/** Whose name cannot be that of an account is a user like others. */
export function accountOf(name: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name) ?? [];
  if (namespace === undefined || account === undefined) return undefined;
  return isDNS1123Label(namespace).length > 0 || isDNS1123Subdomain(account).length > 0 ? undefined : { namespace, name: account };
}
