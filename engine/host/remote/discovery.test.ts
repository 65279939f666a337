import { expect, it } from 'vitest';
import { newServiceUnavailable } from '../../apimachinery/errors.ts';
import { resourceType } from '../../client/resources.ts';
import { discoverDeletable, versionsAsker } from './discovery.ts';
import { discoverServedTypes } from './served-types.ts';

const verbs = ['list', 'watch', 'delete'];
const resources = (name: string, kind: string): object => ({ resources: [{ name, kind, namespaced: true, verbs }] });
const group = (name: string): object => ({
  name,
  preferredVersion: { groupVersion: `${name}/v1` },
  versions: [{ version: 'v1', groupVersion: `${name}/v1` }],
});

/** A server with a group of its own and one of a server that may be down. */
class Server {
  isDown = false;
  readonly asked: string[] = [];

  readonly call = async <R>(_method: string, path: string): Promise<R> => {
    this.asked.push(path);
    const answers: Readonly<Record<string, object>> = {
      '/apis': { groups: [group('apps'), group('other.example.com')] },
      '/api/v1': resources('pods', 'Pod'),
      '/apis/apps/v1': resources('deployments', 'Deployment'),
      '/apis/other.example.com/v1': resources('things', 'Thing'),
    };
    if (this.isDown && path.includes('other')) throw newServiceUnavailable('service unavailable');
    return answers[path] as R;
  };
}

it('what another server had counts while it is down, and the rest is found without it', async () => {
  const server = new Server();
  server.isDown = true;
  const names = async (known?: Parameters<typeof discoverDeletable>[1]): Promise<readonly string[]> =>
    (await discoverDeletable(server, known)).map(({ resource }) => resource);
  expect(await names()).toEqual(['pods', 'deployments']);
  expect(await names([resourceType('other.example.com', 'v1', 'things', 'Thing')])).toEqual(['pods', 'deployments', 'things']);
  const served = await discoverServedTypes(server);
  expect(served.of(resourceType('apps', 'v1', 'deployments', 'Deployment'))).toBeDefined();
  expect(served.of(resourceType('other.example.com', 'v1', 'things', 'Thing'))).toBeUndefined();
});

it('versions are asked for once in a while, and a group that is not there each time', async () => {
  const server = new Server();
  let nowMs = 0;
  const versionsOf = versionsAsker(server, 10_000, () => nowMs);
  expect([await versionsOf('apps'), await versionsOf('apps'), await versionsOf('none'), await versionsOf('none')]).toEqual([
    ['v1'],
    ['v1'],
    undefined,
    undefined,
  ]);
  expect(server.asked).toHaveLength(3);
  nowMs = 10_000;
  await versionsOf('apps');
  expect(server.asked).toHaveLength(4);
});
