/** The process entry. A compile cache makes the second start quicker. */
import { enableCompileCache } from 'node:module';
import { main } from './main.ts';

enableCompileCache();
process.exitCode = await main(process.argv.slice(2));
// Sockets that clients keep open must not hold a finished command.
process.exit();
