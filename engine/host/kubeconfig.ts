/** Kubeconfig files that hold one cluster and nothing else: ours to write, as long as nothing of the user's is in them. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { dump, load } from 'js-yaml';
import { CommandError } from './command-error.ts';
import { checkOrdinary, codeOf, replaceFile } from './files.ts';
import type { Keys } from './home.ts';

export interface Named {
  readonly name: string;
}

/** What one cluster adds to a kubeconfig: an entry in each of the three lists, all of one name. */
export interface ClusterEntries {
  readonly clusters: Named & { readonly cluster: Readonly<Record<string, string>> };
  readonly users: Named & { readonly user: Readonly<Record<string, string>> };
  readonly contexts: Named & { readonly context: Readonly<Record<string, string>> };
}

export const entryLists = ['clusters', 'users', 'contexts'] as const;

/** The whole text for one cluster; user, cluster and context are called `wavetank-<name>` (or `wavetank`). */
export function kubeconfigText(name: string, server: string, keys: Keys, servedPem = ''): string {
  const { clusters, users, contexts } = entriesOf(name, server, keys, servedPem);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [clusters],
    users: [users],
    contexts: [contexts],
    'current-context': contextName(name),
  };
  return dump(config, { lineWidth: -1 });
}

export function contextName(name: string): string {
  return name === 'wavetank' ? name : `wavetank-${name}`;
}

/** `servedPem`: certificates that the server shows besides those of this machine's authority. */
export function entriesOf(name: string, server: string, keys: Keys, servedPem = ''): ClusterEntries {
  const own = contextName(name);
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return {
    clusters: { name: own, cluster: { server, 'certificate-authority-data': base64(keys.authority.certificatePem + servedPem) } },
    users: {
      name: own,
      user: { 'client-certificate-data': base64(keys.admin.certificatePem), 'client-key-data': base64(keys.admin.keyPem), token: keys.adminToken },
    },
    contexts: { name: own, context: { cluster: own, user: own } },
  };
}

/** Writes the file whole. Refuses one that holds anything that is not a cluster of ours. */
export function writeKubeconfig(file: string, name: string, server: string, keys: Keys, servedPem = ''): void {
  checkOverwritable(file);
  try {
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, kubeconfigText(name, server, keys, servedPem));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot write the kubeconfig ${file} (${codeOf(error)}); give a path that can be written with --kubeconfig`);
  }
}

/** Throws when a file has to be left alone: it is something else, or it has entries of the user's. */
export function checkOverwritable(file: string): void {
  const text = read(file);
  if (text.trim() === '') return;
  const names = foreignNames(text);
  if (names === undefined)
    throw new CommandError(`${file} is there and is not a kubeconfig; give another path with --kubeconfig, or move it out of the way`);
  if (names.length === 0) return;
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
  throw new CommandError(
    `${file} holds entries that are not Wavetank's (${shown}) and would be overwritten; give another path with --kubeconfig, or add the cluster to it with KUBECONFIG=${file} and --merge-kubeconfig`,
  );
}

function read(file: string): string {
  if (!existsSync(file)) return '';
  checkOrdinary(file);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`cannot read ${file} (${codeOf(error)}); give another path with --kubeconfig`);
  }
}

/** Names of entries that we did not write; undefined for what is no kubeconfig at all. */
function foreignNames(text: string): readonly string[] | undefined {
  let config: unknown;
  try {
    config = load(text);
  } catch {
    return undefined;
  }
  if (typeof config !== 'object' || config === null || (config as { kind?: unknown }).kind !== 'Config') return undefined;
  const names = entryLists.flatMap((list) => {
    const entries: unknown = (config as Record<string, unknown>)[list] ?? [];
    return Array.isArray(entries) ? entries.filter((entry) => !isOurs(entry)).map((entry) => nameOf(entry)) : [list];
  });
  return [...new Set(names)];
}

/** Named as we name them, and if it is a cluster, on this machine. */
function isOurs(entry: unknown): boolean {
  const { cluster } = (entry ?? {}) as { readonly cluster?: { readonly server?: unknown } };
  const isHere = cluster === undefined || /^https:\/\/127\.0\.0\.1:\d+$/.test(String(cluster.server));
  return /^wavetank(-[-a-z0-9]+)?$/.test(nameOf(entry)) && isHere;
}

function nameOf(entry: unknown): string {
  return String(((entry ?? {}) as { readonly name?: unknown }).name ?? 'an entry without a name');
}
