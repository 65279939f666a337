/**
 * Asks a real API server what it answers to the cases, and writes `facts.json`:
 * `PEERS=… control-plane.sh up 21000 --no-controllers`, then `node test/contract/conversion/record.ts KUBECONFIG [NAME]`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { realSender } from '../webhooks/real.ts';
import { conversionCases } from './cases.ts';
import { play } from './play.ts';
import { startConversionServer } from './server.ts';

const [, , file = '', only = ''] = process.argv;
const send = realSender(file);
const server = await startConversionServer();
const facts = new URL('./facts.json', import.meta.url);
const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 4_000));
const found: { [name: string]: unknown } = only === '' ? {} : (JSON.parse(readFileSync(facts, 'utf8')) as { [name: string]: unknown });
const wanted = conversionCases.filter(({ name }) => name.includes(only));
// More at once and the server hears of its definitions too late.
for (let first = 0; first < wanted.length; first += 5)
  await Promise.all(wanted.slice(first, first + 5).map(async (one) => (found[one.name] = await play(one, send, server, wait))));
const sorted = Object.fromEntries(conversionCases.flatMap(({ name }) => (name in found ? [[name, found[name]]] : [])));
writeFileSync(facts, `${JSON.stringify(sorted, null, 1)}\n`);
if (process.env['HEARD']) for (const { path, review } of server.take()) console.log(path, JSON.stringify(review));
await server.close();
