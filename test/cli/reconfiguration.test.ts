/** `--authorization-config FILE`: another file counts while it runs, after kill -9 and after a restart, and the session runs again the same. */
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Home, type Up } from './wavetank.ts';

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

const configuration = (...types: readonly string[]): string =>
  `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n${types.map((type) => `- {type: ${type}, name: ${type.toLowerCase()}}\n`).join('')}`;
const strict = configuration('Node', 'RBAC');
const lax = configuration('Node', 'RBAC', 'AlwaysAllow');
const settings = '/apis/sim.wavetank.dev/v1alpha1/settings';

/** What the cluster says that jane may. */
async function mayJane(up: Up): Promise<boolean> {
  const spec = { user: 'jane', resourceAttributes: { verb: 'get', resource: 'secrets' } };
  return (await up.call<{ status: { allowed: boolean } }>('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec })).status.allowed;
}

it('counts as the file is now, through a crash and a restart', async () => {
  const [file, session] = [home.file('authorization.yaml'), home.file('session')];
  const up = (): Promise<Up> => home.up('--seed', '3', '--nodes', '1', '--session', session, '--authorization-config', file);
  writeFileSync(file, strict);
  const first = await up();
  expect(await mayJane(first)).toBe(false);
  let now = '';
  const watch = first.watch<{ options: { 'authorization-config': string } }>(`${settings}?watch=true`, ({ object }) => {
    now = object.options['authorization-config'];
  });
  writeFileSync(file, lax);
  await watch.until(() => now === lax);
  watch.stop();
  expect(await mayJane(first)).toBe(true);
  const killed = await first.signal('SIGKILL');
  expect(killed.error).toBe('wavetank: reloaded authz config\n');

  const second = await up();
  expect(await mayJane(second)).toBe(true);
  // A kill may cut the line that was being written, which the next start says.
  const told = (await second.signal('SIGTERM')).error.replace(/^.* ended in lines that were not finished; \d+ bytes were dropped\n/, '');
  expect(told).toBe('');

  writeFileSync(file, strict);
  const third = await up();
  expect(await mayJane(third)).toBe(false);
  expect((await third.signal('SIGTERM')).code).toBe(0);
  const { code, out, error } = await home.run('replay', session, '--output', 'json');
  expect({ code, error, equal: (JSON.parse(out) as { equal: boolean }).equal }).toEqual({ code: 0, error: '', equal: true });
});
