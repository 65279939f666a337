/** Kubeconfig files: one of our own per cluster, and merging into the user's on demand. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { dump, load } from 'js-yaml';
import { CommandError } from './command-error.ts';
import type { Keys } from './home.ts';

interface Named {
  readonly name: string;
}

interface Kubeconfig {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly clusters?: readonly Named[] | null;
  readonly users?: readonly Named[] | null;
  readonly contexts?: readonly Named[] | null;
  readonly 'current-context'?: string;
}

/** The whole text for one cluster; user, cluster and context are called `wavetank-<name>` (or `wavetank`). */
export function kubeconfigText(name: string, server: string, keys: Keys): string {
  return dump(entries(name, server, keys), { lineWidth: -1 });
}

export function contextName(name: string): string {
  return name === 'wavetank' ? name : `wavetank-${name}`;
}

export function writeKubeconfig(file: string, name: string, server: string, keys: Keys): void {
  write(file, kubeconfigText(name, server, keys));
}

/** Puts cluster, user and context into the user's kubeconfig and makes it current; everything else stays. */
export function mergeKubeconfig(name: string, server: string, keys: Keys): string {
  const file = (process.env['KUBECONFIG'] ?? '').split(process.platform === 'win32' ? ';' : ':')[0] || join(homedir(), '.kube', 'config');
  const old = existsSync(file) ? ((load(readFileSync(file, 'utf8')) ?? {}) as Kubeconfig) : {};
  const own = entries(name, server, keys);
  const merge = (mine: readonly Named[], theirs: readonly Named[] | null | undefined): readonly Named[] => [
    ...(theirs ?? []).filter((entry) => !mine.some((other) => other.name === entry.name)),
    ...mine,
  ];
  const merged = {
    ...old,
    ...own,
    clusters: merge(own.clusters ?? [], old.clusters),
    users: merge(own.users ?? [], old.users),
    contexts: merge(own.contexts ?? [], old.contexts),
  };
  write(file, dump(merged, { lineWidth: -1 }));
  return file;
}

function entries(name: string, server: string, keys: Keys): Kubeconfig {
  const context = contextName(name);
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: context, cluster: { server, 'certificate-authority-data': base64(keys.authority.certificatePem) } } as Named],
    users: [
      {
        name: context,
        user: { 'client-certificate-data': base64(keys.admin.certificatePem), 'client-key-data': base64(keys.admin.keyPem), token: keys.adminToken },
      } as Named,
    ],
    contexts: [{ name: context, context: { cluster: context, user: context } } as Named],
    'current-context': context,
  };
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    throw new CommandError(
      `cannot write the kubeconfig ${file} (${(error as NodeJS.ErrnoException).code}); give a path that can be written with --kubeconfig`,
    );
  }
}
