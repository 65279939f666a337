/** Writes down what the `dash` of this machine says to the scripts of `cases.ts`: `node test/contract/shell/record.ts`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellCases } from './cases.ts';

const said = shellCases.map(({ name, script }) => {
  const folder = mkdtempSync(join(tmpdir(), 'dash-'));
  const output = execFileSync('dash', ['-c', script], { cwd: folder, encoding: 'utf8', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } });
  rmSync(folder, { recursive: true });
  return [name, output];
});
writeFileSync(join(import.meta.dirname, 'dash-said.json'), `${JSON.stringify(Object.fromEntries(said), undefined, 2)}\n`);
