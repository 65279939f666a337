/** What a command line means, as people write it for upstream's programs. */
import { expect, it } from 'vitest';
import { flags } from '../../cluster/flags.ts';
import { startAudit } from './audit-options.ts';
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

it.each<[readonly string[], boolean]>([
  [[], true],
  [['--anonymous-auth=false'], false],
  [['--authorization-mode', 'Node,RBAC'], true],
  // As upstream, which says so in its log.
  [['--authorization-mode', 'RBAC, AlwaysAllow'], false],
  [['--authorization-mode=AlwaysAllow', '--anonymous-auth'], false],
])('%j lets anonymous requests in: %j', (argv, isEnabled) => {
  expect(readAuthentication(parseUp(argv)).anonymous).toEqual({ isEnabled });
});

it('AuditSinks take the option and the gate', () => {
  const given = parseUp(['--audit-dynamic-configuration']);
  expect(() => startAudit(given, () => undefined)).toThrow('--audit-dynamic-configuration set, but DynamicAuditing feature gate is not enabled');
  expect(startAudit(given, () => undefined, true)?.options.openSink).toBeTypeOf('function');
  expect(startAudit(parseUp([]), () => undefined, true)).toBeUndefined();
});

it('an option that changes nothing says why', () => {
  const idle = flags.filter(({ idle: why }) => why !== undefined);
  expect(idle).toHaveLength(13);
  expect(idle.filter(({ idle: why = '' }) => why.length < 20 || why.includes('yet'))).toEqual([]);
});
