/**
 * An EncryptionConfiguration (`--encryption-provider-config`): which resources leave the process sealed, and by which keys. Mirrors
 * apiserver pkg/apis/apiserver/validation/validation_encryption.go.
 */
import { aggregateText, type FieldError, type FieldPath, invalid, required, root } from '../../apimachinery/field-errors.ts';
import { mustBeKind, parseDocument } from '../../apiserver/configuration-reader.ts';
import { ConfigurationFault, Fields } from '../../apiserver/configuration-reader.ts';
import { isObject, type JsonValue } from '../../base/json.ts';

export type Algorithm = 'aescbc' | 'aesgcm' | 'secretbox';

export interface EncryptionKey {
  readonly name: string;
  readonly secret: Buffer;
}

/** The first one seals, all of them open. No algorithm: what is left as it is. */
export interface Provider {
  readonly algorithm: Algorithm | undefined;
  readonly keys: readonly EncryptionKey[];
}

export interface EncryptedResources {
  /** `resource.group`; `*.group` and `*.*` for all. */
  readonly resources: readonly string[];
  readonly providers: readonly Provider[];
}

const apiVersion = 'apiserver.config.k8s.io/v1';
const algorithms = ['aesgcm', 'aescbc', 'secretbox'] as const;
const sizes: { readonly [algorithm in Algorithm]: readonly number[] } = { aesgcm: [16, 24, 32], aescbc: [16, 24, 32], secretbox: [32] };
const goNames = { aesgcm: 'AESGCM', aescbc: 'AESCBC', secretbox: 'Secretbox', identity: 'Identity', kms: 'KMS' } as const;
const providerFields = ['aesgcm', 'aescbc', 'secretbox', 'identity', 'kms'] as const;

/** Throws ConfigurationFault, in upstream's words. */
export function readEncryption(text: string, path: string): readonly EncryptedResources[] {
  const entries = decoded(text, path);
  const at = root('resources');
  const faults =
    entries.length === 0
      ? [required(at, 'at least one resources is required')]
      : entries.flatMap((entry, index) => entryFaults(entry, at.index(index)));
  if (faults.length > 0) throw new ConfigurationFault(`error while parsing file: ${aggregateText(faults)}`);
  if (entries.some(({ providers }) => providers.some((provider) => provider.has('kms'))))
    throw new ConfigurationFault(`error while parsing file: ${path}: the provider kms is not built; use aescbc, aesgcm, secretbox or identity`);
  return entries.map(({ resources, providers }) => ({ resources, providers: providers.map(providerOf) }));
}

interface Entry {
  readonly resources: readonly string[];
  readonly providers: readonly Fields[];
}

function decoded(text: string, path: string): readonly Entry[] {
  try {
    const document = parseDocument(text);
    mustBeKind(document, [apiVersion], 'EncryptionConfiguration');
    const fields = new Fields(document, '', ['apiVersion', 'kind', 'resources']);
    return fields
      .each('resources', ['resources', 'providers'])
      .map((entry) => ({ resources: entry.texts('resources'), providers: entry.each('providers', providerFields) }));
  } catch (error) {
    if (!(error instanceof ConfigurationFault)) throw error;
    throw new ConfigurationFault(
      `error while parsing file: error decoding encryption provider configuration file ${JSON.stringify(path)}: ${error.message}`,
    );
  }
}

function providerOf(fields: Fields): Provider {
  const algorithm = algorithms.find((name) => fields.has(name));
  const keys = algorithm === undefined ? [] : keysOf(fields, algorithm);
  return { algorithm, keys: keys.map(({ name, secret }) => ({ name, secret: Buffer.from(secret, 'base64') })) };
}

function keysOf(provider: Fields, algorithm: Algorithm): readonly { readonly name: string; readonly secret: string }[] {
  const fields = provider.fields(algorithm, ['keys']);
  return fields.each('keys', ['name', 'secret']).map((key) => ({ name: key.text('name'), secret: key.text('secret') }));
}

function entryFaults({ resources, providers }: Entry, path: FieldPath): readonly FieldError[] {
  const [ofResources, ofProviders] = [path.child('resources'), path.child('providers')];
  const missing = (at: FieldPath): FieldError => required(at, `at least one ${at.toString()} is required`);
  return [
    ...(resources.length === 0 ? [missing(ofResources)] : []),
    ...overlapFaults(resources, ofResources),
    ...resources.flatMap((resource, index) => nameFaults(resource, ofResources.index(index))),
    ...(providers.length === 0 ? [missing(ofProviders)] : []),
    ...providers.flatMap((provider, index) => providerFaults(provider, ofProviders.index(index))),
  ];
}

