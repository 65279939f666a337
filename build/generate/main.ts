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
import { buildMessages } from './messages.ts';
import { readPackages } from './packages.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const check = process.argv.includes('--check');

function fromGoModules(): readonly GeneratedFile[] {
  const packages = readPackages();
  const policy = generateBootstrapPolicy();
  const gates = generateFeatureGates('1.36');
  if (packages === undefined || policy === undefined || gates === undefined) {
    console.log('The Go modules of the emulated release are not to be had here: API tables, gates and bootstrap roles are taken as they are.');
    return [];
  }
  const messages = buildMessages(packages);
  return [...emitTables(messages), ...emitTypes(messages), emitKinds(packages), policy, gates];
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
