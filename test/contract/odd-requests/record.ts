/**
 * Asks a real server: `node build/with-node.mjs test/contract/odd-requests/record.ts RELEASE URL TOKEN` writes facts-RELEASE.json.
 * ../shared/peers/control-plane.sh (1.36) and old-apiserver.sh (1.13) start one.
 */
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { before, everywhere, type OddAnswer, type OddRequest, said, setUp } from './requests.ts';

const [release = '', url = '', token = ''] = process.argv.slice(2);

function ask({ method, path, body, contentType = 'application/json', accept = 'application/json', whole }: OddRequest): Promise<OddAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept, 'content-type': contentType };
    const call = request(new URL(url + path), { method, headers, rejectUnauthorized: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, said: said(Buffer.concat(chunks).toString(), whole === true) }));
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

for (const [path, body] of setUp) await ask({ method: 'POST', path, body });
// Controllers of the peer look at what was made.
await new Promise((resolve) => setTimeout(resolve, 3_000));
const facts: OddAnswer[] = [];
for (const one of release === '1.13' ? [...everywhere, ...before] : everywhere) facts.push(await ask(one));
writeFileSync(new URL(`facts-${release}.json`, import.meta.url), `${JSON.stringify(facts, null, 2)}\n`);
