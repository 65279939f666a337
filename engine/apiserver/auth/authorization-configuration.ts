/**
 * Who decides, in which order: an AuthorizationConfiguration (`--authorization-config`), or what the older options come to. Mirrors
 * apiserver pkg/apis/apiserver/validation and kubernetes pkg/kubeapiserver/authorizer.
 */
import {
  aggregateText,
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  notSupportedOf,
  required,
  root,
  tooMany,
} from '../../apimachinery/field-errors.ts';
import { isDNS1123Subdomain } from '../../apimachinery/formats.ts';
import { formatDuration } from '../../apimachinery/time.ts';
import { ConfigurationFault, type Fields, Fields as Reader, mustBeKind, parseOnce } from '../configuration-reader.ts';
import { type GoStruct, goMisfit } from '../go-misfits.ts';
import { type AuthorizationWebhook, compileCondition } from './webhook-authorizer.ts';

export const authorizationModes = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'] as const;
export type AuthorizationMode = (typeof authorizationModes)[number];

export interface ConfiguredAuthorizer {
  readonly type: AuthorizationMode;
  readonly name: string;
  /** Of the type Webhook. */
  readonly webhook?: AuthorizationWebhook;
}

const group = 'apiserver.config.k8s.io';
const versions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `${group}/${version}`);
const condition: GoStruct = { name: 'WebhookMatchCondition', fields: { expression: 'string' } };
const connectionInfo: GoStruct = { name: 'WebhookConnectionInfo', fields: { type: 'string', kubeConfigFile: 'string' } };
const webhookType: GoStruct = {
  name: 'WebhookConfiguration',
  fields: {
    ...{ timeout: 'duration', authorizedTTL: 'duration', cacheAuthorizedRequests: 'bool', unauthorizedTTL: 'duration' },
    ...{ cacheUnauthorizedRequests: 'bool', subjectAccessReviewVersion: 'string', matchConditionSubjectAccessReviewVersion: 'string' },
    ...{ failurePolicy: 'string', connectionInfo: { struct: connectionInfo }, matchConditions: { list: condition } },
  },
};
const authorizerType: GoStruct = { name: 'AuthorizerConfiguration', fields: { type: 'string', name: 'string', webhook: { struct: webhookType } } };
const configurationType: GoStruct = { name: 'AuthorizationConfiguration', fields: { authorizers: { list: authorizerType } } };
const webhookFields = Object.keys(webhookType.fields);
const conditionsMax = 64;
const timeoutMaxMs = 30_000;

/**
 * Throws ConfigurationFault in upstream's words. Whether files are there is the host's affair: `fileFault` says what is wrong with one.
 * `requiredTypes` may not be missing.
 */
export function readAuthorizationConfiguration(
  text: string,
  fileFault: (path: string) => string | undefined,
  requiredTypes: readonly string[] = [],
): readonly ConfiguredAuthorizer[] {
  const read = loaded(() => {
    if (text === '') return [];
    const { document, duplicate } = parseOnce(text);
    mustBeKind(document, versions, 'AuthorizationConfiguration');
    const misfit = goMisfit(document, configurationType, String(document['apiVersion']).slice(group.length + 1));
    if (misfit !== undefined) throw new ConfigurationFault(misfit);
    if (duplicate !== undefined) throw new ConfigurationFault(`strict decoding error: ${duplicate}`);
    const fields = new Reader(document, '', ['apiVersion', 'kind', 'authorizers']);
    return fields.each('authorizers', ['type', 'name', 'webhook']).map(readOne);
  });
  const faults = faultsOf(read, fileFault);
  if (faults.length > 0) throw new ConfigurationFault(aggregateText(faults));
  const misnamed = read
    .filter(({ type, name }) => type !== 'Webhook' && name !== type.toLowerCase())
    .map(({ type, name }) => `expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`);
  const missing = requiredTypes.filter((type) => read.every((authorizer) => authorizer.type !== type)).sort();
  const wrong = [...misnamed, ...(missing.length === 0 ? [] : [`missing required types: [${missing.join(' ')}]`])];
  if (wrong.length > 0) throw new ConfigurationFault(wrong.length === 1 ? (wrong[0] ?? '') : `[${wrong.join(', ')}]`);
  return read.map(({ type, name, webhook }) => ({
    type: type as AuthorizationMode,
    name,
    ...(webhook === undefined ? {} : { webhook: configured(webhook) }),
  }));
}

