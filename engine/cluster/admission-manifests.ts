/** Webhooks and policies that lie on disk, as they are now: they are a setting of the cluster, which the host changes when the files do. */
import type { Placed, WatchedObjects } from '../apiserver/admission/hooks/sources.ts';
import type { ManifestFile } from '../apiserver/admission/manifests/files.ts';
import type { PolicyObjects } from '../apiserver/admission/policies/bound.ts';
import { ManifestLoader, type ManifestPlugin, manifestPlugins, type Manifests } from '../apiserver/admission/manifests/loader.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { encodeJson } from '../apimachinery/serializer/json.ts';
import { createSchemaRegistry } from '../api/schemas.ts';
import { assert } from '../base/assert.ts';
import { deepEqual } from '../base/equal.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { partsOf } from '../base/text.ts';
import type { Release } from '../contracts/release.ts';
import { FeatureGates } from '../releases/feature-gates.ts';
import { readAdmissionConfiguration } from './admission-configuration.ts';
import {
  type HookConfiguration,
  manifestsGate,
  noHookConfiguration,
  readHookConfiguration,
  type StaticManifests,
} from './admission-hook-configuration.ts';
import { ChangingConfiguration } from './changing-configuration.ts';
import { enabledPlugins } from './enabled-plugins.ts';

/** What of a release decides on manifests. */
export type ManifestRelease = Pick<Release, 'featureGates' | 'ratchets' | 'admissionOrder' | 'admissionDefaults' | 'admissionFault'>;

type TextOf = (option: string) => string;

const option = 'admission-control-config-file';
const nothing: Manifests = { hooks: [], bindings: [] };

/** Judges manifests as the release with its gates does. */
export function createManifestLoader({ featureGates, ratchets }: ManifestRelease, textOf: TextOf): ManifestLoader {
  const gates = new FeatureGates(featureGates, textOf('feature-gates'));
  return new ManifestLoader(createSchemaRegistry(), { featureEnabled: (gate) => gates.enabled(gate), ratcheted: (ratchet) => ratchets[ratchet] });
}

/** The plugins of webhooks and policies that are on, in the order in which they come to be. */
export function hookPluginsOf({ admissionOrder, admissionDefaults, featureGates }: ManifestRelease, textOf: TextOf): readonly ManifestPlugin[] {
  const gates = new FeatureGates(featureGates, textOf('feature-gates'));
  const on = enabledPlugins({ admissionOrder, admissionDefaults }, { list: (name) => partsOf(textOf(name)) });
  return on.flatMap((name) => {
    const plugin = manifestPlugins.find((known) => known === name);
    return plugin === undefined || (plugin === 'MutatingAdmissionPolicy' && !gates.enabled(plugin)) ? [] : [plugin];
  });
}

/** What a plugin goes by. Throws ConfigurationFault; the configuration as a whole is right. */
export function hookConfigurationOf(plugin: ManifestPlugin, configuration: string, release: ManifestRelease, textOf: TextOf): HookConfiguration {
  const read = readAdmissionConfiguration(configuration);
  assert(typeof read !== 'string', 'settings are checked');
  const configured = read.hookPlugin(plugin);
  if (configured === undefined) return noHookConfiguration;
  return readHookConfiguration(plugin, configured, new FeatureGates(release.featureGates, textOf('feature-gates')).enabled(manifestsGate));
}

export class ClusterManifests extends ChangingConfiguration {
  readonly #release: ManifestRelease;
  readonly #textOf: TextOf;
  readonly #plugins: readonly ManifestPlugin[];
  #loader: ManifestLoader | undefined;
  #generation = 0;
  #loaded: ReadonlyMap<ManifestPlugin, Manifests> = new Map();

  constructor(release: ManifestRelease, settings: { text(name: string): string }) {
    super(() => settings.text(option));
    this.#release = release;
    this.#textOf = (name) => settings.text(name);
    this.#plugins = hookPluginsOf(release, this.#textOf);
    this.take();
  }

  /** Path of the kubeconfig that says who calls webhooks; empty for none. */
  kubeconfigOf(plugin: ManifestPlugin): string {
    return this.#plugins.includes(plugin) ? this.#configurationOf(plugin).kubeconfig : '';
  }

  /** Configurations of webhooks on disk beside those of the API. */
  webhooks(plugin: ManifestPlugin, api: WatchedObjects): Placed<WatchedObjects> {
    return { onDisk: this.#objects(plugin, ({ hooks }) => hooks), api };
  }

  /** Policies on disk beside those of the API. */
  policies(plugin: ManifestPlugin, api: PolicyObjects): Placed<PolicyObjects> {
    const onDisk = { policies: this.#objects(plugin, ({ hooks }) => hooks), bindings: this.#objects(plugin, ({ bindings }) => bindings) };
    return { onDisk, api };
  }

  #objects(plugin: ManifestPlugin, part: (manifests: Manifests) => readonly KubeObject[]): WatchedObjects {
    const generation = (): number => this.#generation;
    return {
      get generation() {
        return generation();
      },
      list: () => part(this.#loaded.get(plugin) ?? nothing),
    };
  }

  #configurationOf(plugin: ManifestPlugin): HookConfiguration {
    return hookConfigurationOf(plugin, this.configuration, this.#release, this.#textOf);
  }

  /** The text has the manifests that count in it, and nothing else in it is another than before. */
  protected take(): void {
    this.#generation++;
    this.#loaded = new Map(
      this.#plugins.flatMap((plugin) => {
        const { manifests } = this.#configurationOf(plugin);
        if (manifests === undefined) return [];
        this.#loader ??= createManifestLoader(this.#release, this.#textOf);
        return [[plugin, this.#loader.load(plugin, manifests.files)] as const];
      }),
    );
  }
}

/** Whether two AdmissionConfigurations say the same but for what lies in the folders that they name. */
export function differInManifestsOnly(one: string, other: string): boolean {
  return one !== other && one !== '' && other !== '' && deepEqual(withoutManifests(one), withoutManifests(other));
}

/** Configurations that were read are JSON, with everything in them that counts. */
function withoutManifests(configuration: string): JsonValue {
  const document = JSON.parse(configuration) as { readonly plugins?: readonly JsonObject[] };
  return { ...document, plugins: (document.plugins ?? []).map(({ manifests: _, ...plugin }) => plugin) } as unknown as JsonValue;
}

/** The folders that a configuration names for plugins that are on, with what lies in them. */
export function manifestFoldersOf(
  configuration: string,
  release: ManifestRelease,
  textOf: TextOf,
): readonly (StaticManifests & { readonly plugin: ManifestPlugin })[] {
  return hookPluginsOf(release, textOf).flatMap((plugin) => {
    const { manifests } = hookConfigurationOf(plugin, configuration, release, textOf);
    return manifests === undefined ? [] : [{ plugin, ...manifests }];
  });
}

/** The configuration with other files in a plugin's folder. */
export function withManifests(configuration: string, plugin: ManifestPlugin, files: readonly ManifestFile[]): string {
  const document = JSON.parse(configuration) as { readonly plugins?: readonly JsonObject[] };
  const plugins = (document.plugins ?? []).map((one) =>
    one['name'] === plugin && Object.hasOwn(one, 'manifests') ? { ...one, manifests: files } : one,
  );
  return encodeJson({ ...document, plugins });
}
