/** What a container finds in its small system: who it is, what it may write, which files its image and its machine bring. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { configMaps } from '../../client/resources.ts';
import { Rig } from '../testing/rig.ts';

const image = 'registry.k8s.io/e2e-test-images/agnhost:2.53';

async function aRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.clear();
  return rig;
}

/** What a shell in a container writes until it ends. */
async function said(script: string, container: JsonObject = {}, spec: JsonObject = {}, rig?: Rig): Promise<readonly string[]> {
  const used = rig ?? (await aRig());
  const command = ['/bin/sh', '-c', script];
  used.addPod('p', { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command, ...container }], ...spec });
  await used.advance(20_000);
  return used.logs;
}

describe('a container', () => {
  it('is the user that its pod asks for', async () => {
    const own = { securityContext: { runAsUser: 1002, runAsGroup: 3000 } };
    const ofPod = { securityContext: { runAsUser: 1001, supplementalGroups: [2000] } };
    expect(await said('id; id -u; whoami', own, ofPod)).toEqual(['uid=1002 gid=3000 groups=3000,2000', '1002', 'whoami: unknown uid 1002']);
    expect(await said('id; whoami')).toEqual(['uid=0(root) gid=0(root) groups=0(root)', 'root']);
    expect(await said('id -un', { securityContext: { runAsUser: 65_534 } })).toEqual(['nobody']);
  });

  it('writes nothing where its file system or a mount is read-only', async () => {
    const script = 'echo test > /file; touch /ro/a; mkdir /map/b; echo yes > /rw/c && cat /rw/c; echo hm > /dev/null; cp /rw/c /etc/c';
    const mount = (name: string, readOnly: boolean): JsonObject => ({ name, mountPath: `/${name}`, readOnly });
    const container = {
      securityContext: { readOnlyRootFilesystem: true },
      volumeMounts: [mount('ro', true), mount('rw', false), mount('map', false)],
    };
    const volumes = [
      { name: 'ro', emptyDir: {} },
      { name: 'rw', emptyDir: {} },
      { name: 'map', downwardAPI: { items: [] } },
    ];
    expect(await said(script, container, { volumes })).toEqual([
      "/bin/sh: can't create /file: Read-only file system",
      'touch: /ro/a: Read-only file system',
      "mkdir: can't create directory '/map/b': Read-only file system",
      'yes',
      "cp: can't create '/etc/c': Read-only file system",
    ]);
  });

  it('finds the files of its image, moves them, and finds them again when it starts anew', async () => {
    const rig = await aRig();
    const readinessProbe = { httpGet: { path: '/localhost.crt', port: 80 }, periodSeconds: 1, failureThreshold: 1 };
    rig.addPod('p', { containers: [{ name: 'c', image, args: ['test-webserver'], readinessProbe }] });
    await rig.advance(20_000);
    const isReady = (): boolean | undefined => rig.pod('p')?.status?.containerStatuses?.[0]?.ready;
    const run = (command: string): void => {
      const target = { namespace: 'default', pod: 'p', container: 'c', stdin: false, stdout: true, stderr: true, tty: false };
      rig.nodes.openProcess(1, { ...target, command: ['sh', '-c', command] }, { onOutput: () => undefined, onEnd: () => undefined });
    };
    expect(isReady()).toBe(true);
    run('mv -v /localhost.crt /tmp/ || true');
    await rig.advance(5_000);
    expect(isReady()).toBe(false);
    run('mv -v /tmp/localhost.crt / || true');
    await rig.advance(5_000);
    expect(isReady()).toBe(true);
  });

  it('has the hosts and the resolver that its pod asks for', async () => {
    const hostAliases = [{ ip: '123.45.67.89', hostnames: ['foo', 'bar'] }];
    const hosts = await said('cat /etc/hosts', {}, { hostAliases });
    expect(hosts[0]).toBe('# Kubernetes-managed hosts file.');
    expect(hosts.slice(-3)).toEqual(['', '# Entries added by HostAliases.', '123.45.67.89\tfoo\tbar']);
    const dnsConfig = { nameservers: ['1.1.1.1'], searches: ['a.example', 'b.example'], options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }] };
    expect(await said('cat /etc/resolv.conf', {}, { dnsPolicy: 'None', dnsConfig })).toEqual([
      'search a.example b.example',
      'nameserver 1.1.1.1',
      'options ndots:2 edns0',
    ]);
    const both = await said('cat /etc/resolv.conf', {}, { dnsConfig });
    expect(both).toContain('nameserver 10.96.0.10');
    expect(both.at(-1)).toBe('options ndots:2 edns0');
    const agnhost = { image, command: ['/agnhost', 'dns-suffix'] };
    expect(await said('', agnhost, { dnsPolicy: 'None', dnsConfig })).toEqual(['a.example,b.example']);
    const ofMachine = { volumeMounts: [{ name: 'h', mountPath: '/etc/hosts-original' }] };
    const volumes = [{ name: 'h', hostPath: { path: '/etc/hosts', type: 'File' } }];
    expect((await said('cat /etc/hosts-original', ofMachine, { volumes }))[0]).toBe('127.0.0.1\tlocalhost');
    expect((await said('cat /etc/hosts', {}, { hostNetwork: true }))[0]).toBe('# Kubernetes-managed hosts file (host network).');
  });

  it('counts, cuts and shows what is no text', async () => {
    const rig = await aRig();
    rig.add(configMaps, { metadata: { name: 'm', namespace: 'default' }, binaryData: { 'dump.bin': '3sr+utD+/w==' } });
    const container = { volumeMounts: [{ name: 'm', mountPath: '/m' }] };
    const volumes = [{ name: 'm', configMap: { name: 'm' } }];
    const script = "hexdump -C /m/dump.bin; echo 'a b' > /f; wc -l /f; wc -l /f | awk {'print $1'}; echo a:b | awk -F: '{print $2, $1}'";
    expect(await said(script, container, { volumes }, rig)).toEqual([
      '00000000  de ca fe ba d0 fe ff                              |.......|',
      '00000007',
      '1 /f',
      '1',
      'b a',
    ]);
  });

  it('ends its log as it did, with or without a newline', async () => {
    const rig = await aRig();
    const container = { terminationMessagePolicy: 'FallbackToLogsOnError' };
    await said('echo one; echo -n DONE; exit 1', container, {}, rig);
    expect(rig.nodes.readLogs('default', 'p', {})).toBe('one\nDONE');
    expect(rig.pod('p')?.status?.containerStatuses?.[0]?.state?.terminated?.message).toBe('one\nDONE');
  });

  it('leaves what it writes below a path of its machine there, for others on it and for nobody else', async () => {
    const rig = new Rig();
    await rig.startPool({ count: 2 });
    rig.clear();
    const volumes = [{ name: 'h', hostPath: { path: '/tmp/shared' } }];
    const command = ['sh', '-c', 'if [ -r /data/foo ]; then echo "found $(cat /data/foo)"; else echo mine > /data/foo; echo new; fi'];
    const spec = {
      restartPolicy: 'Never',
      volumes,
      containers: [{ name: 'c', image: 'busybox', command, volumeMounts: [{ name: 'h', mountPath: '/data' }] }],
    };
    for (const [name, node] of [
      ['a', 'pool-0'],
      ['b', 'pool-0'],
      ['c', 'pool-1'],
    ] as const) {
      rig.addPod(name, spec, node);
      await rig.advance(10_000);
      rig.deletePod(name, 0);
      await rig.advance(5_000);
    }
    expect(rig.logs).toEqual(['new', 'found mine', 'new']);
  });

  it.each([
    [{ runAsUser: 1000 }, '600 1000 0'],
    [{ fsGroup: 10_000 }, '640 0 10000'],
    [{ runAsUser: 1000, fsGroup: 10_000 }, '640 1000 10000'],
    [{}, '644 0 0'],
  ])('is the owner of its token where its pod asks for %j', async (securityContext, wanted) => {
    const sources = [{ serviceAccountToken: { path: 'token', expirationSeconds: 3600 } }];
    const volumes = [{ name: 't', projected: { sources } }];
    const container = { volumeMounts: [{ name: 't', mountPath: '/t' }] };
    expect(await said("stat -c '%a %u %g' /t/token", container, { volumes, securityContext })).toEqual([wanted]);
  });

  it('shows an image that is mounted as a volume', async () => {
    const volumes = [{ name: 'i', image: { reference: 'registry.k8s.io/e2e-test-images/kitten:1.8', pullPolicy: 'Always' } }];
    const container = { volumeMounts: [{ name: 'i', mountPath: '/volume' }] };
    const found = await said('cat /volume/data.json; cat /volume/etc/os-release; ls /volume', container, { volumes });
    expect(found.join('\n')).toMatch(/kitten\.jpg[^]*Alpine Linux[^]*data\.json\netc$/);
  });
});
