/** How a test reaches a server that somebody else started: from a kubeconfig with one cluster and a token. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Reached {
  readonly server: string;
  readonly token: string;
  /** PEM; the script of the older control plane names none. */
  readonly authority: Buffer | undefined;
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: { readonly server: string; readonly 'certificate-authority'?: string; readonly 'certificate-authority-data'?: string };
  }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}

/** @throws Error when the file names no cluster or no user. */
export function readPeerKubeconfig(path: string): Reached {
  const { clusters, users } = parse(readFileSync(path, 'utf8')) as Kubeconfig;
  const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
  if (cluster === undefined || user === undefined) throw new Error(`${path} names no cluster and user`);
  const { server, 'certificate-authority': file, 'certificate-authority-data': data } = cluster;
  const inline = data === undefined ? undefined : Buffer.from(data, 'base64');
  return { server, token: user.token, authority: inline ?? (file === undefined ? undefined : readFileSync(file)) };
}

/** Options of an agent that believes the server and nobody else, or everybody where no authority is named. */
export function trustOf({ authority }: Reached): { readonly ca: Buffer } | { readonly rejectUnauthorized: false } {
  return authority === undefined ? { rejectUnauthorized: false } : { ca: authority };
}
