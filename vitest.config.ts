import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Transcripts of real clients run where the clients are installed (test/clients/install.mjs). */
const hasClients = existsSync(new URL('./test/clients/.bin', import.meta.url));
if (!hasClients) console.log('skipped: transcripts of real clients (cd test/clients && npm ci installs them; Linux x64)');

export default defineConfig({
  test: {
    include: ['build/**/*.test.ts', 'engine/**/*.test.ts', 'test/**/*.test.ts', 'renderer/**/*.test.{ts,tsx}', 'electron/**/*.test.ts', 'scenarios/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(hasClients ? [] : ['test/clients/**'])],
    // Only what hangs may end by the clock: tests start clusters as processes, and a machine may be a fifth as quick as another.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What a browser shows comes when it comes: a busy machine is not a broken page.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
