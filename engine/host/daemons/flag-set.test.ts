import { describe, expect, test } from 'vitest';
import { CommandError } from '../command-error.ts';
import { controllerManagerFlags } from './controller-manager-flags.ts';
import { getRelease } from '../../releases/releases.ts';
import { type DaemonFlag, helpText, parseFlags } from './flag-set.ts';
import { schedulerFlags } from './scheduler-flags.ts';

const parse = (...args: string[]) => parseFlags('kube-controller-manager', controllerManagerFlags(), args);

function refusal(...args: string[]): string {
  try {
    parse(...args);
  } catch (error) {
    expect(error).toBeInstanceOf(CommandError);
    expect((error as CommandError).exitCode).toBe(1);
    return (error as Error).message;
  }
  return '';
}

describe('flags of a daemon', () => {
  test('are given with =, with a blank, as a switch, and with underlines', () => {
    const flags = parse('--secure-port=1', '--bind-address', '127.0.0.1', '--leader-elect=F', '--profiling', '--concurrent_rc_syncs=7', '-v=4');
    expect(flags.number('secure-port')).toBe(1);
    expect(flags.text('bind-address')).toBe('127.0.0.1');
    expect(flags.isOn('leader-elect')).toBe(false);
    expect(flags.isOn('profiling')).toBe(true);
    expect(flags.number('concurrent-rc-syncs')).toBe(7);
    expect(flags.number('v')).toBe(4);
  });

  test('lists add up, other flags are what was said last', () => {
    const flags = parse('--controllers=job', '--controllers=-cronjob,podgc', '--port=1', '--port=2');
    expect(flags.list('controllers')).toEqual(['job', '-cronjob', 'podgc']);
    expect(flags.number('port')).toBe(2);
  });

  // Read from kube-controller-manager 1.36.3.
  test.each([
    [['--bogus'], 'unknown flag: --bogus'],
    [['-z'], "unknown shorthand flag: 'z' in -z"],
    [['--=x'], 'bad flag syntax: --=x'],
    [['--kubeconfig'], 'flag needs an argument: --kubeconfig'],
    [['--secure-port=x'], 'invalid argument "x" for "--secure-port" flag: strconv.ParseInt: parsing "x": invalid syntax'],
    [['--leader-elect=maybe'], 'invalid argument "maybe" for "--leader-elect" flag: strconv.ParseBool: parsing "maybe": invalid syntax'],
    [['--kube-api-qps=abc'], 'invalid argument "abc" for "--kube-api-qps" flag: strconv.ParseFloat: parsing "abc": invalid syntax'],
    [['--bind-address=1.2.3'], 'invalid argument "1.2.3" for "--bind-address" flag: failed to parse IP: "1.2.3"'],
    [['--tls-sni-cert-key=x'], 'invalid argument "x" for "--tls-sni-cert-key" flag: expected comma separated certificate and key file paths'],
    [['--v=x'], 'invalid argument "x" for "-v, --v" flag: strconv.ParseUint: parsing "x": invalid syntax'],
    [
      ['--authentication-token-webhook-cache-ttl=5'],
      'invalid argument "5" for "--authentication-token-webhook-cache-ttl" flag: time: missing unit in duration "5"',
    ],
    [
      ['--kube-api-burst=99999999999'],
      'invalid argument "99999999999" for "--kube-api-burst" flag: strconv.ParseInt: parsing "99999999999": value out of range',
    ],
    [['--vmodule=a=1,b'], 'invalid argument "a=1,b" for "--vmodule" flag: "b" does not have the pattern=N format'],
    [['--vmodule=x=y'], 'invalid argument "x=y" for "--vmodule" flag: parsing verbosity in "x=y": strconv.ParseUint: parsing "y": invalid syntax'],
    [['--tls-curve-preferences=1,x'], 'invalid argument "1,x" for "--tls-curve-preferences" flag: strconv.ParseInt: parsing "x": invalid syntax'],
    [['--version=x'], 'invalid argument "x" for "--version" flag: strconv.ParseBool: parsing "x": invalid syntax'],
    [['--version=v9'], 'invalid argument "v9" for "--version" flag: illegal version string "v9"'],
    [
      ['--log-text-info-buffer-size=x'],
      `invalid argument "x" for "--log-text-info-buffer-size" flag: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
    ],
    [['extra-arg'], '"kube-controller-manager" does not take any arguments, got ["extra-arg"]'],
  ])('%j is refused in the words of upstream', (args, words) => {
    expect(refusal(...args)).toBe(words);
  });

  // concepts.md of the seeds, Authentication and Limits.
  test.each([
    ['bind-address', '0.0.0.0'],
    ['secure-port', '10257'],
    ['port', '10252'],
    ['authentication-token-webhook-cache-ttl', '10s'],
    ['authorization-webhook-cache-authorized-ttl', '10s'],
    ['authorization-webhook-cache-unauthorized-ttl', '10s'],
    ['requestheader-username-headers', 'x-remote-user'],
    ['requestheader-group-headers', 'x-remote-group'],
    ['requestheader-extra-headers-prefix', 'x-remote-extra-'],
    ['kube-api-qps', '20'],
    ['kube-api-burst', '30'],
    ['kube-api-content-type', 'application/vnd.kubernetes.protobuf'],
    ['leader-elect', 'true'],
    ['leader-elect-lease-duration', '15s'],
    ['leader-elect-renew-deadline', '10s'],
    ['leader-elect-retry-period', '2s'],
    ['log-flush-frequency', '5s'],
    ['stderrthreshold', '2'],
    ['concurrent-gc-syncs', '20'],
    ['node-eviction-rate', '0.1'],
  ])("--%s of the controller manager has the seeds' default %s", (name, standard) => {
    expect(parse().text(name)).toBe(standard);
  });

  test.each([
    ['secure-port', '10259'],
    ['port', '10251'],
    ['kube-api-qps', '50'],
    ['kube-api-burst', '100'],
    ['scheduler-name', 'default-scheduler'],
    ['leader-elect', 'true'],
  ])("--%s of the scheduler has the seeds' default %s", (name, standard) => {
    expect(parseFlags('kube-scheduler', schedulerFlags(), []).text(name)).toBe(standard);
  });

  test('defaults that a release decides are those of the release', () => {
    const ofOld = controllerManagerFlags(getRelease('1.13'));
    const standard = (flags: readonly DaemonFlag[], name: string) => flags.find((flag) => flag.name === name)?.default;
    for (const [name, old, present] of [
      ['authorization-always-allow-paths', '/healthz', '/healthz,/readyz,/livez'],
      ['node-monitor-grace-period', '40s', '50s'],
      ['profiling', 'false', 'true'],
    ] as const)
      expect([standard(ofOld, name), standard(controllerManagerFlags(), name)]).toEqual([old, present]);
    expect([standard(schedulerFlags(getRelease('1.13')), 'contention-profiling'), standard(schedulerFlags(), 'contention-profiling')]).toEqual([
      'false',
      'true',
    ]);
    expect([standard(schedulerFlags(getRelease('1.13')), 'profiling'), standard(schedulerFlags(), 'profiling')]).toEqual(['false', 'true']);
  });

  test('the help names each flag once, with its default and what it cannot do', () => {
    for (const flags of [controllerManagerFlags(), schedulerFlags()]) {
      const text = helpText('Usage', flags);
      for (const { name, noEffect } of flags) {
        expect(text, name).toMatch(new RegExp(`^  (-\\w, )?--${name}( \\w+)?$`, 'm'));
        if (noEffect !== undefined) expect(text).toContain(noEffect);
      }
      expect(new Set(flags.map(({ name }) => name)).size).toBe(flags.length);
    }
  });
});
