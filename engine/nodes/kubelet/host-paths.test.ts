/** Paths of the machine: what a pod says they are is checked, and what it lets be made stays for those that come after it. */
import { expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { Rig } from '../testing/rig.ts';

async function aRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.clear();
  return rig;
}

async function tell(rig: Rig, name: string, path: string, type?: string): Promise<readonly string[]> {
  const hostPath: JsonObject = { path, ...(type === undefined ? {} : { type }) };
  rig.addPod(name, { volumes: [{ name: 'v', hostPath }], containers: [{ name: 'c', image: 'nginx' }] });
  await rig.advance(10_000);
  return [...new Set(rig.eventTexts(`Pod default/${name}`).filter((text) => text.startsWith('Warning ')))];
}

it.each([
  ['Directory', '/var/log'],
  ['Directory', '/nosuch', 'a directory'],
  ['Directory', '/etc/hosts', 'a directory'],
  ['DirectoryOrCreate', '/data/of/mine'],
  ['DirectoryOrCreate', '/etc/hosts', 'a directory'],
  ['File', '/etc/hosts'],
  ['File', '/etc', 'a file'],
  ['FileOrCreate', '/etc/mine'],
  ['FileOrCreate', '/var/log', 'a file'],
  ['Socket', '/run/containerd/containerd.sock'],
  ['Socket', '/var/run/docker.sock', 'a socket file'],
  ['CharDevice', '/dev/null'],
  ['CharDevice', '/dev/vda', 'a character device'],
  ['BlockDevice', '/dev/vda'],
  ['BlockDevice', '/dev/sdz', 'a block device'],
  [undefined, '/anything'],
])('of type %s: %s', async (type, path, isNot?: string) => {
  const rig = await aRig();
  const text = `Warning FailedMount MountVolume.SetUp failed for volume "v" : hostPath type check failed: ${path} is not ${isNot}`;
  expect(await tell(rig, 'p', path, type)).toEqual(isNot === undefined ? [] : [text]);
  expect(rig.pod('p')?.status?.phase).toBe(isNot === undefined ? 'Running' : 'Pending');
});

it('what was made stays, and is what it was made as', async () => {
  const rig = await aRig();
  expect(await tell(rig, 'a', '/data/db', 'DirectoryOrCreate')).toEqual([]);
  expect(await tell(rig, 'b', '/data/db/', 'Directory')).toEqual([]);
  expect(await tell(rig, 'c', '/data', 'Directory')).toEqual([]);
  expect(await tell(rig, 'd', '/data/db/pid', 'FileOrCreate')).toEqual([]);
  expect(await tell(rig, 'e', '/data/db/pid', 'File')).toEqual([]);
  expect(await tell(rig, 'f', '/nowhere/pid', 'FileOrCreate')).toEqual([
    'Warning FailedMount MountVolume.SetUp failed for volume "v" : open /nowhere/pid: no such file or directory',
  ]);
});
