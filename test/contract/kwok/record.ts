/**
 * Records what the real kwok makes of its stages. For each case an empty API server with KWOK's custom resources and the real kwok:
 *   SERVER=https://127.0.0.1:PORT TOKEN=… CASE=fast NODE_TLS_REJECT_UNAUTHORIZED=0 node build/with-node.mjs test/contract/kwok/record.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type Ask, kwokCases, play } from './play.ts';

const { SERVER = '', TOKEN = '', CASE = '' } = process.env;
const ask: Ask = async (method, path, body, type = 'application/json') => {
  const response = await fetch(SERVER + path, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': type, accept: 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { code: response.status, body: (await response.json()) as never };
};
const file = new URL('recorded.json', import.meta.url);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
const found = kwokCases.find(({ name }) => name === CASE);
if (found === undefined) throw new Error(`CASE is one of ${kwokCases.map(({ name }) => name).join(', ')}`);
recorded[CASE] = await play(ask, found, (ms) => setTimeout(ms));
writeFileSync(file, `${JSON.stringify(recorded, undefined, 1)}\n`);
