/**
 * Records the families of a real API server's metrics, Go's own left out:
 *   node build/with-node.mjs test/contract/metrics/record.ts SERVER TOKEN
 */
import { writeFileSync } from 'node:fs';
import { familiesOf } from './read.ts';

const [server = '', token = ''] = process.argv.slice(2);
const response = await fetch(`${server}/metrics`, { headers: { authorization: `Bearer ${token}` } });
const families = Object.entries(familiesOf(await response.text())).filter(([name]) => !/^(go|grpc)_/.test(name));
const lines = families.map(([name, family]) => ` ${JSON.stringify(name)}: ${JSON.stringify(family)}`);
writeFileSync(new URL('facts.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
