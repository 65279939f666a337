/** What the claims of a token make of its holder. Mirrors apiserver plugin/pkg/authenticator/token/oidc. */
import { goQuote } from '../../../apimachinery/quote.ts';
import { goKind } from '../../../apimachinery/serializer/go-names.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import type { Identity } from '../../../contracts/request.ts';
import type { JwtIssuerConfiguration, Mapping, ValidationRule } from './configuration.ts';
import { compileClaims, compileUser, evaluateOver } from './expressions.ts';

/** What is wrong with the claims, in upstream's words. */
export class ClaimsError extends Error {
  constructor(message: string) {
    super(`oidc: ${message}`);
    this.name = 'ClaimsError';
  }
}

type Mapper = (claims: JsonObject) => Identity;

/** The expressions are compiled once. The mapper throws ClaimsError. */
export function createClaimsMapper(issuer: JwtIssuerConfiguration): Mapper {
  const valueOf = evaluatorOf(issuer);
  return (claims) => {
    const name = usernameOf(issuer.username, claims, valueOf);
    const groups = groupsOf(issuer.groups, claims, valueOf);
    const uid = uidOf(issuer.uid, claims, valueOf);
    const extra = extraOf(issuer.extra, claims, valueOf);
    const identity: Identity = { name, groups, ...(uid === '' ? {} : { uid }), ...(Object.keys(extra).length === 0 ? {} : { extra }) };
    for (const rule of issuer.claimRules.filter(({ claim }) => claim !== '')) checkClaim(rule, claims);
    const checked = issuer.claimRules.filter(({ expression }) => expression !== '');
    checkRules(checked, 'claim validation expression', (expression) => valueOf(expression, claims));
    checkRules(issuer.userRules, 'user info validation rule', (expression) =>
      evaluateOver(compileUser(expression), expression, 'user', userOf(identity)),
    );
    return identity;
  };
}

type Evaluate = (expression: string, claims: JsonObject) => JsonValue | undefined;

function evaluatorOf({ username, groups, uid, extra, claimRules }: JwtIssuerConfiguration): Evaluate {
  const all = [username, groups, uid, ...extra, ...claimRules].map(({ expression }) => expression).filter((expression) => expression !== '');
  const compiled = new Map(all.map((expression) => [expression, compileClaims(expression)]));
  return (expression, claims) => evaluateOver(compiled.get(expression) ?? compileClaims(expression), expression, 'claims', claims);
}

function evaluated(what: string, evaluate: () => JsonValue | undefined): JsonValue | undefined {
  try {
    return evaluate();
  } catch (error) {
    throw new ClaimsError(`error evaluating ${what}: ${(error as Error).message}`);
  }
}

function usernameOf({ claim, prefix, expression }: Mapping, claims: JsonObject, valueOf: Evaluate): string {
  if (expression !== '') {
    const name = evaluated('username claim expression', () => valueOf(expression, claims));
    if (typeof name !== 'string') throw new ClaimsError('error evaluating username claim expression: username claim expression must return a string');
    if (name === '') throw new ClaimsError('empty username via CEL expression is not allowed');
    return name;
  }
  const name = textClaim(claims, claim, (why) => `parse username claims ${goQuote(claim)}: ${why}`);
  const verified = claim === 'email' ? getOwn(claims, 'email_verified') : undefined;
  if (verified !== undefined && typeof verified !== 'boolean')
    throw new ClaimsError(`parse 'email_verified' claim: json: cannot unmarshal ${goKind(verified)} into Go value of type bool`);
  if (verified === false) throw new ClaimsError('email not verified');
  return prefix + name;
}

function groupsOf({ claim, prefix, expression }: Mapping, claims: JsonObject, valueOf: Evaluate): readonly string[] {
  if (expression !== '')
    return textsOf(
      evaluated('group claim expression', () => valueOf(expression, claims)),
      'group claim expression',
    );
  const value = claim === '' ? undefined : getOwn(claims, claim);
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [prefix + value];
  if (Array.isArray(value) && (value as readonly JsonValue[]).every((group) => typeof group === 'string'))
    return (value as readonly string[]).map((group) => prefix + group);
  throw new ClaimsError(`parse groups claim ${goQuote(claim)}: json: cannot unmarshal ${goKind(value)} into Go value of type string`);
}

function uidOf({ claim, expression }: Mapping, claims: JsonObject, valueOf: Evaluate): string {
  if (claim !== '') return textClaim(claims, claim, (why) => `parse uid claim ${goQuote(claim)}: ${why}`);
  if (expression === '') return '';
  const uid = evaluated('uid claim expression', () => valueOf(expression, claims));
  if (typeof uid !== 'string') throw new ClaimsError('error evaluating uid claim expression: uid claim expression must return a string');
  return uid;
}

function extraOf(extra: JwtIssuerConfiguration['extra'], claims: JsonObject, valueOf: Evaluate): { [key: string]: readonly string[] } {
  const jti = getOwn(claims, 'jti');
  const mapped = extra.flatMap(({ key, expression }) => {
    const values = textsOf(
      evaluated('extra claim expression', () => valueOf(expression, claims)),
      `extra claim expression: ${expression}`,
    );
    return values.length === 0 ? [] : [[key, values] as const];
  });
  return Object.fromEntries([
    ...(typeof jti === 'string' && jti !== '' ? [['authentication.kubernetes.io/credential-id', [`JTI=${jti}`]] as const] : []),
    ...mapped,
  ]);
}

/** Nothing and an empty text are none. */
function textsOf(value: JsonValue | undefined, what: string): readonly string[] {
  if (value === undefined || value === null || value === '') return [];
  if (typeof value === 'string') return [value];
  const isTexts = Array.isArray(value) && (value as readonly JsonValue[]).every((item) => typeof item === 'string');
  if (!isTexts) throw new ClaimsError(`error evaluating ${what}: expression must return a string or a list of strings`);
  return (value as readonly string[]).filter((item) => item !== '');
}

function checkClaim({ claim, requiredValue }: ValidationRule, claims: JsonObject): void {
  if (getOwn(claims, claim) === undefined) throw new ClaimsError(`required claim ${claim} not present in ID token`);
  const value = textClaim(claims, claim, (why) => `parse claim ${claim}: ${why}`);
  if (value !== requiredValue) throw new ClaimsError(`required claim ${claim} value does not match. Got = ${value}, want = ${requiredValue}`);
}

function checkRules(rules: readonly ValidationRule[], what: string, evaluate: (expression: string) => JsonValue | undefined): void {
  const faults = rules.flatMap(({ expression, message }) => {
    if (evaluated(what, () => evaluate(expression)) === true) return [];
    return [`validation expression '${expression}' failed: ${message}`];
  });
  if (faults.length > 0) throw new ClaimsError(`error evaluating ${what}: ${faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`}`);
}

function textClaim(claims: JsonObject, name: string, words: (why: string) => string): string {
  const value = getOwn(claims, name);
  if (value === undefined) throw new ClaimsError(words('claim not present'));
  if (typeof value !== 'string') throw new ClaimsError(words(`json: cannot unmarshal ${goKind(value)} into Go value of type string`));
  return value;
}

function userOf({ name, uid = '', groups, extra = {} }: Identity): JsonObject {
  return { username: name, uid, groups: [...groups], extra: extra as JsonObject };
}
