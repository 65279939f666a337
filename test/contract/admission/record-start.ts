/**
 * Records what a real API server says that does not start with a configuration: `node build/with-node.mjs test/contract/admission/record-start.ts
 * PEERS ETCD FOLDER [WORDS]`; PEERS as for ../shared/peers/control-plane.sh, ETCD the address of an etcd that runs, FOLDER has `sa.pub` and `sa.key`.
 * With WORDS only cases whose names have them are asked, and the others stay as they are.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRefusal } from '../gates/start-refusal.ts';
import { laterStartCases, type StartCase, startCases } from './start-cases.ts';

const [, , peers = '', etcd = '', keys = '', words = ''] = process.argv;
const file = new URL('start-facts.json', import.meta.url);
const work = mkdtempSync(join(tmpdir(), 'wavetank-start-'));
const path = join(work, 'configuration.json');

const common = [`--etcd-servers=${etcd}`, '--secure-port=6999', `--cert-dir=${work}/certs`, `--service-account-key-file=${keys}/sa.pub`];
const token = [`--service-account-signing-key-file=${keys}/sa.key`, '--service-account-issuer=https://x'];
const binaries = {
  '1.36': { command: join(peers, 'bin/kube-apiserver'), options: [...common, ...token], cases: [...startCases, ...laterStartCases] },
  '1.13': { command: join(peers, 'bin/old/kube-apiserver'), options: [...common, '--insecure-port=0'], cases: startCases },
};

function optionsOf({ plugins, text, kubeconfig }: StartCase): readonly string[] {
  if (text !== undefined) writeFileSync(path, text.replaceAll('FOLDER', work));
  if (kubeconfig !== undefined) writeFileSync(join(work, 'kubeconfig'), kubeconfig);
  return [`--enable-admission-plugins=${plugins}`, ...(text === undefined ? [] : [`--admission-control-config-file=${path}`])];
}

const known = JSON.parse(readFileSync(file, 'utf8')) as { readonly [release: string]: { readonly [name: string]: string } };
const told: { [release: string]: { [name: string]: string } } = {};
for (const [release, { command, options, cases }] of Object.entries(binaries)) {
  const of: { [name: string]: string } = words === '' ? {} : { ...known[release] };
  for (const one of cases.filter(({ name }) => name.includes(words))) {
    const { error } = await startRefusal(command, [...options, ...optionsOf(one)]);
    of[one.name] = error.replaceAll(path, 'FILE').replaceAll(work, 'FOLDER');
    process.stdout.write(`${release} ${one.name}: ${of[one.name] ?? ''}\n`);
  }
  told[release] = of;
}
rmSync(work, { recursive: true });
writeFileSync(file, `${JSON.stringify(told, undefined, 1)}\n`);
