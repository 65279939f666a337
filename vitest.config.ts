import { existsSync, globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Transcripts of real clients run where the clients are installed (test/clients/install.mjs). */
const hasClients = existsSync(new URL('./test/clients/.bin', import.meta.url));
if (!hasClients) console.log('skipped: transcripts of real clients (cd test/clients && npm ci installs them; Linux x64)');

const include = ['build/**/*.test.ts', 'engine/**/*.test.ts', 'test/**/*.test.ts', 'renderer/**/*.test.{ts,tsx}', 'electron/**/*.test.ts', 'scenarios/**/*.test.ts'];
const exclude = ['**/node_modules/**', ...(hasClients ? [] : ['test/clients/**'])];
/** Who replaces modules or watches functions of others changes what whoever comes after would meet. */
const changesOthers = /\bvi\.(mock|doMock|spyOn|stub\w+|useFakeTimers)\b/;
const alone = globSync(include, { cwd: import.meta.dirname }).filter((file) => changesOthers.test(readFileSync(new URL(file, import.meta.url), 'utf8')));

export default defineConfig({
  test: {
    exclude,
    // Only what hangs may end by the clock: tests start clusters as processes, and a machine may be a fifth as quick as another.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What a browser shows comes when it comes: a busy machine is not a broken page.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      // No room has state of its own beside its objects (law 6), so files share what is loaded: loading it anew for each took longer than the tests.
      { extends: true, test: { name: 'shared', include, exclude: [...exclude, ...alone], isolate: false } },
      { extends: true, test: { name: 'alone', include: alone, isolate: true } },
    ],
  },
});
