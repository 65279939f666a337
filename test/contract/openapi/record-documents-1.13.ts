/**
 * Writes a part of `documents-1.13.json` anew: sums of what a real server of release 1.13 says of itself.
 *   node build/with-node.mjs test/contract/openapi/record-documents-1.13.ts SERVER [RUNTIME-CONFIG]
 * SERVER is the address where it asks nobody who he is, RUNTIME-CONFIG what it was started with. Says besides whether our writer gives
 * the document the server's protobuf form.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../engine/base/json.ts';
import { encodeDocument } from '../../../engine/apiserver/openapi/proto-document.ts';
import { sumsOf113 } from './documents-1.13.ts';

const [server = '', runtimeConfig = ''] = process.argv.slice(2);
async function fetched(path: string, accept: string): Promise<Buffer> {
  const response = await fetch(server + path, { headers: { accept } });
  return Buffer.from(await response.arrayBuffer());
}
const text = async (path: string): Promise<string> => (await fetched(path, 'application/json')).toString();
const file = join(import.meta.dirname, 'documents-1.13.json');
const found = await sumsOf113(text);
const known = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
writeFileSync(file, `${JSON.stringify({ ...known, [runtimeConfig]: found }, undefined, 1)}\n`);
const document = JSON.parse(await text('/openapi/v2')) as JsonObject;
const binary = await fetched('/openapi/v2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf');
console.log(`${Object.keys(found).length} sums; protobuf ${binary.equals(encodeDocument(document)) ? 'equal' : 'not equal'}`);
