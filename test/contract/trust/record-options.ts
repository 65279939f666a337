/**
 * Starts the real API server with each of `option-cases.ts` and writes what it says into `option-facts.json`:
 * `node build/with-node.mjs test/contract/trust/record-options.ts [BEGINNING]` (of their names; all). Needs `../shared/peers/build.sh control-plane`; PEERS says where it is.
 */
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { commonFiles, optionCases } from './option-cases.ts';

const server = join(process.env['PEERS'] ?? join(homedir(), '.cache', 'wavetank-peers'), 'bin', 'kube-apiserver');
const folder = mkdtempSync(join(tmpdir(), 'options-'));
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = join(folder, 'key');
writeFileSync(key, privateKey.export({ format: 'pem', type: 'pkcs1' }));
const place = new URL('./option-facts.json', import.meta.url);
const beginning = process.argv[2] ?? '';
const before = JSON.parse(readFileSync(place, 'utf8')) as Record<string, string>;
const facts: Record<string, string> = {};
for (const { name, flags, files = {} } of optionCases) {
  if (!name.startsWith(beginning) && before[name] !== undefined) {
    facts[name] = before[name];
    continue;
  }
  for (const [file, text] of Object.entries({ ...commonFiles, ...files })) writeFileSync(join(folder, file), text.replaceAll('FOLDER', folder));
  const given = Object.entries(flags).map(([flag, value]) => `--${flag}=${value.replaceAll('FOLDER', folder)}`);
  const common = [
    '--etcd-servers=http://127.0.0.1:1',
    '--service-cluster-ip-range=10.96.0.0/12',
    '--service-account-issuer=https://issuer',
    `--cert-dir=${folder}`,
  ];
  const keys = [`--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`, '--secure-port=0', '--bind-address=127.0.0.1'];
  const { stderr } = spawnSync(server, [...common, ...keys, '--secure-port=21490', ...given], { encoding: 'utf8', timeout: 15_000 });
  facts[name] = said(stderr).replaceAll(folder, 'FOLDER');
}
writeFileSync(place, `${JSON.stringify(facts, null, 2)}\n`);
process.stdout.write(`${optionCases.length} facts\n`);
rmSync(folder, { recursive: true });

/** The last word of a server that gave up; lines that go on are indented. */
function said(text: string): string {
  const start = text.indexOf('"command failed" err=');
  if (start < 0) return '';
  const rest = text.slice(start + '"command failed" err='.length);
  if (rest.startsWith('"')) return JSON.parse(rest.slice(0, rest.indexOf('\n')).replaceAll(/\\x([0-9a-f]{2})/g, '\\u00$1')) as string;
  const lines = rest.split('\n').slice(1);
  const end = lines.findIndex((line) => line.startsWith(' >'));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\t/, ''))
    .join('\n');
}
