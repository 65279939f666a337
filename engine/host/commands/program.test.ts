/** What a command line means, as people write it for upstream's programs. */
import { expect, it } from 'vitest';
import { readAuthentication } from './authentication-options.ts';
import { parseUp } from './program.ts';

it.each<[readonly string[], boolean]>([
  [[], false],
  [['--enable-bootstrap-token-auth'], true],
  [['--enable-bootstrap-token-auth', '--nodes', '1'], true],
  [['--enable-bootstrap-token-auth=false'], false],
  [['--enable-bootstrap-token-auth=true'], true],
])('what is true or false is true when it is only named: %j', (argv, isOn) => {
  expect(readAuthentication(parseUp(argv)).bootstrapTokens).toBe(isOn);
});
