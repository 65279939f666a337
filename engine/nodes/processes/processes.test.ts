import { describe, expect, it } from 'vitest';
import { Random } from '../../base/random.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { madeCluster } from '../../../test/support/cluster.ts';
import { aPod, type Client, pods, sleeper, start } from '../../../test/support/processes.ts';

describe('a command in a container', () => {
  it('answers on two streams, with its exit code', async () => {
    const made = await aPod({ ...sleeper, env: [{ name: 'WHO', value: 'me' }] });
    const echo = start(made, ['sh', '-c', 'echo $WHO; echo no >&2; exit 3']);
    expect([echo.out(), echo.err(), echo.ended()]).toEqual(['me\n', 'no\n', { type: 'exited', code: 3 }]);
    const missing = start(made, ['nosuch']);
    expect(missing.ended()).toEqual({
      type: 'failed',
      message: expect.stringMatching(
        /^failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "nosuch": executable file not found in \$PATH$/,
      ),
    });
  });

  it('takes as long as it takes, and ends with its container', async () => {
    const made = await aPod(sleeper);
    const slow = start(made, ['sh', '-c', 'sleep 5; echo awake']);
    await made.advance(4_000);
    expect(slow.out()).toBe('');
    await made.advance(2_000);
    expect([slow.out(), slow.ended()]).toEqual(['awake\n', { type: 'exited', code: 0 }]);
    const cut = start(made, ['sleep', '1000']);
    made.call('DELETE', `${pods}/p?gracePeriodSeconds=0`);
    await made.advance(40_000);
    expect(cut.ended()).toEqual({ type: 'exited', code: 137 });
    expect(start(made, ['ls']).ended()).toEqual({ type: 'refused', message: 'pod p does not have a host assigned' });
  });

  it('shares files with its container and keeps its output out of the log', async () => {
    const made = await aPod(
      { command: ['sh', '-c', 'while true; do if [ -f /tmp/go ]; then cat /tmp/go; exit 7; fi; sleep 1; done'] },
      { restartPolicy: 'Never' },
    );
    start(made, ['sh', '-c', 'echo quiet; echo ready > /tmp/go']);
    await made.advance(3_000);
    expect(made.call<Pod>('GET', `${pods}/p`).status).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 7 } } }],
    });
    expect(made.cluster.nodes.readLogs('default', 'p', {})).toBe('ready\n');
    expect(start(made, ['ls']).ended()).toEqual({ type: 'refused', message: 'container not found ("c")' });
  });

  it('reads its input until that ends', async () => {
    const made = await aPod(sleeper);
    const cat = start(made, ['sh', '-c', 'cat > /tmp/in; wc -l /tmp/in'], { stdin: true });
    cat.say('a\nb');
    cat.say('\nc\n');
    expect(cat.ended()).toBeUndefined();
    cat.endInput();
    expect([cat.out(), cat.ended()]).toEqual(['3 /tmp/in\n', { type: 'exited', code: 0 }]);
    const reader = start(made, ['sh', '-c', 'while read line || [ -n "$line" ]; do echo "<$line>"; done'], { stdin: true });
    reader.say('x\ny');
    expect(reader.out()).toBe('<x>\n');
    reader.endInput();
    expect(reader.out()).toBe('<x>\n<y>\n');
    const script = start(made, ['sh'], { stdin: true });
    script.say('f() {\n  echo "f"\n}\nf\n');
    script.say('for i in 1 2; do\necho $i\ndone\ncat <<END\nhere\nEND\nfalse\n');
    script.endInput();
    expect([script.out(), script.ended()]).toEqual(['f\n1\n2\nhere\n', { type: 'exited', code: 1 }]);
  });
});

