/** A real control plane to play failures in, in real time: plain requests and a watch for each resource. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { parse } from 'yaml';
import type { FailureWorld, Thing } from './played.ts';

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority'?: string } }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}

/** From a kubeconfig with one cluster and a token; without an authority nothing is verified, as the old peer's says. */
export function makePeerWorld(kubeconfig: string, hasLeases: boolean): FailureWorld {
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const cluster = clusters[0]?.cluster;
  if (cluster === undefined) throw new Error(`${kubeconfig} names no cluster`);
  const authority = cluster['certificate-authority'];
  const trust = authority === undefined ? { rejectUnauthorized: false } : { ca: readFileSync(authority) };
  const agent = new Agent({ keepAlive: true, maxSockets: 32, ...trust });
  const authorization = `Bearer ${users[0]?.user.token ?? ''}`;
  return {
    hasLeases,
    nowMs: () => Date.now(),
    sleepUntil: (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms - Date.now()))),
    ask: (method, path, body, contentType = 'application/json') =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? '' : JSON.stringify(body);
        const headers = { authorization, accept: 'application/json', 'content-type': contentType, 'content-length': Buffer.byteLength(text) };
        const sent = request(`${cluster.server}${path}`, { method, headers, agent }, (answer) => {
          let answered = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => (answered += chunk));
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, object: answered.startsWith('{') ? JSON.parse(answered) : answered }));
        });
        sent.on('error', reject);
        sent.end(text);
      }),
    onChange: (resource, handler) => {
      const path = `${cluster.server}/api/v1/${resource}?watch=1&timeoutSeconds=3600`;
      const watching = request(path, { headers: { authorization }, agent: false, ...trust }, (answer) => {
        let rest = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) {
            const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: Thing };
            if (resource !== 'events' || type === 'ADDED') handler(object, type === 'DELETED');
          }
        });
      });
      watching.on('error', (error) => {
        throw error;
      });
      watching.end();
    },
  };
}
