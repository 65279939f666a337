/**
 * `--admission-control-config-file`: an AdmissionConfiguration, with the configurations of plugins and their manifests inline.
 * Mirrors apiserver pkg/admission/config.go and pkg/admission/plugin/resourcequota/config.go.
 */
import { readPodNodeSelectors } from '../apiserver/admission/plugins/pod-node-selector.ts';
import { readTolerationRestriction, type TolerationRestriction } from '../apiserver/admission/plugins/pod-toleration-restriction.ts';
import { type PodSecurityConfiguration, readPodSecurityConfiguration } from '../apiserver/admission/pod-security/configuration.ts';
import { type EventLimit, readEventLimits } from '../apiserver/admission/plugins/event-rate-limit.ts';
import { type ImagePolicy, readImagePolicy } from '../apiserver/admission/plugins/image-policy-webhook.ts';
import type { ManifestPlugin } from '../apiserver/admission/manifests/loader.ts';
import { aggregateText, required, root } from '../apimachinery/field-errors.ts';
import { ConfigurationFault, Fields, mustBeKind, parseDocument } from '../apiserver/configuration-reader.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { LimitedResource } from '../component-helpers/quota/charge.ts';
import type { HookPlugin } from './admission-hook-configuration.ts';
import type { ScopeRequirement } from '../component-helpers/quota/quota.ts';

export interface AdmissionConfiguration {
  /** Plugins say what is wrong where they are on: all these but the last throw ConfigurationFault. */
  limitedResources(): readonly LimitedResource[];
  podSecurity(): PodSecurityConfiguration;
  podNodeSelectors(): ReadonlyMap<string, string>;
  tolerations(): TolerationRestriction;
  eventLimits(): readonly EventLimit[];
  imagePolicy(): ImagePolicy | undefined;
  /** How a plugin of webhooks or policies is configured, as it stands there; undefined where it is not. */
  hookPlugin(plugin: ManifestPlugin): HookPlugin | undefined;
}

const group = 'apiserver.config.k8s.io';
const versions = [`${group}/v1`, 'apiserver.k8s.io/v1alpha1'];
const quotaVersions = [
  `${group}/v1`,
  'resourcequota.admission.k8s.io/v1',
  'resourcequota.admission.k8s.io/v1beta1',
  'resourcequota.admission.k8s.io/v1alpha1',
];

/** Gives what is wrong where the text is; nothing is configured by an empty one. */
export function readAdmissionConfiguration(text: string): AdmissionConfiguration | string {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof ConfigurationFault) return error.message;
    throw error;
  }
}

function read(text: string): AdmissionConfiguration {
  const configured = text === '' ? new Map<string, HookPlugin>() : pluginsOf(parseDocument(text));
  const plugins = { get: (name: string): JsonObject | undefined => configured.get(name)?.configuration };
  return {
    limitedResources: () => limitedResourcesOf(plugins.get('ResourceQuota')),
    podSecurity: () => readPodSecurityConfiguration(plugins.get('PodSecurity')),
    podNodeSelectors: () => readPodNodeSelectors(plugins.get('PodNodeSelector')),
    tolerations: () => readTolerationRestriction(plugins.get('PodTolerationRestriction')),
    eventLimits: () => readEventLimits(plugins.get('EventRateLimit')),
    imagePolicy: () => readImagePolicy(plugins.get('ImagePolicyWebhook')),
    hookPlugin: (plugin) => configured.get(plugin),
  };
}

/** Files of plugins from before there was such a document name no kind. */
function pluginsOf(document: JsonObject): ReadonlyMap<string, HookPlugin> {
  if (document['kind'] === undefined && ['imagePolicy', 'podNodeSelectorPluginConfig'].some((field) => document[field] !== undefined))
    return new Map(['ImagePolicyWebhook', 'PodNodeSelector'].map((name) => [name, { configuration: document, manifests: undefined }]));
  mustBeKind(document, versions, 'AdmissionConfiguration');
  const found = new Map<string, HookPlugin>();
  for (const plugin of new Fields(document, '', ['apiVersion', 'kind', 'plugins']).each('plugins', ['name', 'path', 'configuration', 'manifests'])) {
    const name = plugin.text('name');
    const configuration = plugin.raw('configuration');
    if (configuration === undefined && plugin.text('path') !== '')
      throw new ConfigurationFault(`${plugin.pathOf('path')}: the configuration of ${name} inline and not as a path`);
    if (configuration !== undefined && !isObject(configuration))
      throw new ConfigurationFault(`${plugin.pathOf('configuration')}: an object is expected`);
    if (configuration !== undefined && !found.has(name)) found.set(name, { configuration, manifests: manifestsOf(plugin) });
  }
  return found;
}

/** Not upstream's: what lies in the folder that the configuration names, or why that cannot be told. */
function manifestsOf(plugin: Fields): HookPlugin['manifests'] {
  const given = plugin.raw('manifests');
  if (given === undefined || typeof given === 'string') return given;
  return plugin.each('manifests', ['path', 'text']).map((file) => ({ path: file.text('path'), text: file.text('text') }));
}

function limitedResourcesOf(document: JsonObject | undefined): readonly LimitedResource[] {
  if (document === undefined) return [];
  mustBeKind(document, quotaVersions, document['kind'] === 'Configuration' ? 'Configuration' : 'ResourceQuotaConfiguration');
  const resources = new Fields(document, '', ['apiVersion', 'kind', 'limitedResources']).list('limitedResources').map((entry) => {
    const limited = limitedOf(entry);
    if (limited === undefined) throw new ConfigurationFault('limitedResources with a resource, and lists matchContains and matchScopes');
    return limited;
  });
  const faults = resources.flatMap(({ resource }, index) =>
    resource === '' ? [required(root('limitedResources').index(index).child('resource'))] : [],
  );
  if (faults.length > 0) throw new ConfigurationFault(aggregateText(faults));
  return resources;
}

function limitedOf(value: JsonValue): LimitedResource | undefined {
  if (!isObject(value)) return undefined;
  const { apiGroup = '', resource = '', matchContains, matchScopes } = value as { readonly [name in keyof LimitedResource]?: JsonValue };
  const parts = listOf(matchContains);
  const scopes = listOf(matchScopes);
  if (typeof apiGroup !== 'string' || typeof resource !== 'string') return undefined;
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
