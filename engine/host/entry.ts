/** The process entry. It is a file of its own so that the compile cache is on before the engine is compiled: the second start is quicker. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { main } = await import('./main.ts');
const code = await main(process.argv.slice(2));
// Sockets that clients keep open must not hold a finished command; what was printed leaves first.
process.stdout.write('', () => process.exit(code));
