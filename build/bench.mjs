/** `npm run bench -- NAME [ARG…]`: runs test/bench/NAME.bench.ts, or says which there are. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureDependencies, root, runNode } from './node-release.mjs';

const folder = join(root, 'test', 'bench');
const [name = '', ...args] = process.argv.slice(2);
const bench = join(folder, `${name}.bench.ts`);
if (!existsSync(bench)) {
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.bench.ts') ? [file.slice(0, -'.bench.ts'.length)] : []));
  console.error(`npm run bench -- NAME, one of ${names.join(', ')}`);
  process.exit(2);
}
ensureDependencies();
runNode(['--import', pathToFileURL(join(folder, 'as-the-product.ts')).href, bench, ...args]);
