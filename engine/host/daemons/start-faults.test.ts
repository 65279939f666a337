import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuthority } from '../../serving/certificates.ts';
import { CommandError } from '../command-error.ts';
import { mustGetRelease } from '../../releases/releases.ts';
import { controllerManager } from './controller-manager.ts';
import { controllerManagerFlags } from './controller-manager-flags.ts';
import { readCommandLine } from './daemon.ts';
import { type FlagValues, parseFlags } from './flag-set.ts';
import { schedulerDaemon } from './scheduler.ts';
import { certificatesOf, rootCaOf, tokenSecretsOf } from './signing-keys.ts';
import { mustBegin } from './start-faults.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wavetank-start-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const release = mustGetRelease('1.13');

function flags(...args: readonly string[]): FlagValues {
  return parseFlags('kube-controller-manager', controllerManagerFlags(release), args, 'old');
}

/** What a controller manager that was told so ends with. */
function endOf(begin: () => unknown): readonly [code: number, words: string] | undefined {
  try {
    begin();
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [error.exitCode, error.message.replaceAll(folder, '')];
  }
}

function begin(...args: readonly string[]): () => void {
  const given = flags(...args);
  return () => {
    mustBegin(given);
    tokenSecretsOf(given);
    rootCaOf(given, '');
    certificatesOf(given);
  };
}

/** Of our own beginning, before anybody is spoken to. */
function line(...args: readonly string[]): () => unknown {
  return () => readCommandLine(controllerManager, ['--emulate=1.13', '--master=http://127.0.0.1:1', ...args]);
}

const starting = 'error starting controllers: ';
const signing = `${starting}failed to start certificate controller: `;
const tokens = `${starting}error reading key for service account token controller: `;

// Read from kube-controller-manager 1.13.12 before its API server.
describe('a controller manager of release 1.13 breaks off', () => {
  it.each<[readonly string[], string]>([
    [['--cluster-signing-cert-file=/nope'], `${signing}error reading CA cert file "/nope": open /nope: no such file or directory`],
    [
      ['--cluster-signing-key-file=/nope'],
      `${signing}error reading CA cert file "/etc/kubernetes/ca/ca.pem": open /etc/kubernetes/ca/ca.pem: no such file or directory`,
    ],
    [['--service-account-private-key-file=/nope'], `${tokens}open /nope: no such file or directory`],
    [
      ['--pv-recycler-pod-template-filepath-nfs=/nope'],
      'Could not create NFS recycler pod from file /nope: failed to read file path /nope: open /nope: no such file or directory',
    ],
    [
      ['--allocate-node-cidrs=true', '--cluster-cidr=10.0.0.0/25'],
      'Controller: Invalid --cluster-cidr, mask size of cluster CIDR must be less than --node-cidr-mask-size',
    ],
  ])('at %j', (args, words) => {
    expect(endOf(begin(...args))).toEqual([255, words]);
  });

  it('at files that are not what they are to be', () => {
    const { certificatePem, keyPem } = createAuthority('a');
    const [cert, key, garbage] = [file('a.crt', certificatePem), file('a.key', keyPem), file('garbage', 'hello\n')];
    const bad = file('bad', '-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n');
    const pair = (one: string, other: string): (() => void) => begin(`--cluster-signing-cert-file=${one}`, `--cluster-signing-key-file=${other}`);
    expect(endOf(pair(cert, key))).toBeUndefined();
    expect(endOf(pair(garbage, key))).toEqual([
      255,
      `${signing}error parsing CA cert file "/garbage": {"code":1002,"message":"Failed to decode certificate"}`,
    ]);
    expect(endOf(pair(bad, key))).toEqual([
      255,
      `${signing}error parsing CA cert file "/bad": {"code":1003,"message":"Failed to parse certificate"}`,
    ]);
    expect(endOf(pair(cert, garbage))).toEqual([255, `${signing}Malformed private key {"code":2002,"message":"Failed to decode private key"}`]);
    expect(endOf(begin(`--service-account-private-key-file=${garbage}`))).toEqual([
      255,
      `${tokens}error reading private key file /garbage: data does not contain a valid RSA or ECDSA private key`,
    ]);
    expect(endOf(begin(`--service-account-private-key-file=${key}`, `--root-ca-file=${garbage}`))).toEqual([
      255,
      `${starting}error parsing root-ca-file at /garbage: data does not contain any valid RSA or ECDSA certificates`,
    ]);
    const template = file('pod.yaml', 'kind: Pod\nmetadata: {name: r}\nspec: {}\n');
    expect(endOf(begin(`--pv-recycler-pod-template-filepath-hostpath=${template}`))).toEqual([
      255,
      'Could not create hostpath recycler pod from file /pod.yaml: Pod specification (/pod.yaml): does not contain any volume(s)',
    ]);
  });

  it.each<[readonly string[], readonly [number, string]]>([
    [
      ['--attach-detach-reconcile-sync-period=999ms'],
      [255, `${starting}Duration time must be greater than one second as set via command line option reconcile-sync-loop-period.`],
    ],
    [['--cloud-provider=nope'], [255, 'error building controller context: cloud provider could not be initialized: unknown cloud provider "nope"']],
    [
      ['--allocate-node-cidrs=true', '--cluster-cidr=x'],
      [255, 'Controller: Must specify --cluster-cidr if --allocate-node-cidrs is set'],
    ],
    [['--leader-elect-resource-lock=nope'], [255, 'error creating lock: Invalid lock-type nope']],
    [['--kube-api-content-type=nope'], [1, 'no serializers registered for nope']],
  ])('at %j', (args, end) => {
    expect(endOf(line(...args))).toEqual(end);
  });

  it('not at what nobody reads', () => {
    expect(endOf(begin('--root-ca-file=/nope'))).toBeUndefined();
    expect(endOf(begin('--cluster-signing-cert-file=', '--cluster-signing-key-file=/nope'))).toBeUndefined();
    expect(endOf(begin('--controllers=*,-csrsigning', '--cluster-signing-cert-file=/nope', '--cluster-signing-key-file=/nope'))).toBeUndefined();
    expect(endOf(begin('--controllers=*,-serviceaccount-token', '--service-account-private-key-file=/nope'))).toBeUndefined();
    expect(endOf(line('--kube-api-burst=0'))).toBeUndefined();
  });

  it('a scheduler does so with 1', () => {
    const scheduler = (): unknown =>
      readCommandLine(schedulerDaemon, ['--emulate=1.13', '--master=http://127.0.0.1:1', '--kube-api-content-type=nope']);
    expect(endOf(scheduler)).toEqual([1, 'no serializers registered for nope']);
  });
});