/** Resource and group of `resource.group`. */
export function splitResource(text: string): readonly [resource: string, group: string] {
  const dot = text.indexOf('.');
  return dot < 0 ? [text, ''] : [text.slice(0, dot), text.slice(dot + 1)];
}

function overlapFaults(resources: readonly string[], path: FieldPath): readonly FieldError[] {
  const isTwice = new Set(resources).size < resources.length;
  const groups = new Map<string, { all: boolean; count: number }>();
  for (const [resource, group] of [...new Set(resources)].map(splitResource)) {
    const known = groups.get(group) ?? { all: false, count: 0 };
    groups.set(group, { all: known.all || resource === '*', count: known.count + 1 });
  }
  const isOverlapping = (resources.includes('*.*') && resources.length > 1) || [...groups.values()].some(({ all, count }) => all && count > 1);
  return [
    ...(isTwice ? [invalid(path, resources, 'the same resource cannot be specified multiple times')] : []),
    ...(isOverlapping
      ? [
          invalid(
            path,
            resources,
            "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
          ),
        ]
      : []),
  ];
}

const unserved: readonly string[] = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];

function nameFaults(given: string, path: FieldPath): readonly FieldError[] {
  const [resource, group] = splitResource(given);
  const fault = (detail: string): readonly FieldError[] => [invalid(path, given, detail)];
  if (/\p{Lu}/u.test(given)) return fault('resource name should not contain capital letters');
  if (given === '*') return fault("use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources");
  if (unserved.includes(given)) return fault('resources which do not have REST API/s cannot be encrypted');
  if (group === 'events.k8s.io')
    return fault("'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file");
  if (group === 'extensions') return fault("'extensions' group has been removed and cannot be used for encryption");
  return group === '*' && resource !== '*' ? fault('encrypting the same resource across groups is not supported') : [];
}

function providerFaults(provider: Fields, path: FieldPath): readonly FieldError[] {
  const found = providerFields.filter((name) => provider.has(name));
  const algorithm = algorithms.find((name) => provider.has(name));
  const keys = algorithm === undefined || provider.has('kms') ? [] : keyFaults(provider, algorithm, path.child(algorithm, 'keys'));
  const shown = (): JsonValue =>
    Object.fromEntries((['aesgcm', 'aescbc', 'secretbox', 'identity', 'kms'] as const).map((name) => [goNames[name], shownProvider(provider, name)]));
  if (found.length === 0)
    return [invalid(path, shown(), 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity')];
  if (found.length > 1)
    return [invalid(path, shown(), 'more than one provider specified in a single element, should split into different list elements'), ...keys];
  return keys;
}

/** Secrets are not shown. */
function shownProvider(provider: Fields, name: (typeof providerFields)[number]): JsonValue {
  const value = provider.raw(name);
  if (value === undefined) return null;
  if (name === 'identity' || !isObject(value)) return {};
  return name === 'kms' ? {} : { Keys: keysOf(provider, name).map(({ name: key }) => ({ Name: key, Secret: 'REDACTED' })) };
}

function keyFaults(provider: Fields, algorithm: Algorithm, path: FieldPath): readonly FieldError[] {
  const keys = keysOf(provider, algorithm);
  if (keys.length === 0) return [required(path, 'at least one keys is required')];
  return keys.flatMap(({ name, secret }, index) => {
    const at = path.index(index);
    const nameless = name === '' ? [required(at.child('name'), 'name is a mandatory field for a key')] : [];
    if (secret === '') return [...nameless, required(at.child('secret'), 'secret is a mandatory field for a key')];
    const redacted = (detail: string): FieldError => invalid(at.child('secret'), 'REDACTED', detail);
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(secret.replace(/[\r\n]/g, '')))
      return [...nameless, redacted('secrets must be base64 encoded')];
    const { length } = Buffer.from(secret, 'base64');
    return sizes[algorithm].includes(length)
      ? nameless
      : [...nameless, redacted(`secret is not of the expected length, got ${length}, expected one of [${sizes[algorithm].join(' ')}]`)];
  });
}
