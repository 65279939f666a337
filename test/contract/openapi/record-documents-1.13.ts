/**
 * Writes `documents-1.13.json` anew: sums of what a real server of release 1.13 says of itself.
 *   node build/with-node.mjs test/contract/openapi/record-documents-1.13.ts SERVER
 * SERVER is the address where it asks nobody who he is. Says besides whether our writer gives the document the server's protobuf form.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../engine/base/json.ts';
import { encodeDocument } from '../../../engine/apiserver/openapi/proto-document.ts';
import { sumsOf113 } from './documents-1.13.ts';

const [server = ''] = process.argv.slice(2);
async function fetched(accept: string): Promise<Buffer> {
  const response = await fetch(`${server}/openapi/v2`, { headers: { accept } });
  return Buffer.from(await response.arrayBuffer());
}
const document = JSON.parse((await fetched('application/json')).toString()) as JsonObject;
const binary = await fetched('application/com.github.proto-openapi.spec.v2@v1.0+protobuf');
const found = sumsOf113(document);
writeFileSync(join(import.meta.dirname, 'documents-1.13.json'), `${JSON.stringify(found, undefined, 1)}\n`);
console.log(`${Object.keys(found).length} sums; protobuf ${binary.equals(encodeDocument(document)) ? 'equal' : 'not equal'}`);
