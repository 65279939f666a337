/** Attribute-based authorization: a policy a line, any of which lets a request pass. Mirrors pkg/auth/authorizer/abac. */
import { goQuote } from '../../apimachinery/quote.ts';
import { decodeJson } from '../../apimachinery/serializer/json.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { AccessRule } from '../../contracts/access.ts';
import type { Identity } from '../../contracts/request.ts';
import type { AuthorizationAttributes, Authorizer } from '../authorizer.ts';
import { ConfigurationFault, Fields } from '../configuration-reader.ts';

/** Empty texts match what is empty; `*` everything. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const allAuthenticated = 'system:authenticated';
const apiVersion = 'abac.authorization.kubernetes.io/v1beta1';
const reading: readonly string[] = ['get', 'list', 'watch'];

/** Throws ConfigurationFault, which names the line. */
export function readAbacPolicies(text: string): readonly AbacPolicy[] {
  return text.split('\n').flatMap((line, index) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    try {
      return [readPolicy(trimmed)];
    } catch (error) {
      throw new ConfigurationFault(`error reading policy file, line ${index + 1}: ${line}: ${(error as Error).message}`);
    }
  });
}

function readPolicy(line: string): AbacPolicy {
  const document = decodeJson(line).value as JsonValue;
  if (!isObject(document)) throw new ConfigurationFault('an object is expected');
  if (document['apiVersion'] === undefined && document['kind'] === undefined) return ofOldForm(document);
  if (document['apiVersion'] !== apiVersion || document['kind'] !== 'Policy')
    throw new ConfigurationFault(
      `no kind ${goQuote(String(document['kind'] ?? ''))} is registered for version ${goQuote(String(document['apiVersion'] ?? ''))}`,
    );
  const { spec } = document as { readonly spec?: JsonValue };
  const policy = fieldsOf(isObject(spec) ? spec : {});
  return policy.user === '*' || policy.group === '*' ? { ...policy, user: '', group: allAuthenticated } : policy;
}

/** Before policies had versions: what is not said is everything. */
function ofOldForm(document: JsonObject): AbacPolicy {
  const policy = fieldsOf(document);
  const { user, group, namespace, resource } = policy;
  const isEverybody = user === '*' || group === '*' || (user === '' && group === '');
  return {
    ...policy,
    ...(isEverybody ? { user: '', group: allAuthenticated } : {}),
    apiGroup: '*',
    namespace: namespace || '*',
    resource: resource || '*',
    nonResourcePath: namespace === '' && resource === '' ? '*' : '',
  };
}

function fieldsOf(object: JsonObject): AbacPolicy {
  const fields = new Fields(object, '', Object.keys(object));
  return {
    user: fields.text('user'),
    group: fields.text('group'),
    readonly: fields.boolean('readonly') === true,
    apiGroup: fields.text('apiGroup'),
    resource: fields.text('resource'),
    namespace: fields.text('namespace'),
    nonResourcePath: fields.text('nonResourcePath'),
  };
}

export function createAbacAuthorizer(policies: readonly AbacPolicy[]): Authorizer {
  return {
    authorize: (identity, attributes) => {
      const allowed = policies.some((policy) => isAbout(policy, identity) && allows(policy, attributes));
      return { allowed, reason: allowed ? '' : 'No policy matched.' };
    },
  };
}

export function abacRulesOf(policies: readonly AbacPolicy[], identity: Identity, namespace: string): readonly AccessRule[] {
  return policies
    .filter((policy) => isAbout(policy, identity) && (policy.namespace === '*' || policy.namespace === namespace))
    .flatMap(({ readonly: onlyReads, apiGroup, resource, nonResourcePath }) => {
      const verbs = onlyReads ? reading : ['*'];
      return [
        ...(resource === '' ? [] : [{ verbs, apiGroups: [apiGroup], resources: [resource] }]),
        ...(nonResourcePath === '' ? [] : [{ verbs, nonResourceURLs: [nonResourcePath] }]),
      ];
    });
}

function isAbout({ user, group }: AbacPolicy, { name, groups }: Identity): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || user === '*' || user === name) && (group === '' || group === '*' || groups.includes(group));
}

function allows(policy: AbacPolicy, attributes: AuthorizationAttributes): boolean {
  const { verb, isResource, namespace, resource, group, path } = attributes;
  if (policy.readonly && !reading.includes(verb)) return false;
  const matches = (pattern: string, value: string): boolean => pattern === '*' || pattern === value;
  if (isResource) return matches(policy.namespace, namespace) && matches(policy.resource, resource) && matches(policy.apiGroup, group);
  const { nonResourcePath } = policy;
  if (matches(nonResourcePath, path)) return true;
  return nonResourcePath.endsWith('*') && path.startsWith(nonResourcePath.replace(/\*+$/, ''));
}
