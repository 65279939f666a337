/**
 * Records what a real API server makes of folders of manifests: `node build/with-node.mjs test/contract/manifests/record.ts PEERS PORT`;
 * PEERS as for ../shared/peers/control-plane.sh, which starts it.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { peerAsker } from '../gates/peer.ts';
import { startRefusal } from '../gates/start-refusal.ts';
import {
  admissionOf,
  badManifests,
  configurationCases,
  configurationOf,
  type Files,
  file,
  goodManifests,
  laterSteps,
  type ManifestCase,
  manifestReloads,
  type ManifestStep,
  manifestSteps,
  policy,
  type Told,
  toldOf,
} from './cases.ts';

const [, , peers = '', port = ''] = process.argv;
const gate = 'ManifestBasedAdmissionControlConfig';
const work = join(peers, 'control-plane-work');
const script = join(import.meta.dirname, '../../../../shared/peers/control-plane.sh');
const root = mkdtempSync(join(tmpdir(), 'wavetank-manifests-'));
const folder = join(root, 'd');
const configuration = join(root, 'configuration.json');

function lay(at: string, files: Files): void {
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(at, name), text);
}

/** Each file at once: whoever looks meanwhile sees it as it was or as it is. */
function replace(at: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(at, 'next'), text);
    renameSync(join(at, 'next'), join(at, name));
  }
  for (const name of readdirSync(at)) if (!Object.hasOwn(files, name)) rmSync(join(at, name));
}

/** What a server says that does not start, and its exit code. */
async function refusal(options: readonly string[]): Promise<{ readonly code: number | null; readonly error: string }> {
  const pair = [`--tls-cert-file=${work}/api.crt`, `--tls-private-key-file=${work}/api.key`];
  const keys = [
    `--service-account-key-file=${work}/sa.pub`,
    `--service-account-signing-key-file=${work}/sa.key`,
    '--service-account-issuer=https://x',
  ];
  const etcd = [`--etcd-servers=http://127.0.0.1:${Number(port) + 1}`, `--secure-port=${Number(port) + 3}`];
  const { code, error } = await startRefusal(join(peers, 'bin/kube-apiserver'), [...etcd, ...pair, ...keys, ...options]);
  return { code, error: error.replaceAll(folder, 'FOLDER') };
}

async function refused({ plugin, files }: ManifestCase): Promise<unknown> {
  lay(folder, files);
  writeFileSync(configuration, admissionOf([{ name: plugin, configuration: configurationOf(plugin, folder) }]));
  return refusal([`--feature-gates=${gate}=true`, `--admission-control-config-file=${configuration}`]);
}

async function play(steps: readonly ManifestStep[]): Promise<readonly Told[]> {
  const ask = peerAsker(join(work, 'kubeconfig'));
  const told: Told[] = [];
  for (const step of steps) told.push(toldOf(await ask(step)));
  return told;
}

function controlPlane(...words: readonly string[]): void {
  const flags = `--feature-gates=${gate}=true --admission-control-config-file=${configuration}`;
  const { status } = spawnSync('bash', [script, ...words], { env: { ...process.env, PEERS: peers, API_FLAGS: flags }, stdio: 'inherit' });
  if (status !== 0) throw new Error(`control-plane.sh ${words.join(' ')}: ${status}`);
}

/** Where the manifests of a plugin lie. */
const of = (plugin: string): string => join(root, plugin);

async function running(): Promise<object> {
  const plugins = Object.keys(goodManifests) as readonly ManifestCase['plugin'][];
  for (const plugin of plugins) lay(of(plugin), goodManifests[plugin]);
  writeFileSync(configuration, admissionOf(plugins.map((name) => ({ name, configuration: configurationOf(name, of(name)) }))));
  controlPlane('up', port, '--no-controllers');
  const steps = await play(manifestSteps);
  await wait(3_000);
  const later = await play(laterSteps);
  const reloads: unknown[] = [];
  for (const { files, ask } of manifestReloads) {
    replace(of('ValidatingAdmissionPolicy'), files);
    await wait(3_000);
    reloads.push((await play([ask]))[0]);
  }
  const { text } = await peerAsker(join(work, 'kubeconfig'))({ method: 'GET', path: '/metrics' });
  const metrics = text.split('\n').filter((line) => line.includes('manifest_admission_config'));
  controlPlane('down');
  return { steps, later, reloads, metrics };
}

const on = await running();
controlPlane('up', port, '--no-controllers');
const bad: { [name: string]: unknown } = {};
for (const one of badManifests) bad[`${one.plugin}: ${one.name}`] = await refused(one);
const configured: { [name: string]: unknown } = {};
for (const one of configurationCases) {
  lay(folder, { 'a.yaml': file(policy('p.static.k8s.io')) });
  const named = JSON.parse(JSON.stringify(one.configuration).replaceAll('FOLDER', folder)) as typeof one.configuration;
  writeFileSync(configuration, admissionOf([{ name: one.plugin, configuration: named }]));
  configured[one.name] = await refusal([`--feature-gates=${gate}=${one.gate}`, `--admission-control-config-file=${configuration}`]);
}
controlPlane('down');
rmSync(root, { recursive: true });
const rows = (all: object): string =>
  Object.entries(all)
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n');
const parts = Object.entries({ bad, configured, on }).map(([name, value]) => `  ${JSON.stringify(name)}: {\n${rows(value)}\n  }`);
writeFileSync(new URL('facts.json', import.meta.url), `{\n${parts.join(',\n')}\n}\n`);
process.exit(0);
