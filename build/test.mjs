/**
 * `npm test`: does all the set-up, then runs types, lint, format and stale checks and every test, and ends with one line,
 * `N passed, N failed, N skipped`. Arguments go to vitest (`npm test -- engine/store`), which then runs alone.
 */
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { ensureDependencies, root, runNodeSync } from './node-release.mjs';

ensureDependencies();
// The browser tests look at the built page.
await build();
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const selected = process.argv.slice(2);
if (selected.length > 0) process.exit(runNodeSync([vitest, 'run', ...selected]));

const checks = [
  ['types', ['node_modules/typescript/bin/tsc', '--noEmit']],
  ['lint', ['node_modules/oxlint/bin/oxlint', '--type-aware', '--quiet', 'engine', 'renderer', 'electron', 'build', 'test']],
  ['format', ['node_modules/@biomejs/biome/bin/biome', 'format', '.']],
  ['generated files', ['build/generate/main.ts', '--check']],
];
const counts = { passed: 0, failed: 0, skipped: 0 };
for (const [name, args] of checks) {
  const ok = runNodeSync(args) === 0;
  counts[ok ? 'passed' : 'failed'] += 1;
  console.log(`${ok ? 'ok' : 'FAILED'}: ${name}`);
}
const report = join(tmpdir(), `wavetank-tests-${process.pid}.json`);
runNodeSync([vitest, 'run', '--reporter=default', '--reporter=./build/hang-reporter.ts', '--reporter=json', `--outputFile.json=${report}`]);
try {
  const results = JSON.parse(readFileSync(report, 'utf8'));
  counts.passed += results.numPassedTests;
  counts.failed +=
    results.numFailedTests + results.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  counts.skipped += results.numPendingTests + results.numTodoTests;
} catch (error) {
  counts.failed += 1;
  console.error(`vitest left no report: ${error.message}`);
} finally {
  rmSync(report, { force: true });
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 ? 0 : 1);
