/** The command line for tests that run it in processes of its own. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const asks = "import('./build/build.mjs').then((module) => process.exit(module.isBuilt() ? 0 : 1))";

/** Whether what ships is as new as its sources: `npm test` builds it first. */
export const isBuilt = spawnSync(process.execPath, ['-e', asks], { cwd: root }).status === 0;

/** What Node.js runs: the bundle that ships, else the sources, which take seconds longer to load. */
export const program = isBuilt ? join(root, 'dist', 'wavetank.js') : join(root, 'engine', 'host', 'entry.ts');
