/** Volumes as the containers of a pod see them: shared, at their mounts, below their sub-paths. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { configMaps } from '../../client/resources.ts';
import { Rig } from '../testing/rig.ts';

async function aRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.clear();
  return rig;
}

const scratch = [{ name: 'v', emptyDir: {} }];
const at = (mountPath: string, more: object = {}): JsonObject => ({ volumeMounts: [{ name: 'v', mountPath, ...more }] }) as JsonObject;
const script = (name: string, text: string, more: JsonObject = {}): JsonObject => ({ name, image: 'busybox', command: ['sh', '-c', text], ...more });

async function logsOf(spec: JsonObject, seconds = 20): Promise<readonly string[]> {
  const rig = await aRig();
  rig.addPod('p', { restartPolicy: 'Never', ...spec });
  await rig.advance(seconds * 1000);
  return rig.logs;
}

describe('a volume', () => {
  it('is shared by all containers of a pod, each at its own mount', async () => {
    const logs = await logsOf({
      volumes: scratch,
      initContainers: [script('i', 'echo made by i > /work/file', at('/work'))],
      containers: [
        script('c', 'cat /data/file; ls /data; echo more >> /data/file', at('/data')),
        script('d', 'sleep 5; cat /x/file; cat /work/file', at('/x/')),
      ],
    });
    expect(logs).toEqual(['made by i', 'file', 'made by i', 'more', "cat: can't open '/work/file': No such file or directory"]);
  });

  it('forgets what was removed from it, and leaves what containers have for themselves alone', async () => {
    const logs = await logsOf({
      volumes: scratch,
      initContainers: [script('i', 'echo a > /v/a; echo b > /v/b; echo own > /own', at('/v'))],
      containers: [script('c', 'rm /v/a; ls /v; ls /own; touch /own', at('/v')), script('d', 'sleep 3; ls /v', at('/v'))],
    });
    expect(logs).toEqual(['b', 'ls: /own: No such file or directory', 'b']);
  });

  it('shows below a mount what is below its sub-path, also where a variable says which', async () => {
    const env = [{ name: 'WHO', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }];
    const logs = await logsOf({
      volumes: scratch,
      initContainers: [script('i', 'echo mine > /logs/file', { ...at('/logs', { subPathExpr: 'of/$(WHO)' }), env })],
      containers: [
        script('c', 'cat /all/of/p/file; cat /one', {
          volumeMounts: [at('/all'), at('/one', { subPath: 'of/p/file' })].flatMap((one) => one['volumeMounts'] as JsonObject[]),
        }),
      ],
    });
    expect(logs).toEqual(['mine', 'mine']);
  });

  it('of a ConfigMap has one of its keys at a mount, and those of a folder', async () => {
    const rig = await aRig();
    rig.add(configMaps, { metadata: { name: 'one', namespace: 'default' }, data: { a: 'of a', b: 'of b' } } as never);
    rig.addPod('p', {
      restartPolicy: 'Never',
      volumes: [
        {
          name: 'v',
          configMap: {
            name: 'one',
            items: [
              { key: 'a', path: 'x/a.txt' },
              { key: 'b', path: 'b.txt' },
            ],
          },
        },
      ],
      containers: [
        script('c', 'cat /etc/b; echo; cat /etc/x/a.txt', {
          volumeMounts: [
            { name: 'v', mountPath: '/etc/b', subPath: 'b.txt' },
            { name: 'v', mountPath: '/etc/x', subPath: 'x' },
          ],
        }),
      ],
    });
    await rig.advance(15_000);
    expect(rig.logs).toEqual(['of b', 'of a']);
  });

  it('is there when a machine is restored', async () => {
    const make = async (): Promise<Rig> => {
      const rig = await aRig();
      rig.addPod('p', { restartPolicy: 'Never', volumes: scratch, containers: [script('c', 'echo kept > /v/f; sleep 10; cat /v/f', at('/v'))] });
      await rig.advance(8_000);
      return rig;
    };
    const other = new Rig();
    other.takeOver(await make());
    await other.advance(20_000);
    expect(other.logs).toEqual(['kept']);
  });
});

describe('a sub-path', () => {
  it.each([
    ['$(NONE)/$(ALSO)', 'missing value for ALSO, NONE'],
    ['$(EMPTY)', 'missing value for EMPTY'],
    ['$(ROOT)', 'error SubPath `/root` must not be an absolute path'],
    ['a/$(UP)', "unable to provision SubPath `a/..`: must not contain '..'"],
  ])('of %s keeps its container from being created', async (subPathExpr, message) => {
    const rig = await aRig();
    const env = [
      { name: 'ROOT', value: '/root' },
      { name: 'UP', value: '..' },
      { name: 'EMPTY', value: '' },
    ];
    rig.addPod('p', { volumes: scratch, containers: [script('c', 'sleep 100', { ...at('/v', { subPathExpr }), env })] });
    await rig.advance(10_000);
    expect(rig.pod('p')?.status?.containerStatuses?.[0]?.state).toEqual({ waiting: { reason: 'CreateContainerConfigError', message } });
    expect(rig.events.map(({ text }) => text)).toContain(`Warning Failed Error: ${message}`);
  });
});
