import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['build/**/*.test.ts', 'engine/**/*.test.ts', 'test/**/*.test.ts', 'renderer/**/*.test.{ts,tsx}', 'electron/**/*.test.ts', 'scenarios/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/clients/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
