import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { aPod, sleeper, start } from '../../../test/support/processes.ts';

it('takes and gives archives, as kubectl cp wants them', async () => {
  const made = await aPod(sleeper);
  const give = start(made, ['sh', '-c', 'echo äö > /tmp/a; echo b > /tmp/d; tar cf - /tmp']);
  const take = start(made, ['tar', '-xmf', '-', '-C', '/copy'], { stdin: true });
  take.say(give.out());
  take.endInput();
  expect(take.ended()).toEqual({ type: 'exited', code: 0 });
  expect(start(made, ['cat', '/copy/tmp/a', '/copy/tmp/d']).out()).toBe('äö\nb\n');
  expect(start(made, ['tar', 'cf', '-', '/none']).ended()).toEqual({ type: 'exited', code: 1 });
});

describe('archives', () => {
  const namesIn = async (script: string): Promise<string> => {
    const made = await aPod(sleeper);
    const list = start(made, ['sh', '-c', `mkdir -p /tmp/in/empty; echo a > /tmp/in/a; ${script}`]);
    await made.advance(2_000);
    return list.out();
  };

  it('have the names that were said, below the folder that was said', async () => {
    expect(await namesIn('tar cf - -C /tmp in/a | tar t')).toBe('in/a\n');
    expect(await namesIn('cd /tmp/in; tar -cf - . | tar -tf -')).toBe('./\n./a\n./empty/\n');
    expect(await namesIn('cd /tmp/in/empty; tar cf - ../a 2>/dev/null | tar t')).toBe('a\n');
    expect(await namesIn('tar cf - /tmp/in/a 2>&1 >/dev/null')).toBe("tar: removing leading '/' from member names\n");
    expect(await namesIn('tar cf - -C /none x 2>&1; echo $?')).toBe("tar: can't change directory to '/none': No such file or directory\n1\n");
    expect(await namesIn('tar cf - in/x 2>&1 >/dev/null')).toBe(
      'tar: in/x: No such file or directory\ntar: error exit delayed from previous errors\n',
    );
  });

  it('may be files, of which some members are taken', async () => {
    expect(
      await namesIn('cd /tmp; echo b > in/b; tar cf all.tar in; tar xvf all.tar -C /srv in/b; cat /srv/in/b; ls /srv/in; tar xOf all.tar in/a'),
    ).toBe('in/b\nb\nb\na\n');
    expect(await namesIn('cd /tmp; tar cf all.tar in; rm -r in; tar xf all.tar; ls in; tar tf all.tar in/c 2>&1')).toBe(
      'a\nempty\ntar: in/c: not found in archive\ntar: error exit delayed from previous errors\n',
    );
    expect(await namesIn('tar czf /tmp/all.tgz -C /tmp in; gunzip -c /tmp/all.tgz | tar t | tail -n 1; tar tzf /tmp/all.tgz in/a')).toBe(
      'in/empty/\nin/a\n',
    );
  });

  it('are taken without modes and owners, as kubectl cp --no-preserve has it', async () => {
    const made = await aPod(sleeper);
    const give = start(made, ['sh', '-c', 'echo a > /tmp/a; tar cf - -C /tmp a']);
    const take = start(made, ['tar', '--no-same-permissions', '--no-same-owner', '-xmf', '-', '-C', '/copy'], { stdin: true });
    take.write(give.bytes());
    take.endInput();
    expect(start(made, ['cat', '/copy/a']).out()).toBe('a\n');
  });

  it('keep names that are long, and names of other letters', async () => {
    const long = `${'folder/'.repeat(30)}ä file`;
    expect(await namesIn(`cd /tmp; mkdir -p '${long.slice(0, -7)}'; echo x > '${long}'; tar cf - '${long}' | tar t`)).toBe(`${long}\n`);
  });
});

it('says since when its machine is up', async () => {
  const made = await aPod(sleeper);
  await made.advance(3 * 3_600_000);
  expect(start(made, ['uptime']).out()).toMatch(/^ \d\d:\d\d:\d\d up  3:0\d,  load average: 0\.00, 0\.00, 0\.00\n$/);
  await made.advance(24 * 3_600_000);
  expect(start(made, ['uptime']).out()).toMatch(/ up 1 day,  3:0\d,  load average/);
});

it('packs and unpacks what zlib does', async () => {
  const made = await aPod(sleeper);
  const give = start(made, ['sh', '-c', 'echo -n "This is a test string" | gzip']);
  expect(gunzipSync(give.bytes()).toString()).toBe('This is a test string');
  const take = start(
    made,
    ['sh', '-c', 'cat > /tmp/a.gz; gunzip /tmp/a.gz; cat /tmp/a; ls /tmp; gzip -k /tmp/a; zcat /tmp/a.gz; gunzip -t /etc/hostname 2>&1'],
    { stdin: true },
  );
  take.write(gzipSync('ten times '.repeat(10)));
  take.endInput();
  await made.advance(2_000);
  expect(take.out()).toBe(`${'ten times '.repeat(10)}a\n${'ten times '.repeat(10)}gunzip: invalid magic\n`);
});
