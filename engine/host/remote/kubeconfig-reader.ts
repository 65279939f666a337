/** Reads what a client needs of a kubeconfig file: the server of the current context, and how to trust and be trusted. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { load } from 'js-yaml';
import { readInGo } from '../go-files.ts';
import { CommandError } from '../command-error.ts';
import { type Credentials, type CredentialSource, FileCredentials } from './credentials.ts';
import { ExecPlugin, type PluginPlace } from './exec-plugin.ts';

export interface RemoteServer extends Credentials {
  readonly server: string;
  readonly ca?: string;
  /** Its certificate is taken as it is. */
  readonly insecure?: true;
  /** The name that its certificate has, where that is not the address. */
  readonly serverName?: string;
  /** Through whom it is reached. */
  readonly proxyUrl?: string;
  /** Whom to ask before each request, where credentials may change. */
  readonly credentials?: CredentialSource;
}

type Fields = Readonly<Record<string, unknown>>;

export function readKubeconfig(file: string): RemoteServer {
  const config = parse(file);
  const context = named(config, 'contexts', String(config['current-context'] ?? ''), file)['context'] as Fields;
  const cluster = named(config, 'clusters', String(context['cluster']), file)['cluster'] as Fields;
  // A user that is nowhere, or of whom nothing is said, is nobody, as for client-go.
  const users = (config['users'] ?? []) as readonly Fields[];
  const user = (users.find(({ name }) => name === context['user'])?.['user'] ?? {}) as Fields;
  const server = cluster['server'];
  if (typeof server !== 'string' || !/^https?:\/\//.test(server))
    throw new CommandError(`${file}: the cluster needs a server that begins with https:// or http://`);
  const ca = content(cluster, 'certificate-authority', file);
  const name = String(context['user']);
  const serverName = cluster['tls-server-name'];
  const proxyUrl = proxyOf(cluster, file);
  return {
    server,
    ...(ca === undefined ? {} : { ca }),
    ...(cluster['insecure-skip-tls-verify'] === true ? { insecure: true } : {}),
    ...(typeof serverName === 'string' ? { serverName } : {}),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    ...credentialsOf(user, { file, user: name, cluster, nowMs: Date.now, env: process.env }),
  };
}

/**
 * Who is shown to a server, by its `host:port`: the user of that name, of `*.` and what stands behind a dot of it, or of the same without
 * the port of https; nobody where there is none. Mirrors apiserver pkg/util/webhook/authentication.go.
 */
export function readCredentialsFor(file: string, target: string): Credentials & Pick<RemoteServer, 'credentials'> {
  const config = parse(file);
  const names = [...namesFor(target), ...(target.endsWith(':443') ? namesFor(target.slice(0, -':443'.length)) : [])];
  const users = (config['users'] ?? []) as readonly Fields[];
  const found = names.map((name) => users.find((user) => user['name'] === name)).find((user) => user !== undefined);
  if (found === undefined) return {};
  return credentialsOf((found['user'] ?? {}) as Fields, { file, user: String(found['name']), cluster: {}, nowMs: Date.now, env: process.env });
}

function namesFor(target: string): readonly string[] {
  const steps = target.split('.');
  return [target, ...steps.slice(1).map((_, index) => `*.${steps.slice(index + 1).join('.')}`)];
}

/** Throws a CommandError for one that cannot be used. */
function proxyOf(cluster: Fields, file: string): string | undefined {
  const url = cluster['proxy-url'];
  if (typeof url !== 'string' || url === '') return undefined;
  const scheme = URL.canParse(url) ? new URL(url).protocol : '';
  if (['http:', 'https:', 'socks5:'].includes(scheme)) return url;
  const why = `unsupported scheme ${JSON.stringify(scheme.slice(0, -1))}, must be http, https, or socks5`;
  throw new CommandError(`${file}: invalid proxy-url ${JSON.stringify(url)}: ${why}`);
}

/** A plugin goes before all, a file before the text beside it, as in client-go. */
function credentialsOf(user: Fields, place: PluginPlace): Credentials & Pick<RemoteServer, 'credentials'> {
  const plugin = user['exec'];
  if (typeof plugin === 'object' && plugin !== null) return { credentials: new ExecPlugin(plugin as Fields, place) };
  const fixed: Credentials = {
    ...field('cert', content(user, 'client-certificate', place.file)),
    ...field('key', content(user, 'client-key', place.file)),
    ...field('token', typeof user['token'] === 'string' ? user['token'] : undefined),
    ...field('basic', basicOf(user, place)),
  };
  const files = {
    ...field('cert', pathOf(user, 'client-certificate', place.file)),
    ...field('key', pathOf(user, 'client-key', place.file)),
    ...field('token', typeof user['tokenFile'] === 'string' ? resolve(dirname(place.file), user['tokenFile']) : undefined),
  };
  if (Object.keys(files).length === 0) return fixed;
  const credentials = new FileCredentials(files, fixed, place.nowMs);
  try {
    return { ...credentials.current(), credentials };
  } catch (error) {
    throw new CommandError(`${place.file}: ${(error as Error).message}`);
  }
}

/** Mirrors validateAuthInfo of client-go tools/clientcmd. */
function basicOf({ username, password, token }: Fields, { file, user }: PluginPlace): string | undefined {
  const texts = [username, password].map((value) => (typeof value === 'string' ? value : ''));
  if (texts.join('') === '') return undefined;
  if (typeof token === 'string' && token !== '')
    throw new CommandError(`${file}: more than one authentication method found for ${user}; found [token basicAuth], only one is allowed`);
  return texts[0] === '' ? undefined : texts.join(':');
}

function field(name: keyof Credentials, value: string | undefined): Credentials {
  return value === undefined ? {} : { [name]: value };
}

/** Where a file stands; undefined when its text is inline, or there is none. */
function pathOf(fields: Fields, name: string, file: string): string | undefined {
  const path = fields[name];
  return typeof path === 'string' && typeof fields[`${name}-data`] !== 'string' ? resolve(dirname(file), path) : undefined;
}

function parse(file: string): Fields {
  try {
    const config = load(readFileSync(file, 'utf8'));
    if (typeof config === 'object' && config !== null) return config as Fields;
  } catch (error) {
    throw new CommandError(`cannot read the kubeconfig ${file} (${(error as Error).message.split('\n')[0]})`);
  }
  throw new CommandError(`${file} is not a kubeconfig`);
}

function named(config: Fields, list: string, name: string, file: string): Fields {
  const entries = (config[list] ?? []) as readonly Fields[];
  const found = entries.find((entry) => entry['name'] === name);
  if (found === undefined) throw new CommandError(`${file} has no entry named ${JSON.stringify(name)} under ${list}`);
  return found;
}

/** Inline base64 data, else the file beside the kubeconfig. */
function content(fields: Fields, name: string, file: string): string | undefined {
  const data = fields[`${name}-data`];
  if (typeof data === 'string') return Buffer.from(data, 'base64').toString('utf8');
  const path = fields[name];
  if (typeof path !== 'string') return undefined;
  try {
    return readInGo(resolve(dirname(file), path));
  } catch (error) {
    throw new CommandError(`${file}: ${(error as Error).message}`);
  }
}
