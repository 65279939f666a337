/**
 * `--admission-control-config-file`: an AdmissionConfiguration of apiserver.config.k8s.io/v1, of which ResourceQuota's part is built.
 * Mirrors apiserver pkg/admission/config.go and pkg/admission/plugin/resourcequota/config.go.
 */
import { decodeYaml } from '../apimachinery/serializer/yaml.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { LimitedResource } from '../component-helpers/quota/charge.ts';
import type { ScopeRequirement } from '../component-helpers/quota/quota.ts';

export interface AdmissionConfiguration {
  readonly limitedResources: readonly LimitedResource[];
}

const group = 'apiserver.config.k8s.io';
const quotaVersions = [
  `${group}/v1`,
  'resourcequota.admission.k8s.io/v1',
  'resourcequota.admission.k8s.io/v1beta1',
  'resourcequota.admission.k8s.io/v1alpha1',
];

/** Gives what should have been there where the text is wrong; nothing is configured by an empty one. */
export function readAdmissionConfiguration(text: string): AdmissionConfiguration | string {
  if (text === '') return { limitedResources: [] };
  let document: JsonValue;
  try {
    document = decodeYaml(text).value as JsonValue;
  } catch {
    return 'an AdmissionConfiguration in YAML or JSON';
  }
  if (!isObject(document) || document['kind'] !== 'AdmissionConfiguration' || document['apiVersion'] !== `${group}/v1`)
    return `an AdmissionConfiguration of ${group}/v1`;
  const limitedResources: LimitedResource[] = [];
  const plugins = listOf(document['plugins']);
  if (plugins === undefined) return 'a list of plugins';
  for (const plugin of plugins) {
    if (!isObject(plugin) || plugin['name'] !== 'ResourceQuota') return 'a configuration of the plugin ResourceQuota alone';
    const { configuration } = plugin as { readonly configuration?: JsonValue };
    if (!isObject(configuration)) return 'the configuration of ResourceQuota inline and not as a path';
    const { apiVersion, kind } = configuration;
    const isKnown = quotaVersions.includes(String(apiVersion)) && (kind === 'ResourceQuotaConfiguration' || kind === 'Configuration');
    if (!isKnown) return `a ResourceQuotaConfiguration of ${group}/v1`;
    for (const entry of listOf(configuration['limitedResources']) ?? [null]) {
      const limited = limitedOf(entry);
      if (limited === undefined) return 'limitedResources with a resource, and lists matchContains and matchScopes';
      limitedResources.push(limited);
    }
  }
  return { limitedResources };
}

function limitedOf(value: JsonValue): LimitedResource | undefined {
  if (!isObject(value)) return undefined;
  const { apiGroup = '', resource, matchContains, matchScopes } = value as { readonly [name in keyof LimitedResource]?: JsonValue };
  const parts = listOf(matchContains);
  const scopes = listOf(matchScopes);
  if (typeof apiGroup !== 'string' || typeof resource !== 'string' || resource === '') return undefined;
  if (parts === undefined || !isTexts(parts) || scopes === undefined || !scopes.every(isScope)) return undefined;
  return { apiGroup, resource, matchContains: parts, matchScopes: scopes };
}

function isScope(value: JsonValue): value is JsonObject & ScopeRequirement {
  if (!isObject(value) || typeof value['scopeName'] !== 'string' || typeof value['operator'] !== 'string') return false;
  const values = listOf(value['values']);
  return values !== undefined && isTexts(values);
}

/** Nothing is an empty list; undefined for what is none. */
function listOf(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : undefined;
}

function isTexts(list: readonly JsonValue[]): list is readonly string[] {
  return list.every((item) => typeof item === 'string');
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