function loaded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigurationFault) throw new ConfigurationFault(`failed to load AuthorizationConfiguration from file: ${error.message}`);
    throw error;
  }
}

interface GivenAuthorizer {
  readonly type: string;
  readonly name: string;
  readonly webhook: GivenWebhook | undefined;
}

/** As it is written, with the defaults. */
interface GivenWebhook {
  readonly timeoutMs: number;
  readonly authorizedMs: number;
  readonly keepsAuthorized: boolean;
  readonly unauthorizedMs: number;
  readonly keepsUnauthorized: boolean;
  readonly version: string;
  readonly conditionVersion: string;
  readonly failurePolicy: string;
  readonly connection: { readonly type: string; readonly file: string | undefined };
  readonly conditions: readonly string[];
}

function readOne(fields: Fields): GivenAuthorizer {
  return { type: fields.text('type'), name: fields.text('name'), webhook: fields.has('webhook') ? readWebhook(fields) : undefined };
}

function readWebhook(authorizer: Fields): GivenWebhook {
  const fields = authorizer.fields('webhook', webhookFields);
  const connection = fields.fields('connectionInfo', ['type', 'kubeConfigFile']);
  return {
    timeoutMs: fields.duration('timeout') ?? 0,
    authorizedMs: fields.duration('authorizedTTL') || 300_000,
    keepsAuthorized: fields.boolean('cacheAuthorizedRequests') ?? true,
    unauthorizedMs: fields.duration('unauthorizedTTL') || 30_000,
    keepsUnauthorized: fields.boolean('cacheUnauthorizedRequests') ?? true,
    version: fields.text('subjectAccessReviewVersion'),
    conditionVersion: fields.text('matchConditionSubjectAccessReviewVersion'),
    failurePolicy: fields.text('failurePolicy'),
    connection: { type: connection.text('type'), file: connection.optionalText('kubeConfigFile') },
    conditions: fields.each('matchConditions', ['expression']).map((condition) => condition.text('expression')),
  };
}

function faultsOf(authorizers: readonly GivenAuthorizer[], fileFault: (path: string) => string | undefined): readonly FieldError[] {
  if (authorizers.length === 0) return [required(root('authorizers'), 'at least one authorization mode must be defined')];
  const [types, names] = [new Set<string>(), new Set<string>()];
  return authorizers.flatMap(({ type, name, webhook }, index) => {
    const path = root('authorizers').index(index);
    if (type === '') return [required(path.child('type'))];
    if (!(authorizationModes as readonly string[]).includes(type)) return [notSupported(path.child('type'), type, authorizationModes)];
    if (types.has(type) && type !== 'Webhook') return [duplicate(path.child('type'), type)];
    types.add(type);
    const named = nameFaults(name, names, path.child('name'));
    names.add(name);
    if (type !== 'Webhook')
      return webhook === undefined ? named : [...named, invalid(path.child('webhook'), 'non-null', 'may only be specified when type=Webhook')];
    if (webhook === undefined) return [...named, required(path.child('webhook'), 'required when type=Webhook')];
    return [...named, ...webhookFaults(webhook, path, fileFault)];
  });
}

function nameFaults(name: string, seen: ReadonlySet<string>, path: FieldPath): readonly FieldError[] {
  if (name === '') return [required(path)];
  if (seen.has(name)) return [duplicate(path, name)];
  const faults = isDNS1123Subdomain(name);
  return faults.length === 0 ? [] : [invalid(path, name, `authorizer name is invalid: ${faults.join(', ')}`)];
}

