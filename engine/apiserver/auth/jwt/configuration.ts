/**
 * Issuers of JSON Web Tokens that are believed, and what their claims make of a user: `jwt` of an AuthenticationConfiguration. Mirrors
 * apiserver pkg/apis/apiserver and its validation.
 */
import { aggregateText, duplicate, type FieldError, type FieldPath, invalid, required, root } from '../../../apimachinery/field-errors.ts';
import { ConfigurationFault, type Fields } from '../../configuration-reader.ts';
import { type ClaimExpressions, compileClaims, compileUser } from './expressions.ts';

/** One of both; `prefix` stands before what a claim says. */
export interface Mapping {
  readonly claim: string;
  readonly prefix: string;
  readonly expression: string;
}

export interface ValidationRule {
  readonly claim: string;
  readonly requiredValue: string;
  readonly expression: string;
  readonly message: string;
}

export interface JwtIssuerConfiguration {
  readonly url: string;
  /** Where the discovery document is; below the issuer when empty. */
  readonly discoveryUrl: string;
  /** PEM; the system's authorities when empty. */
  readonly authoritiesPem: string;
  readonly audiences: readonly string[];
  /** Names of JOSE. */
  readonly algorithms: readonly string[];
  readonly username: Mapping;
  readonly groups: Mapping;
  readonly uid: Mapping;
  readonly extra: readonly { readonly key: string; readonly expression: string }[];
  readonly claimRules: readonly ValidationRule[];
  readonly userRules: readonly ValidationRule[];
}

export const allAlgorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];
const noMapping: Mapping = { claim: '', prefix: '', expression: '' };
const issuerFields = ['url', 'discoveryURL', 'certificateAuthority', 'audiences', 'audienceMatchPolicy', 'egressSelectorType'];

/** `disallowed` are issuers of the cluster's own. Throws ConfigurationFault. */
export function readIssuers(configuration: Fields, disallowed: readonly string[]): readonly JwtIssuerConfiguration[] {
  const faults: FieldError[] = [];
  const read = configuration
    .each('jwt', ['issuer', 'claimValidationRules', 'claimMappings', 'userValidationRules'])
    .map((fields, index) => readIssuer(fields, root('jwt').index(index), disallowed, faults));
  const seen = new Set<string>();
  for (const [index, { url }] of read.entries()) {
    if (seen.has(url)) faults.push(duplicate(root('jwt').index(index).child('issuer', 'url'), url));
    seen.add(url);
  }
  if (faults.length > 0) throw new ConfigurationFault(aggregateText(faults));
  return read;
}

function readIssuer(fields: Fields, path: FieldPath, disallowed: readonly string[], faults: FieldError[]): JwtIssuerConfiguration {
  const issuer = fields.fields('issuer', issuerFields);
  const mappings = fields.fields('claimMappings', ['username', 'groups', 'uid', 'extra']);
  const at = path.child('issuer');
  const [url, discoveryUrl] = [issuer.text('url'), issuer.text('discoveryURL')];
  faults.push(...urlFaults(url, at.child('url'), disallowed));
  if (issuer.has('discoveryURL')) {
    if (discoveryUrl === url) faults.push(invalid(at.child('discoveryURL'), discoveryUrl, 'discoveryURL must be different from URL'));
    faults.push(...urlFaults(discoveryUrl, at.child('discoveryURL'), []));
  }
  const mapped = path.child('claimMappings');
  const rules = (name: string, isClaim: boolean): readonly ValidationRule[] =>
    fields.each(name, isClaim ? ['claim', 'requiredValue', 'expression', 'message'] : ['expression', 'message']).map((rule, index) => {
      const [claim, expression] = [rule.text('claim'), rule.text('expression')];
      const place = path.child(name).index(index);
      if (claim !== '' && expression !== '') faults.push(invalid(place, claim, "claim and expression can't both be set"));
      if (claim === '' && expression === '')
        faults.push(isClaim ? required(place, 'claim or expression is required') : required(place.child('expression')));
      if (claim !== '' && rule.text('message') !== '')
        faults.push(invalid(place.child('message'), rule.text('message'), 'may not be specified when claim is set'));
      if (expression !== '' && rule.text('requiredValue') !== '')
        faults.push(invalid(place.child('requiredValue'), rule.text('requiredValue'), 'may not be specified when expression is set'));
      return { claim, expression, requiredValue: rule.text('requiredValue'), message: rule.text('message') };
    });
  const made: JwtIssuerConfiguration = {
    url,
    discoveryUrl,
    authoritiesPem: issuer.text('certificateAuthority'),
    audiences: readAudiences(issuer, at, faults),
    algorithms: allAlgorithms,
    username: readMapping(mappings, 'username', mapped.child('username'), faults),
    groups: mappings.has('groups') ? readMapping(mappings, 'groups', mapped.child('groups'), faults) : noMapping,
    uid: readUid(mappings, mapped.child('uid'), faults),
    extra: readExtra(mappings, mapped.child('extra'), faults),
    claimRules: rules('claimValidationRules', true),
    userRules: rules('userValidationRules', false),
  };
  faults.push(...expressionFaults(made, path));
  return made;
}

