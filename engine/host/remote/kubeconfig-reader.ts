/** Reads what a client needs of a kubeconfig file: the server of the current context, and how to trust and be trusted. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { load } from 'js-yaml';
import { CommandError } from '../command-error.ts';

export interface RemoteServer {
  readonly server: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

type Fields = Readonly<Record<string, unknown>>;

export function readKubeconfig(file: string): RemoteServer {
  const config = parse(file);
  const context = named(config, 'contexts', String(config['current-context'] ?? ''), file)['context'] as Fields;
  const cluster = named(config, 'clusters', String(context['cluster']), file)['cluster'] as Fields;
  const user = named(config, 'users', String(context['user']), file)['user'] as Fields;
  const server = cluster['server'];
  if (typeof server !== 'string' || !/^https?:\/\//.test(server))
    throw new CommandError(`${file}: the cluster needs a server that begins with https:// or http://`);
  const field = (name: keyof RemoteServer, value: string | undefined): Partial<RemoteServer> => (value === undefined ? {} : { [name]: value });
  return {
    server,
    ...field('ca', content(cluster, 'certificate-authority', file)),
    ...field('cert', content(user, 'client-certificate', file)),
    ...field('key', content(user, 'client-key', file)),
    ...field('token', typeof user['token'] === 'string' ? user['token'] : undefined),
  };
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
    return readFileSync(resolve(dirname(file), path), 'utf8');
  } catch (error) {
    throw new CommandError(`${file}: cannot read ${path} (${(error as NodeJS.ErrnoException).code})`);
  }
}
