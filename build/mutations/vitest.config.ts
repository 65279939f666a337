/** The tests of the repository with one mutation applied while they are loaded: WAVETANK_MUTATION names it; none when it is empty. */
import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import { edited } from './bundle.ts';
import { mutations } from './list.ts';

const root = join(import.meta.dirname, '../..');
const name = process.env['WAVETANK_MUTATION'] ?? '';
const mutation = mutations.find((one) => one.name === name);
if (name !== '' && mutation === undefined) throw new Error(`no mutation is called ${name}`);
const sources = edited(root, mutation?.edits ?? []);

export default mergeConfig(base, {
  root,
  // What is remembered of transformed modules knows nothing of mutations.
  test: { maxWorkers: 1, bail: 1, testTimeout: 40_000, fsModuleCache: false },
  plugins: [{ name: 'mutation', enforce: 'pre' as const, load: (id: string) => sources.get(id) }],
});