/** Upstream's paths leave out `webhook`. */
function webhookFaults(webhook: GivenWebhook, path: FieldPath, fileFault: (path: string) => string | undefined): readonly FieldError[] {
  const { timeoutMs, version, conditionVersion, failurePolicy, connection, conditions } = webhook;
  const lasting = (name: 'authorizedTTL' | 'unauthorizedTTL', ms: number): readonly FieldError[] =>
    ms < 0 ? [invalid(path.child(name), formatDuration(ms), 'must be > 0s')] : [];
  return [
    ...(timeoutMs === 0 ? [required(path.child('timeout'))] : []),
    ...(timeoutMs > timeoutMaxMs || timeoutMs < 0 ? [invalid(path.child('timeout'), formatDuration(timeoutMs), 'must be > 0s and <= 30s')] : []),
    ...lasting('authorizedTTL', webhook.authorizedMs),
    ...lasting('unauthorizedTTL', webhook.unauthorizedMs),
    ...oneOf(path.child('subjectAccessReviewVersion'), version, ['v1', 'v1beta1']),
    ...(conditionVersion !== ''
      ? oneOf(path.child('matchConditionSubjectAccessReviewVersion'), conditionVersion, ['v1'])
      : conditions.length > 0
        ? [required(path.child('matchConditionSubjectAccessReviewVersion'), 'required if match conditions are specified')]
        : []),
    ...oneOf(path.child('failurePolicy'), failurePolicy, ['NoOpinion', 'Deny']),
    ...connectionFaults(connection, path.child('connectionInfo'), fileFault),
    ...conditionFaults(conditions, path.child('matchConditions')),
  ];
}

function oneOf(path: FieldPath, value: string, known: readonly string[]): readonly FieldError[] {
  if (value === '') return [required(path)];
  return known.includes(value) ? [] : [notSupportedOf(path, value, known)];
}

const kubeconfigType = 'KubeConfigFile';

function connectionFaults(
  { type, file }: GivenWebhook['connection'],
  path: FieldPath,
  fileFault: (path: string) => string | undefined,
): readonly FieldError[] {
  const at = path.child('kubeConfigFile');
  if (type === '') return [required(path.child('type'))];
  if (type === 'InClusterConfig') {
    if (file !== undefined) return [invalid(at, file, 'can only be set when type=KubeConfigFile')];
    return [invalid(path.child('type'), type, 'the API server is in no pod, so that there is no such configuration')];
  }
  if (type !== kubeconfigType)
    return [notSupported(path.child('type'), { Type: type, KubeConfigFile: file ?? null }, ['InClusterConfig', kubeconfigType])];
  if (file === undefined || file === '') return [required(at)];
  if (!file.startsWith('/')) return [invalid(at, file, 'must be an absolute path')];
  const fault = fileFault(file);
  return fault === undefined ? [] : [invalid(at, file, fault)];
}

function conditionFaults(conditions: readonly string[], path: FieldPath): readonly FieldError[] {
  if (conditions.length > conditionsMax) return [tooMany(path, conditions.length, conditionsMax)];
  const seen = new Set<string>();
  return conditions.flatMap((expression, index) => {
    const at = path.index(index).child('expression');
    if (expression.trim() === '') return [required(at)];
    if (seen.has(expression)) return [duplicate(at, expression)];
    seen.add(expression);
    const compiled = compileCondition(expression);
    return 'fault' in compiled ? [invalid(at, expression, compiled.fault)] : [];
  });
}

function configured(webhook: GivenWebhook): AuthorizationWebhook {
  const { timeoutMs, keepsAuthorized, authorizedMs, keepsUnauthorized, unauthorizedMs, version, failurePolicy, connection, conditions } = webhook;
  return {
    kubeconfig: connection.file ?? '',
    version: version === 'v1beta1' ? 'v1beta1' : 'v1',
    timeoutMs,
    authorizedMs: keepsAuthorized ? authorizedMs : 0,
    unauthorizedMs: keepsUnauthorized ? unauthorizedMs : 0,
    failurePolicy: failurePolicy === 'Deny' ? 'Deny' : 'NoOpinion',
    conditions,
  };
}
