/** The API as a kubeconfig leads to it, over TLS. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { parse } from 'yaml';
import type { Api } from './world.ts';

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }];
  readonly users: readonly [{ readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } }];
}

export function kubeApi(path: string): Api & { close(): void } {
  const { clusters, users } = parse(readFileSync(path, 'utf8')) as Kubeconfig;
  const [{ cluster }, { user }] = [clusters[0], users[0]];
  const pem = (text: string): Buffer => Buffer.from(text, 'base64');
  const agent = new Agent({
    keepAlive: true,
    ca: pem(cluster['certificate-authority-data']),
    cert: pem(user['client-certificate-data']),
    key: pem(user['client-key-data']),
  });
  const call: Api['call'] = (method, to, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(cluster.server + to, { method, agent, headers: { 'content-type': 'application/json', ...headers } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('error', reject);
        answer.on('end', () => {
          if ((answer.statusCode ?? 0) < 300) resolve(JSON.parse(text));
          else reject(new Error(`${method} ${to}: ${answer.statusCode} ${text}`));
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return { call, close: () => agent.destroy() };
}
