/**
 * The process entry. It is a file of its own so that the compile cache is on before the engine is compiled (the second start is quicker),
 * and so that a Node.js which cannot read the engine says so.
 */
import * as nodeModule from 'node:module';
import { unfitNode } from './node-version.ts';
import { optimizeSooner } from './optimizer.ts';

const unfit = unfitNode(process.version);
if (unfit !== undefined) {
  process.stderr.write(`wavetank: ${unfit}\n`);
  process.exit(2);
}
nodeModule.enableCompileCache();
optimizeSooner();
const { main } = await import('./main.ts');
const code = await main(process.argv.slice(2));
// Sockets that clients keep open must not hold a finished command; what was printed leaves first.
process.stdout.write('', () => process.exit(code));
