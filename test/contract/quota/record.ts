/**
 * Records what a real API server without controllers makes of the cases: `control-plane.sh up PORT --no-controllers`, then
 * and again with LIMITED=limited.yaml, which is written first, given to that server as API_FLAGS=--admission-control-config-file=…
 *   SERVER=https://127.0.0.1:PORT TOKEN=… NODE_TLS_REJECT_UNAUTHORIZED=0 node build/with-node.mjs test/contract/quota/record.ts
 */
import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { format } from 'node:util';
import { limitedCases, limitedConfiguration, quotaCases } from './cases.ts';
import { type Ask, play, prepare, type QuotaFact } from './play.ts';

const { SERVER = 'https://127.0.0.1:6443', TOKEN = '', LIMITED } = process.env;
const cases = LIMITED === undefined ? quotaCases : limitedCases;
if (LIMITED !== undefined) writeFileSync(LIMITED, limitedConfiguration);
const ask: Ask = async (method, path, body, type = 'application/json') => {
  const response = await fetch(SERVER + path, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': type, accept: 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { code: response.status, body: (await response.json()) as never };
};

const recorded: Record<string, readonly QuotaFact[]> = {};
await prepare(ask);
for (const [index, each] of cases.entries()) recorded[each.name] = await play(ask, each, `quota-${index}`, () => setTimeout(300));
const lines = Object.entries(recorded).map(
  ([name, facts]) => `${JSON.stringify(name)}: [\n${facts.map((fact) => `  ${JSON.stringify(fact)}`).join(',\n')}\n]`,
);
writeFileSync(new URL(LIMITED === undefined ? 'recorded.json' : 'recorded-limited.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
process.stdout.write(format('%d cases\n', cases.length));
