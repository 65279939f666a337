/** What a kubeconfig lacks that leads to a webhook, as upstream tells it before it starts. Mirrors client-go tools/clientcmd: Load and ConfirmUsable. */
import { openSync, closeSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { load } from 'js-yaml';
import { goKind, noTypeMeta, typeMetaOfGo } from '../../apimachinery/serializer/go-names.ts';
import type { JsonValue } from '../../base/json.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { fileFault } from '../go-files.ts';
import { type Fields, hasData, textOf, transportFault } from './transport-faults.ts';

const noConfiguration = 'no configuration has been provided, try setting KUBERNETES_MASTER environment variable';
const olderPlugins: ReadonlySet<unknown> = new Set(['v1alpha1', 'v1beta1'].map((version) => `client.authentication.k8s.io/${version}`));
const interactive: ReadonlySet<unknown> = new Set(['Never', 'IfAvailable', 'Always']);
const proxySchemes = ['http', 'https', 'socks5'];
/** Fields that are texts, and how Go's reader names what holds them. */
const texts = {
  clusters: ['NamedCluster', 'cluster', 'Cluster.clusters.cluster', ['server', 'tls-server-name', 'certificate-authority', 'proxy-url']],
  contexts: ['NamedContext', 'context', 'Context.contexts.context', ['cluster', 'user']],
  users: ['NamedAuthInfo', 'user', 'AuthInfo.users.user', ['client-certificate', 'client-key', 'token', 'tokenFile', 'username', 'password']],
} as const;

/** One line, in upstream's words; undefined for one that a server starts with. */
export function kubeconfigFault(file: string): string | undefined {
  const path = resolve(file);
  const missing = fileFault(() => statSync(path));
  if (missing === 'no such file or directory') return `stat ${file}: ${missing}`;
  const config = read(file);
  if (typeof config === 'string') return `error loading config file ${goQuote(file)}: ${config}`;
  const { cluster, user, faults } = look(config, path);
  if (faults.length > 0) return `invalid configuration: ${faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`}`;
  return transportFault(cluster, user, path);
}

/** Gives what is wrong where it is no kubeconfig. */
function read(file: string): Fields | string {
  let text = '';
  const unread = fileFault(() => {
    text = readFileSync(resolve(file), 'utf8');
  });
  if (unread !== undefined) return unread === 'is a directory' ? `read ${file}: ${unread}` : `open ${file}: ${unread}`;
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : (load(text) ?? {});
  } catch (error) {
    return `yaml: ${(error as Error).message.split('\n')[0]}`;
  }
  if (!isFields(value)) return `${noTypeMeta(value as JsonValue)} ${typeMetaOfGo}`;
  const { apiVersion = '', kind = '' } = value as { readonly [name: string]: string };
  if ((kind !== '' && kind !== 'Config') || (apiVersion !== '' && apiVersion !== 'v1'))
    return `no kind ${goQuote(kind || 'Config')} is registered for version ${goQuote(apiVersion || 'v1')} in scheme "pkg/runtime/scheme.go:111"`;
  return mistyped(value) ?? twice(value) ?? value;
}

function mistyped(config: Fields): string | undefined {
  for (const [list, [type, member, path, names]] of Object.entries(texts)) {
    const entries = config[list] ?? [];
    if (!Array.isArray(entries)) return `json: cannot unmarshal ${goKind(entries)} into Go struct field Config.${list} of type []v1.${type}`;
    for (const name of names)
      for (const entry of entries as readonly (Fields | null)[]) {
        const value = (entry?.[member] as Fields | null | undefined)?.[name] ?? '';
        if (typeof value !== 'string') return `json: cannot unmarshal ${goKind(value)} into Go struct field ${path}.${name} of type string`;
      }
  }
  return undefined;
}

/** Go prints the whole list behind it. */
function twice(config: Fields): string | undefined {
  for (const [list, [type, , path]] of Object.entries(texts)) {
    const names = ((config[list] ?? []) as readonly (Fields | null)[]).map((entry) => textOf(entry ?? {}, 'name'));
    const name = names.find((one, index) => names.indexOf(one) < index);
    if (name !== undefined) return `error converting *[]${type} into *map[string]*api.${path.split('.')[0]}: duplicate name ${goQuote(name)} in list`;
  }
  return undefined;
}

/** The cluster of the present context, and what is wrong with that, its user and itself. */
function look(config: Fields, path: string): { readonly cluster: Fields; readonly user: Fields; readonly faults: readonly string[] } {
  const current = textOf(config, 'current-context');
  const context = entryOf(config, 'contexts', 'context', current);
  const [userName, name] = [textOf(context ?? {}, 'user'), textOf(context ?? {}, 'cluster')];
  const user = entryOf(config, 'users', 'user', userName) ?? {};
  const cluster = entryOf(config, 'clusters', 'cluster', name);
  const before = [
    ...(current !== '' && context === undefined ? [`context was not found for specified context: ${current}`] : []),
    ...userFaults(user, userName, path),
  ];
  if (cluster !== undefined) return { cluster, user, faults: [...before, ...clusterFaults(cluster, name, path)] };
  return { cluster: {}, user, faults: before.length === 0 ? [noConfiguration] : [...before, 'cluster has no server defined'] };
}

function clusterFaults(cluster: Fields, name: string, path: string): readonly string[] {
  const [server, proxy, authority] = [textOf(cluster, 'server'), textOf(cluster, 'proxy-url'), textOf(cluster, 'certificate-authority')];
  const scheme = URL.canParse(proxy) ? new URL(proxy).protocol.slice(0, -1) : '';
  const isProxy = proxy === '' || proxySchemes.includes(scheme);
  const both = 'certificate-authority-data and certificate-authority are both specified for';
  return [
    ...(server === '' ? [`no server found for cluster ${goQuote(name)}`] : []),
    ...(isProxy
      ? []
      : [
          `invalid 'proxy-url' ${goQuote(proxy)} for cluster ${goQuote(name)}: unsupported scheme ${goQuote(scheme)}, must be http, https, or socks5`,
        ]),
    ...(authority !== '' && hasData(cluster, 'certificate-authority') ? [`${both} ${name}. certificate-authority-data will override.`] : []),
    ...unopened('certificate-authority', authority, name, path),
  ];
}

function userFaults(user: Fields, name: string, path: string): readonly string[] {
  const [certificate, key] = [textOf(user, 'client-certificate'), textOf(user, 'client-key')];
  const methods = [
    ...(textOf(user, 'token') === '' ? [] : ['token']),
    ...(textOf(user, 'username') + textOf(user, 'password') === '' ? [] : ['basicAuth']),
  ];
  const ofCertificate =
    certificate === '' && !hasData(user, 'client-certificate')
      ? []
      : [
          ...(certificate !== '' && hasData(user, 'client-certificate')
            ? [`client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`]
            : []),
          ...(key !== '' && hasData(user, 'client-key')
            ? [`client-key-data and client-key are both specified for ${name}; client-key-data will override`]
            : []),
          ...(key === '' && !hasData(user, 'client-key')
            ? [`client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`]
            : []),
          ...unopened('client-cert', certificate, name, path),
          ...unopened('client-key', key, name, path),
        ];
  const tooMany = `more than one authentication method found for ${name}; found [${methods.join(' ')}], only one is allowed`;
  return [...ofCertificate, ...pluginFaults(user, name), ...(methods.length > 1 ? [tooMany] : [])];
}

function pluginFaults(user: Fields, name: string): readonly string[] {
  const { exec } = user;
  if (!isFields(exec)) return [];
  const { command, apiVersion, interactiveMode, env } = exec;
  const purpose = `for ${name} to use exec authentication plugin`;
  const mode = interactiveMode ?? (olderPlugins.has(apiVersion) ? 'IfAvailable' : '');
  const nameless = Array.isArray(env) ? (env as readonly (Fields | null)[]).filter((one) => !one?.['name']) : [];
  return [
    ...(isFields(user['auth-provider']) ? [`authProvider cannot be provided in combination with an exec plugin for ${name}`] : []),
    ...(command ? [] : [`command must be specified ${purpose}`]),
    ...(apiVersion ? [] : [`apiVersion must be specified ${purpose}`]),
    ...nameless.map(() => `env variable name must be specified ${purpose}`),
    ...(mode === ''
      ? [`interactiveMode must be specified ${purpose}`]
      : interactive.has(mode)
        ? []
        : [`invalid interactiveMode for ${name}: ${goQuote(String(mode))}`]),
  ];
}

function unopened(field: string, file: string, name: string, kubeconfig: string): readonly string[] {
  if (file === '') return [];
  const path = resolve(dirname(kubeconfig), file);
  const fault = fileFault(() => closeSync(openSync(path, 'r')));
  return fault === undefined ? [] : [`unable to read ${field} ${path} for ${name} due to open ${path}: ${fault}`];
}

/** Undefined where the list has none of that name; an entry that says nothing is empty. */
function entryOf(config: Fields, list: string, member: string, name: string): Fields | undefined {
  const found = ((config[list] ?? []) as readonly (Fields | null)[]).find((entry) => entry?.['name'] === name);
  return found === undefined || found === null ? undefined : ((found[member] ?? {}) as Fields);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
