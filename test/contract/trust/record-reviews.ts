/**
 * Asks the real API server all of `review-cases.ts`: `node build/with-node.mjs test/contract/trust/record-reviews.ts` writes
 * `review-facts.json`. Needs `../shared/peers/build.sh control-plane etcd`; PEERS and PORT say where they are and where to listen.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, issueCertificate } from '../../../engine/serving/certificates.ts';
import { authorizers, factOf, replyTo, type ReviewCase, reviewCases, type ReviewFact } from './review-cases.ts';

const script = process.env['CONTROL_PLANE'] ?? '../shared/peers/control-plane.sh';
const port = process.env['PORT'] ?? '6443';
const folder = mkdtempSync(join(tmpdir(), 'reviews-'));
const authority = createAuthority('authority');
const pair = issueCertificate(authority, { commonName: 'hook', names: ['127.0.0.1'], usage: 'server', days: 1 });
const hook = createServer({ cert: pair.certificatePem, key: pair.keyPem }, (asked, answer) => {
  let body = '';
  asked.on('data', (chunk: Buffer) => (body += chunk.toString()));
  asked.on('end', () => {
    const { code, text } = replyTo(body);
    answer.writeHead(code, { 'content-type': 'application/json' });
    answer.end(text);
  });
});
await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(join(folder, 'ca.crt'), authority.certificatePem);
const server = `https://127.0.0.1:${(hook.address() as AddressInfo).port}/reviews`;
writeFileSync(
  kubeconfig,
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'hook' },
    clusters: [{ name: 'hook', cluster: { server, 'certificate-authority': join(folder, 'ca.crt') } }],
    contexts: [{ name: 'hook', context: { cluster: 'hook', user: 'hook' } }],
    users: [{ name: 'hook', user: {} }],
  }),
);
const configuration = join(folder, 'authorizers');
writeFileSync(configuration, authorizers(kubeconfig));
// The script names modes; a configuration stands for them.
const own = join(folder, 'control-plane.sh');
writeFileSync(own, readFileSync(script, 'utf8').replace('--authorization-mode=Node,RBAC ', ''));
const flags = `--authentication-token-webhook-config-file=${kubeconfig} --authentication-token-webhook-version=v1 --authorization-config=${configuration}`;
const run = (...args: readonly string[]): string =>
  execFileSync('bash', [own, ...args], { env: { ...process.env, API_FLAGS: flags }, encoding: 'utf8' });
run('up', port, '--no-controllers');
try {
  const token = /token: "([^"]+)"/.exec(readFileSync(run('kubeconfig').trim(), 'utf8'))?.[1] ?? '';
  const facts: Record<string, ReviewFact> = {};
  for (const one of reviewCases) facts[one.name] = await ask(one, token);
  writeFileSync(new URL('./review-facts.json', import.meta.url), `${JSON.stringify(facts, null, 2)}\n`);
  process.stdout.write(`${reviewCases.length} facts\n`);
} finally {
  run('down');
  hook.close();
  hook.closeAllConnections();
  rmSync(folder, { recursive: true });
}

function ask({ method, path, body, as }: ReviewCase, token: string): Promise<ReviewFact> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...(as === undefined ? {} : { 'impersonate-user': as }) };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(factOf(response.statusCode ?? 0, text)));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
