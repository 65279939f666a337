/** What the plugins of webhooks and policies go by beside the API: a kubeconfig, and manifests. Mirrors apiserver pkg/admission/plugin/{webhook,policy}/config. */
import type { ManifestFile } from '../apiserver/admission/manifests/files.ts';
import type { ManifestPlugin } from '../apiserver/admission/manifests/loader.ts';
import { ConfigurationFault, Fields, isKind, mustBeKind } from '../apiserver/configuration-reader.ts';
import { errorText, forbidden, invalid, root } from '../apimachinery/field-errors.ts';
import type { JsonObject } from '../base/json.ts';

export const manifestsGate = 'ManifestBasedAdmissionControlConfig';

export interface HookConfiguration {
  /** Of the webhooks, on the host; empty for none. */
  readonly kubeconfig: string;
  /** Absent where no folder is named. */
  readonly manifests?: StaticManifests;
}

export interface StaticManifests {
  readonly folder: string;
  readonly files: readonly ManifestFile[];
}

/** A plugin's configuration, and the files of the folder that it names: whoever reads files has put them beside it, or why there are none. */
export interface HookPlugin {
  readonly configuration: JsonObject;
  readonly manifests: readonly ManifestFile[] | string | undefined;
}

export const noHookConfiguration: HookConfiguration = { kubeconfig: '' };

const group = 'apiserver.config.k8s.io';
const policyConfigurations = ['ValidatingAdmissionPolicyConfiguration', 'MutatingAdmissionPolicyConfiguration'];
const folderField = 'staticManifestsDir';

/** Throws ConfigurationFault. `isOn`: whether the gate is. */
export function readHookConfiguration(plugin: ManifestPlugin, { configuration, manifests }: HookPlugin, isOn: boolean): HookConfiguration {
  const isPolicy = plugin.endsWith('Policy');
  const fields = isPolicy ? policyFields(plugin, configuration) : webhookFields(configuration);
  const kubeconfig = isPolicy ? '' : fields.text('kubeConfigFile');
  if (kubeconfig !== '' && !kubeconfig.startsWith('/')) throw wrong('kubeConfigFile', kubeconfig, 'must be an absolute file path');
  const folder = fields.text(folderField);
  if (folder === '') return { kubeconfig };
  if (!isOn)
    throw new ConfigurationFault(errorText(forbidden(root(folderField), `${folderField} requires the ${manifestsGate} feature gate to be enabled`)));
  if (!folder.startsWith('/')) throw wrong(folderField, folder, 'must be an absolute file path');
  if (manifests === undefined || typeof manifests === 'string')
    throw wrong(folderField, folder, manifests ?? "unable to read: its files stand beside it here, in the plugin's `manifests`");
  return { kubeconfig, manifests: { folder, files: manifests } };
}

function wrong(field: string, value: string, why: string): ConfigurationFault {
  return new ConfigurationFault(errorText(invalid(root(field), value, why)));
}

function policyFields(plugin: ManifestPlugin, document: JsonObject): Fields {
  const kind = `${plugin}Configuration`;
  const other = policyConfigurations.find((one) => one !== kind && isKind(document, [`${group}/v1`], one));
  if (other !== undefined) throw new ConfigurationFault(`unexpected type: *policyconfig.${other}`);
  mustBeKind(document, [`${group}/v1`], kind);
  return new Fields(document, '', ['apiVersion', 'kind', folderField]);
}

function webhookFields(document: JsonObject): Fields {
  // The older form is release 1.13's, and knows no manifests.
  if (document['kind'] === 'WebhookAdmission') {
    mustBeKind(document, [`${group}/v1alpha1`], 'WebhookAdmission');
    return new Fields(document, '', ['apiVersion', 'kind', 'kubeConfigFile']);
  }
  mustBeKind(document, [`${group}/v1`], 'WebhookAdmissionConfiguration');
  return new Fields(document, '', ['apiVersion', 'kind', 'kubeConfigFile', folderField]);
}
