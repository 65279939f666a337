import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

it('makes one authority when several clusters start for the first time at once', async () => {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-home-'));
  const script = `import { loadKeys } from ${JSON.stringify(new URL('./home.ts', import.meta.url).href)}; console.log(loadKeys(${JSON.stringify(home)}).authority.certificatePem)`;
  const starts = await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', script])));
  expect(new Set(starts.map(({ stdout }) => stdout)).size).toBe(1);
  rmSync(home, { recursive: true });
});
