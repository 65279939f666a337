/**
 * `npm run generate`: writes every generated file of the tree; with `--check` it writes nothing and fails when one is stale. Files
 * that need the Go modules of the emulated release are left as they are, and said so, where those are not to be had.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateBootstrapPolicy } from './bootstrap-policy.ts';
import { generateFaultTypes } from './fault-types.ts';
import { generateFeatureGates } from './feature-gates.ts';
import { emitTables, type GeneratedFile } from './emit-tables.ts';
import { emitTypes } from './emit-types.ts';
import { emitKinds } from './emit-kinds.ts';
import { generateIndexes } from './indexes.ts';
import { buildMessages, type SourcePackage } from './messages.ts';
import { emitOlderFields } from './older-fields.ts';
import { kubernetesVersion, readOlderPackages, readPackages } from './packages.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Releases that are told from the present one. */
const older = [{ release: '1.13', version: 'v1.13.12' }];
const check = process.argv.includes('--check');

function fromGoModules(): readonly GeneratedFile[] {
  const packages = readPackages();
  const policy = generateBootstrapPolicy('1.36', kubernetesVersion);
  const gates = generateFeatureGates('1.36');
  if (packages === undefined || policy === undefined || gates === undefined) {
    console.log('The Go modules of release 1.36 are not to be had here: API tables, gates and bootstrap roles are taken as they are.');
    return [];
  }
  const messages = buildMessages(packages);
  return [...emitTables(messages), ...emitTypes(messages), emitKinds(packages), policy, gates, ...olderReleases(packages)];
}

function olderReleases(packages: readonly SourcePackage[]): readonly GeneratedFile[] {
  return older.flatMap(({ release, version }) => {
    const then = readOlderPackages(version);
    const policy = generateBootstrapPolicy(release, version);
    if (then !== undefined && policy !== undefined) return [emitOlderFields(release, version, packages, then), policy];
    console.log(`The Go module of release ${release} is not to be had here: its fields and bootstrap roles are taken as they are.`);
    return [];
  });
}

const files = [...fromGoModules(), ...generateIndexes(root), await generateFaultTypes(root)];
const stale = files.filter(({ path, text }) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text);
if (check) {
  for (const { path } of stale) console.error(`${path} is stale; run \`npm run generate\``);
  process.exit(stale.length === 0 ? 0 : 1);
}
for (const { path, text } of stale) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(`wrote ${path}`);
}
