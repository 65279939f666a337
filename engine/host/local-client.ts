/** A small client for the command line: JSON requests to a running cluster over its TLS endpoint. */
import { request } from 'node:https';
import { checkServerIdentity } from 'node:tls';
import { CommandError } from './command-error.ts';
import { loadKeys } from './home.ts';
import type { RunningCluster } from './registry-file.ts';

/** Whoever asks for this name is shown the certificate that this machine's authority signed, whatever others are shown. */
export const localServerName = 'wavetank.localhost';

export function callCluster<T>(cluster: RunningCluster, method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<T> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const keys = loadKeys();
  return new Promise((resolve, reject) => {
    const call = request(
      new URL(path, cluster.server),
      {
        method,
        ca: keys.authority.certificatePem,
        servername: localServerName,
        checkServerIdentity: (_name, certificate) => checkServerIdentity('localhost', certificate),
        headers: {
          authorization: `Bearer ${keys.adminToken}`,
          accept: 'application/json',
          'user-agent': 'wavetank',
          ...(text === undefined ? {} : { 'content-type': contentType }),
        },
      },
      (response) => {
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          answer += chunk;
        });
        response.on('end', () => {
          const value = JSON.parse(answer === '' ? 'null' : answer) as T & { readonly message?: string };
          if ((response.statusCode ?? 500) < 400) resolve(value);
          else reject(new CommandError(value.message ?? `the cluster answered ${response.statusCode}`));
        });
      },
    );
    call.on('error', (error: NodeJS.ErrnoException) =>
      reject(new CommandError(`cannot reach ${cluster.name} at ${cluster.server} (${error.code ?? error.message})`)),
    );
    call.end(text);
  });
}
