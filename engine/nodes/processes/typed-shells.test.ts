import { describe, expect, it } from 'vitest';
import { aPod, sleeper, start } from '../../../test/support/processes.ts';

describe('a shell on a terminal', () => {
  it('knows the size of its terminal, as it is now', async () => {
    const made = await aPod(sleeper);
    const shell = start(made, ['sh'], { stdin: true, tty: true });
    shell.resize(101, 33);
    shell.say('stty size\r');
    shell.resize(80, 24);
    shell.say('stty size\rtty\r');
    expect(shell.out().match(/[0-9]+ [0-9]+/g)).toEqual(['33 101', '24 80']);
    expect(shell.out()).toContain('/dev/pts/0');
    const plain = start(made, ['stty', 'size']);
    expect([plain.err(), plain.ended()]).toEqual(['stty: standard input: Inappropriate ioctl for device\n', { type: 'exited', code: 1 }]);
  });

  it('cat answers each line as it comes', async () => {
    const made = await aPod(sleeper);
    const cat = start(made, ['cat'], { stdin: true, tty: true });
    cat.say('one\r');
    expect(cat.out()).toBe('one\r\none\r\n');
    cat.say('zwölf\r');
    cat.say('\u0004');
    expect([cat.out(), cat.ended()]).toEqual(['one\r\none\r\nzwölf\r\nzwölf\r\n', { type: 'exited', code: 0 }]);
  });

  it('prompts, echoes what is typed and lets it be edited', async () => {
    const made = await aPod(sleeper);
    const shell = start(made, ['sh'], { stdin: true, tty: true });
    expect(shell.out()).toBe('/ # ');
    shell.resize(80, 24);
    shell.say('ecko\u007f\u007fho hi\r');
    expect(shell.out()).toBe('/ # ecko\b \b\b \bho hi\r\nhi\r\n/ # ');
    shell.say('cd /tmp; f() { echo f; }\rf; nosuch\r');
    expect(shell.out()).toMatch(/\/tmp # f; nosuch\r\nf\r\nsh: nosuch: not found\r\n\/tmp # $/);
    shell.say('if true\rthen echo yes\rfi\r');
    expect(shell.out()).toMatch(/> then echo yes\r\n> fi\r\nyes\r\n\/tmp # $/);
    shell.say('exit 4\r');
    expect(shell.ended()).toEqual({ type: 'exited', code: 4 });
  });

  it('gives up on ^C and ends on ^D', async () => {
    const made = await aPod(sleeper);
    const shell = start(made, ['bash'], { stdin: true, tty: true });
    shell.say('sleep 100\r');
    await made.advance(1_000);
    shell.say('\u0003');
    expect(shell.out()).toBe('root@p:/# sleep 100\r\n^C\r\nroot@p:/# ');
    shell.say('echo $?\rcat\rtyped\r\u0003\u001b[A');
    expect(shell.out()).toMatch(/130\r\nroot@p:\/# cat\r\ntyped\r\ntyped\r\n\^C\r\nroot@p:\/# $/);
    shell.say('\u0004');
    expect([shell.out().slice(-6), shell.ended()]).toEqual(['exit\r\n', { type: 'exited', code: 130 }]);
  });
});

it('a container finds its own address and its whole name', async () => {
  const made = await aPod(sleeper, { hostname: 'db', subdomain: 'set' });
  const shell = start(made, ['sh', '-c', 'hostname; hostname -i; hostname -f; hostname -d']);
  expect(shell.out()).toMatch(/^db\n10\.244\.\d+\.\d+\ndb\.set\.default\.svc\.cluster\.local\nset\.default\.svc\.cluster\.local\n$/);
});

describe('a shell in a shell', () => {
  const typing = { stdin: true, tty: true };

  it.each([
    { client: 'k9s', script: 'command -v bash >/dev/null && exec bash || exec sh', prompt: 'root@p:/# ' },
    { client: 'Lens', script: 'clear; (bash || ash || sh)', prompt: 'root@p:/# ' },
    { client: 'a dashboard', script: '[ -e /bin/zsh ] && exec /bin/zsh; /bin/sh', prompt: '/ # ' },
  ])('is what $client asks for: it prompts and answers each command', async ({ script, prompt }) => {
    const made = await aPod(sleeper);
    const shell = start(made, ['sh', '-c', script], typing);
    expect(shell.out().endsWith(prompt)).toBe(true);
    shell.say('A=1; echo $A-$0\r');
    expect(shell.out()).toMatch(/\r\n1-(bash|sh)\r\n/);
    expect(shell.out().endsWith(prompt)).toBe(true);
    shell.say('exit\r');
    expect(shell.ended()).toEqual({ type: 'exited', code: 0 });
  });

  it('leaves the outer one as it was, by exit or ^D; ^C gives up a command of the inner one', async () => {
    const made = await aPod(sleeper);
    const shell = start(made, ['sh'], typing);
    const shown = (typed: string): string => {
      const before = shell.out().length;
      shell.say(typed);
      return shell.out().slice(before);
    };
    shown('A=outer; cd /tmp\r');
    expect(shown('bash\r')).toBe('bash\r\nroot@p:/tmp# ');
    expect(shown('echo "<$A>"; A=inner; cd /\r')).toBe('echo "<$A>"; A=inner; cd /\r\n<>\r\nroot@p:/# ');
    shown('for i in 1 2; do sleep 100; done\r');
    await made.advance(1_000);
    expect(shown('\u0003')).toBe('^C\r\nroot@p:/# ');
    expect(shown('echo ${nosuch?no}; echo on\r')).toMatch(/nosuch: no\r\nroot@p:\/# $/);
    shown('false\r');
    expect(shown('\u0004')).toBe('exit\r\n/tmp # ');
    expect(shown('echo $? $A; for i in a b; do sh; done\r')).toMatch(/\r\n1 outer\r\n\/tmp # $/);
    expect(shown('exit 4\r')).toBe('exit 4\r\n/tmp # ');
    expect(shown('\u0004')).toBe('/tmp # ');
    expect(shown('cat\r\u0004')).toBe('cat\r\n/tmp # ');
    expect(shown('bash\r')).toMatch(/# $/);
    expect(shown('exit 5\r')).toBe('exit 5\r\nexit\r\n/tmp # ');
    expect(shown('echo $?\r')).toBe('echo $?\r\n5\r\n/tmp # ');
    shell.say('\u0004');
    expect(shell.ended()).toEqual({ type: 'exited', code: 0 });
  });

  it('of a loop goes on with the loop when a command in it was given up', async () => {
    const made = await aPod(sleeper);
    const shell = start(made, ['sh', '-c', 'for i in a b; do export i; sh; done; echo "<$i>"'], typing);
    shell.say('echo $i; for j in 1 2; do sleep 100; done\r');
    await made.advance(1_000);
    shell.say('\u0003exit\recho $i; exit\r');
    expect(shell.out()).toMatch(/\r\na\r\n\^C\r\n[^]*exit\r\n[^]*\r\nb\r\n<b>\r\n$/);
    expect(shell.ended()).toEqual({ type: 'exited', code: 0 });
  });

  it('without a terminal takes its commands as they come; what is redirected is read whole', async () => {
    const made = await aPod(sleeper);
    const shell = start(made, ['sh', '-c', 'sh; echo "<$?>"'], { stdin: true });
    shell.say('echo one\n');
    expect(shell.out()).toBe('one\n');
    shell.say('sh <<END\necho two\nfalse\nEND\necho $?; echo exit 7 | sh; echo $?\n');
    shell.endInput();
    expect([shell.out(), shell.ended()]).toEqual(['one\ntwo\n1\n7\n<0>\n', { type: 'exited', code: 0 }]);
  });

  it('keeps what exec redirected when a command is given up', async () => {
    const made = await aPod(sleeper);
    const shell = start(made, ['sh'], typing);
    shell.say('exec 2>/tmp/err; bash\r');
    shell.say('exit\r{ sleep 100; } >/tmp/out\r');
    await made.advance(1_000);
    shell.say('\u0003nosuch; echo shown; cat /tmp/err\r');
    expect(shell.out()).toMatch(/shown\r\nexit\r\nsh: nosuch: not found\r\n\/ # $/);
  });
});
