/** The options that switch admission plugins on and off. Mirrors Validate of apiserver pkg/server/options/admission.go. */
import { goQuote } from '../apimachinery/quote.ts';
import { ConfigurationFault } from '../apiserver/configuration-reader.ts';
import { ManifestFault } from '../apiserver/admission/manifests/decoder.ts';
import { readAdmissionConfiguration } from './admission-configuration.ts';
import { createManifestLoader, hookConfigurationOf, hookPluginsOf, type ManifestRelease } from './admission-manifests.ts';

/** One line about the first thing that is wrong, in upstream's words. */
export function pluginMistake(textOf: (name: string) => string, release: ManifestRelease): string | undefined {
  const { admissionOrder } = release;
  const listOf = (name: string): readonly string[] =>
    textOf(name)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  const [on, off] = [listOf('enable-admission-plugins'), listOf('disable-admission-plugins')];
  for (const [option, names] of [
    ['enable-admission-plugins', on],
    ['disable-admission-plugins', off],
  ] as const) {
    const unknown = names.find((name) => !admissionOrder.includes(name));
    if (unknown !== undefined) return `${option} plugin ${goQuote(unknown)} is unknown`;
  }
  const both = [...new Set(on)].filter((name) => off.includes(name)).sort();
  if (both.length > 0) return `[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`;
  return configurationMistake(on, textOf('admission-control-config-file')) ?? hookMistake(textOf, release);
}

/** Plugins that do nothing without a configuration, and those that have a wrong one. */
function configurationMistake(on: readonly string[], text: string): string | undefined {
  const configuration = readAdmissionConfiguration(text);
  if (typeof configuration === 'string') return undefined;
  const read: { readonly [plugin: string]: () => unknown } = {
    EventRateLimit: () => configuration.eventLimits(),
    ImagePolicyWebhook: () => {
      const policy = configuration.imagePolicy();
      if (policy === undefined) throw new ConfigurationFault('no config specified');
      if (policy.kubeconfig === '')
        throw new ConfigurationFault('invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable');
    },
  };
  for (const name of on)
    try {
      read[name]?.();
    } catch (error) {
      if (!(error instanceof ConfigurationFault)) throw error;
      return `failed to initialize admission: couldn't init admission plugin ${goQuote(name)}: ${error.message}`;
    }
  return undefined;
}

/** Plugins of webhooks and policies whose configuration is wrong, or what lies in the folder that it names. */
function hookMistake(textOf: (name: string) => string, release: ManifestRelease): string | undefined {
  const text = textOf('admission-control-config-file');
  if (typeof readAdmissionConfiguration(text) === 'string') return undefined;
  for (const plugin of hookPluginsOf(release, textOf))
    try {
      const { manifests } = hookConfigurationOf(plugin, text, release, textOf);
      if (manifests !== undefined) createManifestLoader(release, textOf).loadFirst(plugin, manifests.folder, manifests.files);
    } catch (error) {
      if (error instanceof ConfigurationFault)
        return `failed to apply admission: couldn't init admission plugin ${goQuote(plugin)}: ${error.message}`;
      if (!(error instanceof ManifestFault)) throw error;
      return error.message;
    }
  return undefined;
}
