/** Extenders of a KubeSchedulerConfiguration, checked as upstream does (apis/config/validation/validation.go, validateExtenders). */
import { type FieldError, type FieldErrorList, type FieldPath, invalid, root } from '../../apimachinery/field-errors.ts';
import { formatDuration, parseDuration } from '../../apimachinery/time.ts';
import { isQualifiedName } from '../../apimachinery/validation.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type ExtenderOptions, type ManagedResource, standardTimeoutMs } from '../extenders/options.ts';
import { arrayOf, ConfigurationError, objectOf, strict, topListOf } from './fields.ts';

const texts = ['urlPrefix', 'filterVerb', 'preemptVerb', 'prioritizeVerb', 'bindVerb'] as const;
const switches = ['enableHTTPS', 'nodeCacheCapable', 'ignorable'] as const;
const tlsTexts = ['serverName', 'certFile', 'keyFile', 'caFile', 'certData', 'keyData', 'caData'] as const;
const resourcePrefix = 'requests.';

export interface ReadExtenders {
  readonly extenders: readonly ExtenderOptions[];
  readonly faults: FieldErrorList;
}

/** Throws ConfigurationError for what is no list of extenders. */
export function readExtenders(value: JsonValue): ReadExtenders {
  const extenders = topListOf(value, 'extenders', 'Extender').map((entry, i) => extenderOf(objectOf(entry, `extenders[${i}]`), `extenders[${i}]`));
  return { extenders, faults: faultsOf(extenders, root('extenders')) };
}

/** As a configuration says it, for `--write-config-to` and `/configz`. */
export function extenderShown(extender: ExtenderOptions): JsonObject {
  const { urlPrefix, filterVerb, preemptVerb, prioritizeVerb, bindVerb, weight, enableHttps, tls, nodeCacheCapable, ignorable } = extender;
  const optional = { filterVerb, preemptVerb, prioritizeVerb, weight, bindVerb, enableHTTPS: enableHttps };
  const resources = extender.managedResources.map(({ name, ignoredByScheduler }) => ({
    name,
    ...(ignoredByScheduler ? { ignoredByScheduler } : {}),
  }));
  return {
    urlPrefix,
    ...present(optional),
    ...(tls === undefined ? {} : { tlsConfig: tls }),
    httpTimeout: formatDuration(extender.httpTimeoutMs),
    ...present({ nodeCacheCapable }),
    ...(resources.length === 0 ? {} : { managedResources: resources }),
    ...present({ ignorable }),
  };
}

function present(fields: { readonly [name: string]: string | number | boolean }): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== 0 && value !== false));
}

function extenderOf(entry: JsonObject, path: string): ExtenderOptions {
  strict(entry, [...texts, ...switches, 'weight', 'tlsConfig', 'httpTimeout', 'managedResources'], path);
  const text = (name: (typeof texts)[number]): string => typed(entry, name, 'string', '');
  const isOn = (name: (typeof switches)[number]): boolean => typed(entry, name, 'bool', false);
  return {
    urlPrefix: text('urlPrefix'),
    filterVerb: text('filterVerb'),
    preemptVerb: text('preemptVerb'),
    prioritizeVerb: text('prioritizeVerb'),
    bindVerb: text('bindVerb'),
    weight: typed(entry, 'weight', 'int64', 0),
    enableHttps: isOn('enableHTTPS'),
    tls: tlsOf(entry['tlsConfig'] ?? null, path),
    httpTimeoutMs: timeoutOf(entry['httpTimeout'] ?? '0s'),
    nodeCacheCapable: isOn('nodeCacheCapable'),
    managedResources: resourcesOf(entry['managedResources'] ?? [], path),
    ignorable: isOn('ignorable'),
  };
}

function typed<T extends string | number | boolean>(
  entry: JsonObject,
  name: string,
  type: 'string' | 'bool' | 'int64',
  otherwise: T,
  owner = 'Extender.extenders',
): T {
  const value = entry[name] ?? otherwise;
  const isRight = typeof value === typeof otherwise && (type !== 'int64' || Number.isInteger(value));
  if (isRight) return value as T;
  const given = Array.isArray(value)
    ? 'array'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'number' && type === 'int64'
        ? `number ${value}`
        : typeof value;
  throw new ConfigurationError(`json: cannot unmarshal ${given} into Go struct field ${owner}.${name} of type ${type}`);
}

function tlsOf(value: JsonValue, path: string): JsonObject | undefined {
  if (value === null) return undefined;
  const tls = objectOf(value, `${path}.tlsConfig`);
  strict(tls, ['insecure', ...tlsTexts], `${path}.tlsConfig`);
  typed(tls, 'insecure', 'bool', false, 'ExtenderTLSConfig.extenders.tlsConfig');
  for (const name of tlsTexts) typed(tls, name, 'string', '', 'ExtenderTLSConfig.extenders.tlsConfig');
  return tls;
}

function timeoutOf(value: JsonValue): number {
  const ms = typeof value === 'string' ? parseDuration(value) : undefined;
  if (ms === undefined) throw new ConfigurationError(`time: invalid duration ${JSON.stringify(value)}`);
  return ms === 0 ? standardTimeoutMs : ms;
}

function resourcesOf(value: JsonValue, path: string): readonly ManagedResource[] {
  const where = `${path}.managedResources`;
  return arrayOf(value, where).map((entry, i) => {
    const resource = objectOf(entry, `${where}[${i}]`);
    strict(resource, ['name', 'ignoredByScheduler'], `${where}[${i}]`);
    const owner = 'ExtenderManagedResource.extenders.managedResources';
    return { name: typed(resource, 'name', 'string', '', owner), ignoredByScheduler: typed(resource, 'ignoredByScheduler', 'bool', false, owner) };
  });
}

function faultsOf(extenders: readonly ExtenderOptions[], path: FieldPath): FieldErrorList {
  const seen = new Set<string>();
  const faults: FieldError[] = [];
  extenders.forEach(({ prioritizeVerb, weight, managedResources }, i) => {
    const at = path.index(i);
    if (prioritizeVerb !== '' && weight <= 0) faults.push(invalid(at.child('weight'), weight, 'must have a positive weight applied to it'));
    managedResources.forEach(({ name }, k) => {
      const where = at.child('managedResources').index(k).child('name');
      faults.push(...nameFaults(name, where));
      if (seen.has(name)) faults.push(invalid(where, name, 'duplicate extender managed resource name'));
      seen.add(name);
    });
  });
  const binders = extenders.filter(({ bindVerb }) => bindVerb !== '').length;
  if (binders > 1) faults.push(invalid(path, `found ${binders} extenders implementing bind`, 'only one extender can implement bind'));
  return faults;
}

/** The name of an extended resource: with a domain that is not Kubernetes' own. */
function nameFaults(name: string, path: FieldPath): FieldErrorList {
  return faultsOfName(name, 'is an invalid extended resource name').map((fault) => invalid(path, name, fault));
}

/** What is wrong with the name; `otherwise` where it is a name, but of no extended resource. */
export function faultsOfName(name: string, otherwise: string): readonly string[] {
  const faults = isQualifiedName(name);
  if (faults.length > 0) return faults;
  const isNative = !name.includes('/') || name.split('/')[0]?.endsWith('kubernetes.io') === true;
  const isExtended = !isNative && !name.startsWith(resourcePrefix) && isQualifiedName(resourcePrefix + name).length === 0;
  return isExtended ? [] : [otherwise];
}
