/** Sends requests to a real API server, as the administrator of a kubeconfig. */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { load } from 'js-yaml';
import type { Send } from './play.ts';

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string } }];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

export function realSender(file: string): Send {
  const config = load(readFileSync(file, 'utf8')) as Kubeconfig;
  const { server: at } = config.clusters[0].cluster;
  const { token } = config.users[0].user;
  return ({ method, path, body, contentType = 'application/json' }) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'content-type': contentType,
        'content-length': Buffer.byteLength(text),
        'user-agent': 'test',
      };
      const sent = request(`${at}${path}`, { method, headers, rejectUnauthorized: false }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => {
          const answer = Buffer.concat(pieces).toString();
          const warnings = response.rawHeaders.flatMap((name, i) =>
            i % 2 === 0 && name.toLowerCase() === 'warning' ? [response.rawHeaders[i + 1] ?? ''] : [],
          );
          resolve({ code: response.statusCode ?? 0, body: answer.startsWith('{') ? (JSON.parse(answer) as unknown) : answer, warnings });
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
}
