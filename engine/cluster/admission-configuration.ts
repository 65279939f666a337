/**
 * `--admission-control-config-file`: an AdmissionConfiguration of apiserver.config.k8s.io/v1, with the configurations of plugins inline.
 * Mirrors apiserver pkg/admission/config.go and pkg/admission/plugin/resourcequota/config.go.
 */
import { readPodNodeSelectors } from '../apiserver/admission/plugins/pod-node-selector.ts';
import { readTolerationRestriction, type TolerationRestriction } from '../apiserver/admission/plugins/pod-toleration-restriction.ts';
import { type PodSecurityConfiguration, readPodSecurityConfiguration } from '../apiserver/admission/pod-security/configuration.ts';
import { type EventLimit, readEventLimits } from '../apiserver/admission/plugins/event-rate-limit.ts';
import { type ImagePolicy, readImagePolicy } from '../apiserver/admission/plugins/image-policy-webhook.ts';
import { errorText, invalid, root } from '../apimachinery/field-errors.ts';
import { ConfigurationFault, Fields, mustBeKind, parseDocument } from '../apiserver/configuration-reader.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { LimitedResource } from '../component-helpers/quota/charge.ts';
import type { ScopeRequirement } from '../component-helpers/quota/quota.ts';

export interface AdmissionConfiguration {
  readonly limitedResources: readonly LimitedResource[];
  readonly podSecurity: PodSecurityConfiguration;
  readonly podNodeSelectors: ReadonlyMap<string, string>;
  readonly tolerations: TolerationRestriction;
  /** Those of the plugins that say what is wrong only where they are on. */
  eventLimits(): readonly EventLimit[];
  imagePolicy(): ImagePolicy | undefined;
  /** Kubeconfigs of the webhooks of admission, on the host; empty for none. */
  readonly mutatingKubeconfig: string;
  readonly validatingKubeconfig: string;
}

const group = 'apiserver.config.k8s.io';
const versions = [`${group}/v1`, `${group}/v1alpha1`];
const quotaVersions = [
  `${group}/v1`,
  'resourcequota.admission.k8s.io/v1',
  'resourcequota.admission.k8s.io/v1beta1',
  'resourcequota.admission.k8s.io/v1alpha1',
];

/** Gives what should have been there where the text is wrong; nothing is configured by an empty one. */
export function readAdmissionConfiguration(text: string): AdmissionConfiguration | string {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof ConfigurationFault) return `an AdmissionConfiguration: ${error.message}`;
    throw error;
  }
}

function read(text: string): AdmissionConfiguration {
  const plugins = text === '' ? new Map<string, JsonObject>() : pluginsOf(parseDocument(text));
  return {
    limitedResources: limitedResourcesOf(plugins.get('ResourceQuota')),
    podSecurity: readPodSecurityConfiguration(plugins.get('PodSecurity')),
    podNodeSelectors: readPodNodeSelectors(plugins.get('PodNodeSelector')),
    tolerations: readTolerationRestriction(plugins.get('PodTolerationRestriction')),
    eventLimits: () => readEventLimits(plugins.get('EventRateLimit')),
    imagePolicy: () => readImagePolicy(plugins.get('ImagePolicyWebhook')),
    mutatingKubeconfig: kubeconfigOf(plugins.get('MutatingAdmissionWebhook')),
    validatingKubeconfig: kubeconfigOf(plugins.get('ValidatingAdmissionWebhook')),
  };
}

const webhookKinds = [
  { versions: [`${group}/v1`], kind: 'WebhookAdmissionConfiguration' },
  { versions: [`${group}/v1alpha1`], kind: 'WebhookAdmission' },
];

function kubeconfigOf(document: JsonObject | undefined): string {
  if (document === undefined) return '';
  const { versions: known, kind } = webhookKinds.find((one) => one.kind === document['kind']) ?? { versions: [], kind: '' };
  mustBeKind(document, known, kind);
  const file = new Fields(document, '', ['apiVersion', 'kind', 'kubeConfigFile']).text('kubeConfigFile');
  if (file !== '' && !file.startsWith('/'))
    throw new ConfigurationFault(errorText(invalid(root('kubeConfigFile'), file, 'must be an absolute file path')));
  return file;
}

/** Files of one plugin from before there was such a document name no kind. */
function pluginsOf(document: JsonObject): ReadonlyMap<string, JsonObject> {
  if (document['kind'] === undefined && document['podNodeSelectorPluginConfig'] !== undefined) return new Map([['PodNodeSelector', document]]);
  mustBeKind(document, versions, 'AdmissionConfiguration');
  const found = new Map<string, JsonObject>();
  for (const plugin of new Fields(document, '', ['apiVersion', 'kind', 'plugins']).each('plugins', ['name', 'path', 'configuration'])) {
    const name = plugin.text('name');
    const configuration = plugin.raw('configuration');
    if (configuration === undefined && plugin.text('path') !== '')
      throw new ConfigurationFault(`${plugin.pathOf('path')}: the configuration of ${name} inline and not as a path`);
    if (configuration !== undefined && !isObject(configuration))
      throw new ConfigurationFault(`${plugin.pathOf('configuration')}: an object is expected`);
    if (configuration !== undefined && !found.has(name)) found.set(name, configuration);
  }
  return found;
}

function limitedResourcesOf(document: JsonObject | undefined): readonly LimitedResource[] {
  if (document === undefined) return [];
  mustBeKind(document, quotaVersions, document['kind'] === 'Configuration' ? 'Configuration' : 'ResourceQuotaConfiguration');
  return new Fields(document, '', ['apiVersion', 'kind', 'limitedResources']).list('limitedResources').map((entry) => {
    const limited = limitedOf(entry);
    if (limited === undefined) throw new ConfigurationFault('limitedResources with a resource, and lists matchContains and matchScopes');
    return limited;
  });
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
