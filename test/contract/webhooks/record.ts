/**
 * Asks a real API server what it answers to the cases, and writes `facts.json`, `policy-facts.json`, `mutating-policy-facts.json` and `mutating-policy-odd-facts.json`:
 * `PEERS=… control-plane.sh up 21000 --no-controllers`, then `node test/contract/webhooks/record.ts KUBECONFIG [webhooks|policies|mutating|odd [NAME]]`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type WebhookCase, webhookCases } from './cases.ts';
import { mutatingPolicyCases } from './mutating-policy-cases.ts';
import { oddMutatingCases } from './mutating-policy-odd-cases.ts';
import { play } from './play.ts';
import { policyCases } from './policy-cases.ts';
import { realSender } from './real.ts';
import { startHookServer } from './server.ts';

const [, , file = '', which = '', only = ''] = process.argv;
const send = realSender(file);
const server = await startHookServer();

/** The real server hears of webhooks at once, and looks at policies every second. */
async function record(file: string, cases: readonly WebhookCase[], waitMs: number): Promise<void> {
  const facts = new URL(file, import.meta.url);
  const found: { [name: string]: unknown } = only === '' ? {} : (JSON.parse(readFileSync(facts, 'utf8')) as { [name: string]: unknown });
  for (const one of cases.filter(({ name }) => name.includes(only))) {
    // What is chosen by labels is there when an informer of its kind, which comes with the policy, has listed it.
    const ms = one.name.startsWith('selector') ? 2_500 : waitMs;
    found[one.name] = await play(one, send, server, () => new Promise((resolve) => setTimeout(resolve, ms)));
  }
  writeFileSync(facts, `${JSON.stringify(found, null, 1)}\n`);
}

if (which === '' || which === 'webhooks') await record('./facts.json', webhookCases, 400);
if (which === '' || which === 'policies') await record('./policy-facts.json', policyCases, 1_600);
if (which === '' || which === 'mutating') await record('./mutating-policy-facts.json', mutatingPolicyCases, 1_600);
if (which === '' || which === 'odd') await record('./mutating-policy-odd-facts.json', oddMutatingCases, 1_600);
await server.close();
