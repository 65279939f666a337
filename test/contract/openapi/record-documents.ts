/**
 * Writes `documents.json` anew: sums of what a real server of release 1.36 says of itself.
 *   node build/with-node.mjs test/contract/openapi/record-documents.ts SERVER TOKEN
 * The server's certificate must be believed (NODE_EXTRA_CA_CERTS).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sumsOf } from './documents.ts';

const [server = '', token = ''] = process.argv.slice(2);
const found = await sumsOf(async (path, accept) => {
  const response = await fetch(server + path, { headers: { accept, authorization: `Bearer ${token}` } });
  return new Uint8Array(await response.arrayBuffer());
});
writeFileSync(join(import.meta.dirname, 'documents.json'), `${JSON.stringify(found, undefined, 1)}\n`);
console.log(`${Object.keys(found).length} sums`);
