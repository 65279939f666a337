/** Config maps, secrets and service accounts. Mirrors ValidateConfigMap and ValidateSecret of pkg/apis/core/validation. */
import { getOwn } from '../../../base/dictionary.ts';
import { base64Size, decodeBase64Text } from '../../../base/base64.ts';
import { isList, isObject } from '../../../base/json.ts';
import { decodeJson } from '../../../apimachinery/serializer/json.ts';
import { DecodeError } from '../../../apimachinery/serializer/canonicalize.ts';
import type { ConfigMap, Secret } from '../../../api/core/v1/types.gen.ts';
import { type FieldErrorList, metaPlace, forbidden, invalid, required, root, tooLong } from '../../../apimachinery/field-errors.ts';
import { isConfigMapKey, validateImmutableField } from '../../../apimachinery/validation.ts';
import { metadataPath } from '../../shared/strategy.ts';
import type { Faults } from './resource-validation.ts';

const sizeMax = 1024 * 1024;
const dataPath = root('data');
const immutableText = 'field is immutable when `immutable` is set';

function textSize(text: string): number {
  return text.length * 3 <= sizeMax ? text.length : new TextEncoder().encode(text).length;
}

export function validateConfigMap(object: ConfigMap): FieldErrorList {
  const out: Faults = [];
  const { data = {}, binaryData = {} } = object;
  let total = 0;
  for (const [key, value] of Object.entries(data)) {
    for (const fault of isConfigMapKey(key)) out.push(invalid(dataPath.key(key), key, fault));
    if (Object.hasOwn(binaryData, key)) out.push(invalid(dataPath.key(key), key, 'duplicate of key present in binaryData'));
    total += textSize(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    for (const fault of isConfigMapKey(key)) out.push(invalid(root('binaryData').key(key), key, fault));
    total += base64Size(value);
  }
  if (total > sizeMax) out.push(tooLong(root('[]'), sizeMax));
  return out;
}

/** What is immutable stays so, and stays as it is. */
function frozenFaults(next: ConfigMap | Secret, old: ConfigMap | Secret, names: readonly string[], out: Faults): void {
  if (old.immutable !== true) return;
  if (next.immutable !== true) out.push(forbidden(root('immutable'), immutableText));
  const [now, before] = [next as unknown as { [name: string]: unknown }, old as unknown as { [name: string]: unknown }];
  for (const name of names) {
    if (validateImmutableField(now[name], before[name], root(name)).length > 0) out.push(forbidden(root(name), immutableText));
  }
}

export function validateConfigMapUpdate(next: ConfigMap, old: ConfigMap): FieldErrorList {
  const out: Faults = [];
  frozenFaults(next, old, ['data', 'binaryData'], out);
  out.push(metaPlace);
  if (next.data !== old.data || next.binaryData !== old.binaryData) out.push(...validateConfigMap(next));
  return out;
}

/** Keys that a type must have. */
const requiredKeys: { readonly [type: string]: readonly string[] } = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

/** The others only have to be there. */
const neverEmpty = 'ssh-privatekey';

/** What the types about registries hold as JSON. */
const configKeys = [
  ['kubernetes.io/dockercfg', '.dockercfg'],
  ['kubernetes.io/dockerconfigjson', '.dockerconfigjson'],
] as const;

/** What Go says of text that is no JSON object; nothing of one that is null. */
function configFault(value: string): string | undefined {
  try {
    const read = decodeJson(decodeBase64Text(value)).value;
    if (isObject(read) || read === null) return undefined;
    const given = isList(read) ? 'array' : typeof read === 'boolean' ? 'bool' : typeof read === 'string' ? 'string' : 'number';
    return `json: cannot unmarshal ${given} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

export function validateSecret(object: Secret): FieldErrorList {
  const out: Faults = [];
  const data = object.data ?? {};
  let total = 0;
  for (const [key, value] of Object.entries(data)) {
    for (const fault of isConfigMapKey(key)) out.push(invalid(dataPath.key(key), key, fault));
    total += base64Size(value);
  }
  if (total > sizeMax) out.push(tooLong(dataPath, sizeMax));
  for (const key of getOwn(requiredKeys, object.type ?? '') ?? [])
    if (data[key] === undefined || (data[key] === '' && key === neverEmpty)) out.push(required(dataPath.key(key)));
  const config = configKeys.find(([type]) => type === object.type)?.[1];
  const fault = config === undefined || data[config] === undefined ? undefined : configFault(data[config]);
  if (config !== undefined && fault !== undefined) out.push(invalid(dataPath.key(config), '<secret contents redacted>', fault));
  if (object.type === 'kubernetes.io/basic-auth' && data['username'] === undefined && data['password'] === undefined) {
    out.push(required(dataPath.key('username')), required(dataPath.key('password')));
  }
  if (object.type === 'kubernetes.io/service-account-token' && !object.metadata.annotations?.['kubernetes.io/service-account.name']) {
    out.push(required(metadataPath.child('annotations').key('kubernetes.io/service-account.name')));
  }
  return out;
}

export function validateSecretUpdate(next: Secret, old: Secret): FieldErrorList {
  const out: Faults = [...validateImmutableField(next.type, old.type, root('type'))];
  frozenFaults(next, old, ['data'], out);
  out.push(metaPlace, ...validateSecret(next));
  return out;
}
