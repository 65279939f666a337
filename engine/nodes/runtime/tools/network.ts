/** Tools that talk to others, and the one Perl program that there is. */
import { perlOutput } from '../perl.ts';
import type { SimpleCommand } from '../shell-commands.ts';

const unreachable =
  (program: string): SimpleCommand =>
  (args, _context, { err }) => {
    const url = args.findLast((arg) => !arg.startsWith('-')) ?? '';
    err(`${program}: cannot reach ${url}: containers of this simulation have no network between them yet\n`);
    return { status: program === 'curl' ? 7 : 1 };
  };

const perl: SimpleCommand = (args, _context, { out, err }) => {
  const result = perlOutput(args);
  if (result === undefined) err('perl: only `-Mbignum=bpi -wle "print bpi(N)"` is simulated\n');
  else out(result.text);
  return result === undefined ? { status: 2 } : { status: 0, sleepMs: result.tookMs };
};

export const networkTools: { readonly [name: string]: SimpleCommand } = {
  wget: unreachable('wget'),
  curl: unreachable('curl'),
  nslookup: unreachable('nslookup'),
  ping: unreachable('ping'),
  nc: unreachable('nc'),
  perl,
};
