/** Options that are files on the command line: what is in them, and in the files that they name, becomes part of the session. */
import { statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { unmarshalYaml } from '../../apimachinery/serializer/yaml.ts';
import { encodeJson } from '../../apimachinery/serializer/json.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type ConfiguredAuthorizer, readAuthorizationConfiguration } from '../../apiserver/auth/authorization-configuration.ts';
import { kubeconfigFaultField } from '../../apiserver/admission/plugins/image-policy-webhook.ts';
import { ConfigurationFault } from '../../apiserver/configuration-reader.ts';
import { CommandError } from '../command-error.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { FileFault, fileFault, readInGo } from '../go-files.ts';
import { readManifestFolder } from './manifest-folders.ts';
import { kubeconfigFault } from '../remote/kubeconfig-faults.ts';
import { readKubeconfig } from '../remote/kubeconfig-reader.ts';

/** Rewrites the text of a file so that it names no others. */
type Inliner = (text: string, folder: string) => string;

const configurationFiles: ReadonlyMap<string, Inliner | undefined> = new Map([
  ['admission-control-config-file', inlinePlugins],
  ['authorization-config', checkAuthorizers],
  ['authorization-policy-file', undefined],
  ['scheduler-config', undefined],
  ['policy-config-file', undefined],
]);

/** Before what is wrong with a kubeconfig of a webhook that decides. */
export const ofAuthorizers = 'invalid authorization config: ';

/** Files whose path alone is kept. */
export function isWebhookFile(option: string): boolean {
  return option === 'authorization-webhook-config-file';
}

export function isConfigurationFile(option: string): boolean {
  return configurationFiles.has(option);
}

/** Throws CommandError for a file that cannot be read. */
export function readConfigurationFile(option: string, file: string): string {
  if (file === '') return '';
  try {
    const text = readInGo(file);
    return configurationFiles.get(option)?.(text, dirname(file)) ?? text;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (error instanceof ConfigurationFault) throw new CommandError(error.message);
    if (error instanceof FileFault) throw new CommandError(inReader(option, file, error.message));
    throw new CommandError(`--${option}: ${(error as Error).message}`);
  }
}

/** What the reader of each puts before what is wrong with its file. */
function inReader(option: string, file: string, why: string): string {
  switch (option) {
    case 'admission-control-config-file':
      return `failed to apply admission: failed to read plugin config: unable to read admission control configuration from ${goQuote(file)} [${why}]`;
    case 'authorization-policy-file':
      return `${ofAuthorizers}${why.startsWith('read ') ? `error reading policy file ${file}: ` : ''}${why}`;
    default:
      return why;
  }
}

/**
 * A kubeconfig of a webhook: what is in it stays on this machine, and its path is what is kept. `reader` says, in front of a fault, whose
 * it is. Throws CommandError.
 */
export function mustReadWebhookFile(file: string, reader = ''): string {
  const fault = kubeconfigFault(file);
  if (fault !== undefined) throw new CommandError(`${reader}${fault}`);
  const path = resolve(file);
  readKubeconfig(path);
  return path;
}

function statFault(path: string): string | undefined {
  return fileFault(() => statSync(path));
}

/** The webhooks that an AuthorizationConfiguration names must be there when the cluster is made. */
function checkAuthorizers(text: string): string {
  readKubeconfigsOf(readAuthorizers(text));
  return text;
}

/** Throws ConfigurationFault. */
export function readAuthorizers(text: string, requiredTypes: readonly string[] = []): readonly ConfiguredAuthorizer[] {
  const fileFault = (path: string): string | undefined => {
    const fault = statFault(path);
    if (fault !== undefined) return `error loading file: stat ${path}: ${fault}`;
    return statSync(path).isFile() ? undefined : 'must be a regular file';
  };
  return readAuthorizationConfiguration(text, fileFault, requiredTypes);
}

/** Throws CommandError. */
export function readKubeconfigsOf(authorizers: readonly ConfiguredAuthorizer[]): void {
  for (const { webhook } of authorizers) if (webhook !== undefined) mustReadWebhookFile(webhook.kubeconfig, ofAuthorizers);
}

/** Configurations of admission plugins that stand in files of their own. */
function inlinePlugins(text: string, folder: string): string {
  const document = parsed(text);
  const plugins = document?.['plugins'];
  if (document === undefined) return text;
  if (!Array.isArray(plugins)) return document['kind'] === undefined ? encodeJson(withKubeconfigFault(document)) : text;
  const inlined = (plugins as readonly JsonValue[]).map((plugin) => {
    if (!isObject(plugin)) return plugin;
    const { path, configuration, ...rest } = plugin;
    if (Object.hasOwn(rest, 'manifests')) throw new ConfigurationFault('strict decoding error: unknown field "plugins.manifests"');
    if (configuration !== undefined || typeof path !== 'string' || path === '') return withManifests(plugin);
    return withManifests({ ...rest, configuration: parsed(readPlugin(resolve(folder, path))) ?? null });
  });
  return encodeJson({ ...document, plugins: inlined });
}

function readPlugin(path: string): string {
  try {
    return readInGo(path);
  } catch (error) {
    // There the process ends with the error as Go prints its parts.
    throw new CommandError(`Couldn't open admission plugin configuration ${path}: ${(error as Error).message}`);
  }
}

/** What lies in the folder that its configuration names stands beside that. */
function withManifests(plugin: JsonObject): JsonObject {
  const { configuration } = plugin;
  if (!isObject(configuration)) return plugin;
  const checked = { ...plugin, configuration: withKubeconfigFault(configuration) };
  const folder = configuration['staticManifestsDir'];
  if (typeof folder !== 'string' || !isAbsolute(folder)) return checked;
  return { ...checked, manifests: readManifestFolder(folder) as unknown as JsonValue };
}

/** The kubeconfig that leads to who looks at images stays a path; what it lacks is told where that plugin is on. */
function withKubeconfigFault(configuration: JsonObject): JsonObject {
  const { imagePolicy } = configuration;
  if (!isObject(imagePolicy)) return configuration;
  const { [kubeconfigFaultField]: _, kubeConfigFile, ...others } = imagePolicy;
  const fault = typeof kubeConfigFile === 'string' && kubeConfigFile !== '' ? kubeconfigFault(kubeConfigFile) : undefined;
  const given = { ...(kubeConfigFile === undefined ? {} : { kubeConfigFile }), ...others };
  return { ...configuration, imagePolicy: fault === undefined ? given : { ...given, [kubeconfigFaultField]: fault } };
}

/** Undefined for what is no object: whoever reads the option says what is wrong. */
function parsed(text: string): JsonObject | undefined {
  try {
    const value = unmarshalYaml(text).value as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