/** What is wrong with the URL of an issuer. */
export function urlFaults(url: string, path: FieldPath, disallowed: readonly string[]): readonly FieldError[] {
  if (url === '') return [required(path)];
  const faults = disallowed.includes(url)
    ? [invalid(path, url, `URL must not overlap with disallowed issuers: [${[...disallowed].sort().join(' ')}]`)]
    : [];
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(url) ?? [];
  if (scheme.toLowerCase() !== 'https') faults.push(invalid(path, url, 'URL scheme must be https'));
  if (/^[^/?#]*@/.test(rest)) faults.push(invalid(path, url, 'URL must not contain a username or password'));
  if (/\?./.test(rest.split('#')[0] ?? '')) faults.push(invalid(path, url, 'URL must not contain a query'));
  if (/#./.test(rest)) faults.push(invalid(path, url, 'URL must not contain a fragment'));
  return faults;
}

function readAudiences(issuer: Fields, path: FieldPath, faults: FieldError[]): readonly string[] {
  const audiences = issuer.texts('audiences');
  const policy = issuer.text('audienceMatchPolicy');
  const at = path.child('audiences');
  if (audiences.length === 0) faults.push(required(at, `at least one ${at.toString()} is required`));
  audiences.forEach((audience, index) => {
    if (audience === '') faults.push(required(at.index(index)));
    else if (audiences.indexOf(audience) < index) faults.push(duplicate(at.index(index), audience));
  });
  const policyPath = path.child('audienceMatchPolicy');
  if (audiences.length > 1 && policy !== 'MatchAny')
    faults.push(invalid(policyPath, policy, 'audienceMatchPolicy must be MatchAny for multiple audiences'));
  if (audiences.length === 1 && policy !== '' && policy !== 'MatchAny')
    faults.push(invalid(policyPath, policy, 'audienceMatchPolicy must be empty or MatchAny for single audience'));
  return audiences;
}

function readMapping(mappings: Fields, name: string, path: FieldPath, faults: FieldError[]): Mapping {
  const fields = mappings.fields(name, ['claim', 'prefix', 'expression']);
  const [claim, expression, prefix] = [fields.text('claim'), fields.text('expression'), fields.optionalText('prefix')];
  if (claim !== '' && expression !== '') faults.push(invalid(path, '', "claim and expression can't both be set"));
  if (claim === '' && expression === '') faults.push(required(path, 'claim or expression is required'));
  if (expression !== '' && prefix !== undefined) faults.push(invalid(path.child('prefix'), prefix, 'may not be specified when expression is set'));
  if (claim !== '' && prefix === undefined)
    faults.push(required(path.child('prefix'), 'prefix is required when claim is set. It can be set to an empty string to disable prefixing'));
  return { claim, expression, prefix: prefix ?? '' };
}

function readUid(mappings: Fields, path: FieldPath, faults: FieldError[]): Mapping {
  const fields = mappings.fields('uid', ['claim', 'expression']);
  const [claim, expression] = [fields.text('claim'), fields.text('expression')];
  if (claim !== '' && expression !== '') faults.push(invalid(path, '', "claim and expression can't both be set"));
  return { claim, expression, prefix: '' };
}

function readExtra(mappings: Fields, path: FieldPath, faults: FieldError[]): JwtIssuerConfiguration['extra'] {
  const seen = new Set<string>();
  return mappings.each('extra', ['key', 'valueExpression']).map((fields, index) => {
    const [key, expression] = [fields.text('key'), fields.text('valueExpression')];
    const at = path.index(index);
    const [domain = '', name] = key.split('/');
    if (name === undefined || name === '' || !domain.includes('.'))
      faults.push(invalid(at.child('key'), key, 'must be a domain-prefixed path (such as "acme.io/foo")'));
    if (key !== key.toLowerCase()) faults.push(invalid(at.child('key'), key, 'must be lowercase'));
    if (/(^|\.)(k8s|kubernetes)\.io$/.test(domain))
      faults.push(invalid(at.child('key'), key, 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use'));
    if (seen.has(key)) faults.push(duplicate(at.child('key'), key));
    seen.add(key);
    if (expression === '') faults.push(required(at.child('valueExpression')));
    return { key, expression };
  });
}

function expressionFaults(issuer: JwtIssuerConfiguration, path: FieldPath): readonly FieldError[] {
  const mapped = path.child('claimMappings');
  const all: readonly (readonly [at: FieldPath, expression: string, compiled: ClaimExpressions])[] = [
    [mapped.child('username', 'expression'), issuer.username.expression, compileClaims],
    [mapped.child('groups', 'expression'), issuer.groups.expression, compileClaims],
    [mapped.child('uid', 'expression'), issuer.uid.expression, compileClaims],
    ...issuer.extra.map(({ expression }, index) => [mapped.child('extra').index(index).child('valueExpression'), expression, compileClaims] as const),
    ...issuer.claimRules.map(
      ({ expression }, index) => [path.child('claimValidationRules').index(index).child('expression'), expression, compileClaims] as const,
    ),
    ...issuer.userRules.map(
      ({ expression }, index) => [path.child('userValidationRules').index(index).child('expression'), expression, compileUser] as const,
    ),
  ];
  const faults = all.flatMap(([at, expression, compiled]) => {
    const made = expression === '' ? undefined : compiled(expression);
    return made !== undefined && 'fault' in made ? [invalid(at, expression, made.fault)] : [];
  });
  const { expression } = issuer.username;
  const others = [...issuer.claimRules, ...issuer.extra].map((one) => one.expression);
  if (/\bclaims\.email\b/.test(expression) && ![expression, ...others].some((one) => one.includes('email_verified')))
    faults.push(
      invalid(
        mapped.child('username', 'expression'),
        expression,
        'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
      ),
    );
  return faults;
}
