/** What containers of upstream's test image say of their files: the sentences that its conformance tests look for. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { configMaps, secrets } from '../../client/resources.ts';
import type { PodAnswer } from '../../contracts/connect.ts';
import { Rig } from '../testing/rig.ts';

const image = 'registry.k8s.io/e2e-test-images/agnhost:2.56';

async function run(args: readonly string[], pod: JsonObject, container: JsonObject = {}): Promise<{ logs: readonly string[]; exitCode: unknown }> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.add(configMaps, { metadata: { name: 'map', namespace: 'default' }, data: { one: 'value-1' } } as never);
  rig.add(secrets, { metadata: { name: 'key', namespace: 'default' }, data: { one: 'dmFsdWUtMg==' } } as never);
  rig.addPod('p', { restartPolicy: 'Never', containers: [{ name: 'c', image, args: [...args], ...container }], ...pod });
  await rig.advance(20_000);
  return { logs: rig.logs, exitCode: rig.pod('p')?.status?.containerStatuses?.[0]?.state?.terminated?.exitCode };
}

const mount = (volume: JsonObject, securityContext: JsonObject = {}): readonly [JsonObject, JsonObject] => [
  { securityContext, volumes: [{ name: 'v', ...volume }] },
  { resources: { limits: { cpu: '1250m' } }, volumeMounts: [{ name: 'v', mountPath: '/v' }] },
];

const cases: readonly { name: string; args: readonly string[]; at: readonly [JsonObject, JsonObject]; logs: readonly string[]; exitCode?: number }[] =
  [
    {
      name: 'a ConfigMap with the mode of its volume',
      args: ['--file_mode=/v/one', '--file_content=/v/one'],
      at: mount({ configMap: { name: 'map', defaultMode: 0o400 } }),
      logs: ['mode of file "/v/one": -r--------', 'content of file "/v/one": value-1'],
    },
    {
      name: 'a Secret with the mode of its item, which the group of the pod may read',
      args: ['--file_mode', '/v/to/it', '--file_owner', '/v/to/it', '--file_content', '/v/to/it'],
      at: mount({ secret: { secretName: 'key', items: [{ key: 'one', path: 'to/it', mode: 0o400 }] } }, { fsGroup: 1001 }),
      logs: [
        'mode of file "/v/to/it": -r--r-----',
        'owner UID of "/v/to/it": 0',
        'owner GID of "/v/to/it": 1001',
        'content of file "/v/to/it": value-2',
      ],
    },
    {
      name: 'resources of a container in a volume, in units of their divisor',
      args: ['--file_content=/v/cpu'],
      at: mount({ downwardAPI: { items: [{ path: 'cpu', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', divisor: '1m' } }] } }),
      logs: ['content of file "/v/cpu": 1250'],
    },
    {
      name: 'a new file in an empty folder in memory, in the order of the steps',
      args: ['--file_perm=/v/new', '--new_file_0660=/v/new', '--fs_type=/v'],
      at: mount({ emptyDir: { medium: 'Memory' } }),
      logs: ['mount type of "/v": tmpfs', 'content of file "/v/new": mount-tester new file', 'perms of file "/v/new": -rw-rw----'],
    },
    {
      name: 'a file that is mounted over one of the system',
      args: ['--file_content=/etc/hostname'],
      at: [{ volumes: [{ name: 'v', configMap: { name: 'map' } }] }, { volumeMounts: [{ name: 'v', mountPath: '/etc/hostname', subPath: 'one' }] }],
      logs: ['content of file "/etc/hostname": value-1'],
    },
    {
      name: 'a folder of a volume that is there because it is mounted elsewhere',
      args: ['--file_perm=/v/below'],
      at: [
        { volumes: [{ name: 'v', emptyDir: {} }] },
        {
          volumeMounts: [
            { name: 'v', mountPath: '/v' },
            { name: 'v', mountPath: '/logs', subPathExpr: '$(PLACE)' },
          ],
          env: [{ name: 'PLACE', value: 'below' }],
        },
      ],
      logs: ['perms of file "/v/below": -rwxrwxrwx'],
    },
    {
      name: 'a folder, by its permissions alone',
      args: ['--file_perm=/v'],
      at: mount({ emptyDir: {} }),
      logs: ['perms of file "/v": -rwxrwxrwx'],
    },
    {
      name: 'what is not there fails',
      args: ["--file_content=/v/it's", '--file_mode=/v/none'],
      at: mount({ emptyDir: {} }),
      logs: [
        'error from Stat("/v/none"): stat /v/none: no such file or directory',
        'error reading file content for "/v/it\'s": open /v/it\'s: no such file or directory',
      ],
      exitCode: 1,
    },
    {
      name: 'again and again for a while',
      args: ['--file_content_in_loop=/v/one', '--retry_time=4', '--break_on_expected_content=false'],
      at: mount({ configMap: { name: 'map' } }),
      logs: ['content of file "/v/one": value-1', 'content of file "/v/one": value-1'],
    },
  ];

for (const { name, args, at, logs, exitCode = 0 } of cases) {
  it(`mounttest: ${name}`, async () => {
    const result = await run(['mounttest', ...args], ...at);
    expect(result.logs.filter((line) => line !== '')).toEqual(logs);
    expect(result.exitCode).toBe(exitCode);
  });
}

it('entrypoint-tester says how it was called, and logs-generator spreads its lines over the time', async () => {
  expect((await run([], {}, { command: ['/agnhost-2', 'entrypoint-tester', 'a'] })).logs).toEqual(['[/agnhost-2 entrypoint-tester a]']);
  const { logs, exitCode } = await run(['logs-generator', '--log-lines-total', '20', '--run-duration', '4s'], {});
  expect([logs.length, exitCode]).toEqual([20, 0]);
  expect(logs[19]).toMatch(/ 19 GET \/api\/v1\/namespaces\/kube-system\/pods\/pod19 200$/);
  expect((await run(['logs-generator', '--run-duration', '4s'], {})).exitCode).toBe(255);
});

describe('netexec', () => {
  it.each([
    [[], 8080],
    [['--http-port=80'], 80],
    [['--http-port', '8443', '--udp-port=-1'], 8443],
  ] as const)('started with %j serves at %d alone', async (args, port) => {
    const rig = await serving(['netexec', ...args]);
    expect(rig.logs[0]).toBe(`Started HTTP server on port ${port}`);
    expect(at(rig, port, '/serverport').body).toBe(String(port));
    expect(rig.nodes.serverAt('default', 'p', 81)).toMatch(/./);
  });

  it.each([
    ['/', 200, /^NOW: 20/],
    ['/nothing/known', 200, /^NOW: 20/],
    ['/healthz', 200, /^/],
    ['/readyz', 200, /^ok$/],
    ['/hostname', 200, /^p$/],
    ['/echo?msg=a%20b', 200, /^a b$/],
    ['/echo?msg=no&code=418', 418, /^no$/],
    ['/echo?code=x', 200, /^argument 'code' must be an integer or empty, got "x"\n$/],
    ['/redirect?location=%2Fecho', 302, /href="\/echo"/],
  ])('answers %s', async (path, status, body) => {
    const found = at(await serving(['netexec']), 8080, path);
    expect([found.status, found.body]).toEqual([status, expect.stringMatching(body)]);
  });
});

async function serving(args: readonly string[]): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.addPod('p', { containers: [{ name: 'c', image, args: [...args] }] });
  await rig.advance(5_000);
  return rig;
}

function at(rig: Rig, port: number, path: string): PodAnswer {
  const server = rig.nodes.serverAt('default', 'p', port);
  if (server === undefined || typeof server === 'string') return expect.unreachable(server ?? 'no pod');
  return server.answer({ method: 'GET', path, body: '' });
}
