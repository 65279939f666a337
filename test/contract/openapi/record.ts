/**
 * Writes `possible-values.json` anew: the fields of a real server's OpenAPI of which possible values are listed.
 *   node build/with-node.mjs test/contract/openapi/record.ts KUBECONFIG
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { peerSide } from '../../differential/sides.ts';
import { possibleValues } from './possible-values.ts';

const side = peerSide(process.argv[2] ?? '');
const { text } = await side.ask({ method: 'GET', path: '/openapi/v2', query: '', type: '', accept: 'application/json' });
side.close();
const found = possibleValues(JSON.parse(text));
writeFileSync(join(import.meta.dirname, 'possible-values.json'), `${JSON.stringify(found, undefined, 1)}\n`);
console.log(`${Object.keys(found).length} fields`);
