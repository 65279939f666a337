/**
 * Asks a real API server what it answers to the cases, and writes `facts.json` and `policy-facts.json`:
 * `PEERS=… control-plane.sh up 21000 --no-controllers`, then `node test/contract/webhooks/record.ts KUBECONFIG [webhooks|policies [NAME]]`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { load } from 'js-yaml';
import { type CaseRequest, type WebhookCase, webhookCases } from './cases.ts';
import { type Answered, play } from './play.ts';
import { policyCases } from './policy-cases.ts';
import { startHookServer } from './server.ts';

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string } }];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

const [, , file = '', which = '', only = ''] = process.argv;
const config = load(readFileSync(file, 'utf8')) as Kubeconfig;
const { server: at } = config.clusters[0].cluster;
const { token } = config.users[0].user;

function send({ method, path, body, contentType = 'application/json' }: CaseRequest): Promise<Answered> {
  return new Promise((resolve, reject) => {
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

const server = await startHookServer();

/** The real server hears of webhooks at once, and looks at policies every second. */
async function record(file: string, cases: readonly WebhookCase[], waitMs: number): Promise<void> {
  const facts = new URL(file, import.meta.url);
  const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, waitMs));
  const found: { [name: string]: unknown } = only === '' ? {} : (JSON.parse(readFileSync(facts, 'utf8')) as { [name: string]: unknown });
  for (const one of cases.filter(({ name }) => name.includes(only))) found[one.name] = await play(one, send, server, wait);
  writeFileSync(facts, `${JSON.stringify(found, null, 1)}\n`);
}

if (which !== 'policies') await record('./facts.json', webhookCases, 400);
if (which !== 'webhooks') await record('./policy-facts.json', policyCases, 1_600);
await server.close();