describe('bytes and files', () => {
  it('an archive of bytes that are no text comes back byte by byte', async () => {
    const made = await aPod(sleeper);
    const draw = new Random(1).stream('bytes');
    const bytes = Uint8Array.from({ length: 300_000 }, () => draw.integer(256));
    const put = start(made, ['sh', '-c', 'cat > /tmp/in'], { stdin: true });
    for (let at = 0; at < bytes.length; at += 32_768) put.write(bytes.subarray(at, at + 32_768));
    put.endInput();
    await made.advance(2_000);
    expect(put.ended()).toEqual({ type: 'exited', code: 0 });
    const archive = start(made, ['tar', 'cf', '-', '/tmp/in']);
    await made.advance(2_000);
    const unpack = start(made, ['tar', '-xmf', '-', '-C', '/tmp/there'], { stdin: true });
    unpack.write(archive.bytes());
    unpack.endInput();
    await made.advance(2_000);
    const read = start(made, ['cat', '/tmp/there/tmp/in']);
    await made.advance(2_000);
    expect(read.bytes()).toEqual(bytes);
    expect(start(made, ['wc', '-c', '/tmp/in']).out()).toBe('300000 /tmp/in\n');
  });

  it('what volumes show of the API can be listed, and is as it is now', async () => {
    const volumes = [
      {
        name: 'all',
        projected: {
          sources: [
            { configMap: { name: 'settings' } },
            { secret: { name: 'keys', items: [{ key: 'pw', path: 'deep/pw' }] } },
            { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
          ],
        },
      },
    ];
    const made = await aPod({ ...sleeper, volumeMounts: [{ name: 'all', mountPath: '/all' }] }, { volumes });
    const inDefault = '/api/v1/namespaces/default';
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: 'one' }, binaryData: { b: '/wA=' } };
    made.call('POST', `${inDefault}/configmaps`, map);
    made.call('POST', `${inDefault}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, stringData: { pw: 'x' } });
    await made.advance(150_000);
    expect(start(made, ['ls', '/all']).out()).toBe('a\nb\ndeep\nname\n');
    expect(start(made, ['find', '/all', '-type', 'f']).out()).toBe('/all/a\n/all/b\n/all/deep/pw\n/all/name\n');
    expect(start(made, ['cat', '/all/deep/pw', '/all/name']).out()).toBe('xp');
    expect(start(made, ['cat', '/all/b']).bytes()).toEqual(Uint8Array.of(0xff, 0));
    made.call('PUT', `${inDefault}/configmaps/settings`, { ...map, data: { a: 'two', c: '' } });
    await made.advance(90_000);
    expect([start(made, ['cat', '/all/a']).out(), start(made, ['ls', '/all']).out()]).toEqual(['two', 'a\nb\nc\ndeep\nname\n']);
  });
});

describe('annotations of a pod as a file', () => {
  it('stand in the order of their keys, quoted as Go does', async () => {
    const volumes = [{ name: 'me', downwardAPI: { items: [{ path: 'notes', fieldRef: { fieldPath: 'metadata.annotations' } }] } }];
    const made = await aPod(
      { ...sleeper, volumeMounts: [{ name: 'me', mountPath: '/me' }] },
      { volumes },
      { annotations: { b: 'a "word"\n', a: 'ü\u0001' } },
    );
    expect(start(made, ['cat', '/me/notes']).out()).toBe(['a="ü\\x01"', 'b="a \\"word\\"\\n"'].join('\n'));
  });
});

describe('a client that does not read', () => {
  const endless = ['sh', '-c', 'while true; do echo line; sleep 1; done'];
  const lines = (client: Client): number => client.out().split('line').length - 1;

  it('holds its command before the next step, and lets it go on where it stood', async () => {
    const made = await aPod(sleeper);
    const command = start(made, ['sh', '-c', 'echo one; sleep 5; echo two; exit 3']);
    command.hold(true);
    await made.advance(60_000);
    expect([command.out(), command.ended()]).toEqual(['one\n', undefined]);
    command.hold(false);
    expect([command.out(), command.ended()]).toEqual(['one\ntwo\n', { type: 'exited', code: 3 }]);
  });

  it('holds a container that it has joined, until it reads again or goes; another who has joined it waits too', async () => {
    const made = await aPod({ command: endless });
    const [slow, quick] = [start(made, null), start(made, null)];
    await made.advance(3_000);
    expect(lines(quick)).toBeGreaterThan(1);
    slow.hold(true);
    const before = lines(quick);
    await made.advance(30_000);
    expect([lines(quick), lines(slow)]).toEqual([before, before]);
    slow.end();
    await made.advance(5_000);
    expect(lines(quick)).toBeGreaterThan(before + 3);
    made.call('DELETE', `${pods}/p?gracePeriodSeconds=1`);
    quick.hold(true);
    await made.advance(10_000);
    expect(quick.ended()).toEqual({ type: 'exited', code: 0 });
  });

  it('is remembered, with what it holds', async () => {
    const made = await aPod({ command: endless });
    const [joined, command] = [start(made, null), start(made, endless)];
    joined.hold(true);
    command.hold(true);
    await made.quiet();
    const other = madeCluster({ seed: 5, nodes: 1 });
    other.cluster.restore(JSON.parse(JSON.stringify(made.cluster.save())) as never);
    const logs = made.cluster.nodes.readLogs('default', 'p', {});
    await other.advance(30_000);
    expect(other.cluster.nodes.readLogs('default', 'p', {})).toBe(logs);
    other.door.processes.endAll();
    await other.advance(30_000);
    expect(other.cluster.nodes.readLogs('default', 'p', {}).length).toBeGreaterThan(logs.length);
  });
});

describe('joining a container', () => {
  it('leads to its shell, which waits for somebody and ends with exit', async () => {
    const made = await aPod({ stdin: true, tty: true }, { restartPolicy: 'Never' });
    expect(made.call<Pod>('GET', `${pods}/p`).status?.phase).toBe('Running');
    const first = start(made, null, { stdin: true, tty: true });
    first.say('echo one\r');
    expect(first.out()).toBe('echo one\r\none\r\n/ # ');
    first.end();
    const second = start(made, null, { stdin: true, tty: true });
    second.say('echo two; sleep 2; exit 5\r');
    await made.advance(4_000);
    expect([second.out(), second.ended()]).toEqual(['echo two; sleep 2; exit 5\r\ntwo\r\n', { type: 'exited', code: 0 }]);
    expect(made.call<Pod>('GET', `${pods}/p`).status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(5);
    expect(made.cluster.nodes.readLogs('default', 'p', {})).toContain('one\n');
  });

  it('closes the input of a container with stdinOnce when the first who joined goes', async () => {
    const made = await aPod({ stdin: true, stdinOnce: true, command: ['sh', '-c', 'cat; echo end'] }, { restartPolicy: 'Never' });
    const client = start(made, null, { stdin: true });
    client.say('piped\n');
    client.endInput();
    await made.advance(4_000);
    expect(client.out()).toBe('piped\nend\n');
    expect(made.call<Pod>('GET', `${pods}/p`).status?.phase).toBe('Succeeded');
  });

  it.each([{ stdinOnce: false }, { stdinOnce: true, tty: true }])(
    '%j: the end of what somebody says ends her connection and not the input',
    async (how) => {
      const made = await aPod({ stdin: true, ...how, command: ['sh', '-c', 'cat; echo end'] }, { restartPolicy: 'Never' });
      const first = start(made, null, { stdin: true });
      first.say('one\n');
      first.hold(true);
      first.endInput();
      expect(first.ended()).toEqual({ type: 'exited', code: 0 });
      const second = start(made, null, { stdin: true });
      second.say('two\n');
      await made.advance(4_000);
      expect(second.ended()).toBeUndefined();
      expect(made.cluster.nodes.readLogs('default', 'p', {})).toContain('one\n');
      expect(made.cluster.nodes.readLogs('default', 'p', {})).toContain('two\n');
      expect(made.call<Pod>('GET', `${pods}/p`).status?.phase).toBe('Running');
    },
  );

  it('stdinOnce: input waits for the first who joins, stays closed after it, and is open again after a restart', async () => {
    const made = await aPod({ stdin: true, stdinOnce: true, command: ['sh', '-c', 'cat; echo end; sleep 20'] });
    expect(made.cluster.nodes.readLogs('default', 'p', {})).toBe('');
    const first = start(made, null, { stdin: true });
    first.say('one\n');
    first.endInput();
    await made.advance(2_000);
    const late = start(made, null, { stdin: true });
    late.say('lost\n');
    await made.advance(2_000);
    expect(made.cluster.nodes.readLogs('default', 'p', {})).toBe('one\nend\n');
    await made.advance(40_000);
    const next = start(made, null, { stdin: true });
    next.say('two\n');
    next.endInput();
    await made.advance(2_000);
    expect(made.call<Pod>('GET', `${pods}/p`).status?.containerStatuses?.[0]?.restartCount).toBe(1);
    expect(made.cluster.nodes.readLogs('default', 'p', {})).toBe('two\nend\n');
  });

  it('tty: a terminal echoes and ends lines as terminals do; without one nothing is added', async () => {
    const command = ['sh', '-c', 'read x; echo got $x; sleep 100'];
    const withTerminal = await aPod({ stdin: true, tty: true, command });
    const terminal = start(withTerminal, null, { stdin: true, tty: true });
    terminal.say('hi\r');
    expect(terminal.out()).toBe('hi\r\ngot hi\r\n');
    const plain = await aPod({ stdin: true, command });
    const joined = start(plain, null, { stdin: true });
    joined.say('hi\n');
    expect(joined.out()).toBe('got hi\n');
  });

  it('shows what a server logs from now on', async () => {
    const made = await aPod({ image: 'busybox', command: ['sh', '-c', 'while true; do date +%s >/dev/null; echo tick; sleep 10; done'] });
    const client = start(made, null);
    expect(client.out()).toBe('');
    await made.advance(21_000);
    expect(client.out()).toBe('tick\ntick\n');
  });
});

it('goes on in a cluster that was saved in its midst, with the same history', async () => {
  const made = await aPod(sleeper);
  const shell = start(made, ['sh'], { stdin: true, tty: true });
  shell.say('f() { echo late > /tmp/x; }\rsleep 30; f\recho ');
  await made.advance(5_000);
  await made.quiet();
  const saved: unknown = JSON.parse(JSON.stringify(made.cluster.save()));
  const other = madeCluster({ seed: 5, nodes: 1 });
  other.cluster.restore(saved as never);
  for (const one of [made, other]) await one.advance(60_000);
  expect(start(other, ['cat', '/tmp/x']).out()).toBe('late\n');
  expect(start(made, ['cat', '/tmp/x']).out()).toBe('late\n');
  expect(other.cluster.digest).toBe(made.cluster.digest);
});
