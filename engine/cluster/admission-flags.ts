/** The options that switch admission plugins on and off. Mirrors Validate of apiserver pkg/server/options/admission.go, and NewFromPlugins. */
import { goQuote } from '../apimachinery/quote.ts';
import { partsOf } from '../base/text.ts';
import { ConfigurationFault, InitializationFault } from '../apiserver/configuration-reader.ts';
import { ManifestFault } from '../apiserver/admission/manifests/decoder.ts';
import { type AdmissionConfiguration, readAdmissionConfiguration } from './admission-configuration.ts';
import { createManifestLoader, hookConfigurationOf, hookPluginsOf, type ManifestRelease } from './admission-manifests.ts';
import { enabledPlugins } from './enabled-plugins.ts';

type TextOf = (name: string) => string;

/** One line about the first thing that is wrong, in upstream's words. */
export function pluginMistake(textOf: TextOf, release: ManifestRelease): string | undefined {
  const { admissionOrder, admissionFault } = release;
  const [on, off] = [partsOf(textOf('enable-admission-plugins')), partsOf(textOf('disable-admission-plugins'))];
  for (const [option, names] of [
    ['enable-admission-plugins', on],
    ['disable-admission-plugins', off],
  ] as const) {
    const unknown = names.find((name) => !admissionOrder.includes(name));
    if (unknown !== undefined) return `${option} plugin ${goQuote(unknown)} is unknown`;
  }
  const both = [...new Set(on)].filter((name) => off.includes(name)).sort();
  if (both.length > 0) return `[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`;
  const fault = configurationMistake(textOf, release);
  return fault === undefined ? undefined : `${admissionFault}: ${fault}`;
}

/** Plugins come to be one after the other; the first that cannot is told of. */
function configurationMistake(textOf: TextOf, release: ManifestRelease): string | undefined {
  const configuration = readAdmissionConfiguration(textOf('admission-control-config-file'));
  if (typeof configuration === 'string') return `failed to read plugin config: ${configuration}`;
  const checks = new Map([...configuredPlugins(configuration), ...manifestPlugins(textOf, release)]);
  for (const name of enabledPlugins(release, { list: (option) => partsOf(textOf(option)) }))
    try {
      checks.get(name)?.();
    } catch (error) {
      if (error instanceof ManifestFault || error instanceof InitializationFault)
        return `failed to initialize admission plugin ${goQuote(name)}: ${error.message}`;
      if (error instanceof ConfigurationFault) return `couldn't init admission plugin ${goQuote(name)}: ${error.message}`;
      throw error;
    }
  return undefined;
}

type Checks = readonly (readonly [plugin: string, check: () => unknown])[];

/** Those that go by a configuration of their own, of which some do nothing without one. */
function configuredPlugins(configuration: AdmissionConfiguration): Checks {
  return [
    ['EventRateLimit', () => configuration.eventLimits()],
    ['ImagePolicyWebhook', () => imagePolicyMistake(configuration)],
    ['PodSecurity', () => configuration.podSecurity()],
    ['PodTolerationRestriction', () => configuration.tolerations()],
    ['ResourceQuota', () => configuration.limitedResources()],
  ];
}

function imagePolicyMistake(configuration: AdmissionConfiguration): void {
  const policy = configuration.imagePolicy();
  if (policy === undefined) throw new ConfigurationFault('no config specified');
  if (policy.kubeconfig === '')
    throw new ConfigurationFault('invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable');
  if (policy.kubeconfigFault !== '') throw new ConfigurationFault(policy.kubeconfigFault);
}

/** Plugins of webhooks and policies: their configuration, and what lies in the folder that it names. */
function manifestPlugins(textOf: TextOf, release: ManifestRelease): Checks {
  const text = textOf('admission-control-config-file');
  return hookPluginsOf(release, textOf).map((plugin) => [
    plugin,
    () => {
      const { manifests } = hookConfigurationOf(plugin, text, release, textOf);
      if (manifests !== undefined) createManifestLoader(release, textOf).loadFirst(plugin, manifests.folder, manifests.files);
    },
  ]);
}
