/**
 * Writes down what a real busybox says to the scripts of `cases.ts`: `node test/contract/shell/record.ts BUSYBOX`, a binary whose shell
 * and tools are run, with links to all of them in its folder (`busybox --install -s FOLDER`).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { shellCases } from './cases.ts';

const [, , busybox = ''] = process.argv;
const said = shellCases.map(({ name, script }) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'busybox-')));
  const env = { PATH: dirname(busybox), LC_ALL: 'C', HOME: '/root' };
  const { stdout, error } = spawnSync(busybox, ['sh', '-c', `exec 2>&1; ${script}`], { cwd: folder, encoding: 'utf8', env, input: '' });
  if (error !== undefined) throw error;
  rmSync(folder, { recursive: true });
  return [name, stdout.replaceAll(folder, '/empty')];
});
writeFileSync(join(import.meta.dirname, 'busybox-said.json'), `${JSON.stringify(Object.fromEntries(said), undefined, 2)}\n`);
