/**
 * `npm run generate`: writes every generated file of the tree; with `--check` it writes nothing and fails when one is stale. Files
 * that need the Go modules of the emulated release are left as they are, and said so, where those are not to be had.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emitBodyForms } from './body-forms.ts';
import { generateBootstrapPolicy } from './bootstrap-policy.ts';
import { generateFaultTypes } from './fault-types.ts';
import { generateFeatureGates } from './feature-gates.ts';
import { emitGoForms } from './go-forms.ts';
import { emitInternalForms } from './internal-forms.ts';
import { emitInternalTypes } from './internal-types.ts';
import { emitTables, type GeneratedFile } from './emit-tables.ts';
import { emitTypes } from './emit-types.ts';
import { emitKinds } from './emit-kinds.ts';
import { originsOf } from './heads.ts';
import { generateIndexes } from './indexes.ts';
import { buildMessages, type SourcePackage } from './messages.ts';
import { emitOlderFields } from './older-fields.ts';
import { withOlderTypes } from './older-types.ts';
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
  const internal = emitInternalForms(packages, kubernetesVersion);
  const then = older.map((one) => ({ ...one, packages: readOlderPackages(one.version), policy: generateBootstrapPolicy(one.release, one.version) }));
  const own = [emitKinds(packages), emitGoForms('1.36', packages), ...(internal === undefined ? [] : [internal]), policy, gates];
  // Without the older ones their types would be taken away again.
  if (then.some((one) => one.packages === undefined)) {
    console.log('The Go module of an older release is not to be had here: API tables, its fields and bootstrap roles are taken as they are.');
    return own;
  }
  const all = then.reduce((known, one) => withOlderTypes(known, one.packages ?? []), packages);
  const messages = buildMessages(all);
  const origin = originsOf(
    packages,
    all,
    then.flatMap(({ release, packages: had }) => (had === undefined ? [] : [{ release, packages: had }])),
    '1.36',
  );
  return [...emitTables(messages, origin), ...emitTypes(messages, origin), ...own, ...then.flatMap((one) => olderRelease(one, all))];
}

interface OlderRelease {
  readonly release: string;
  readonly version: string;
  readonly packages: readonly SourcePackage[] | undefined;
  readonly policy: GeneratedFile | undefined;
}

function olderRelease({ release, version, packages, policy }: OlderRelease, all: readonly SourcePackage[]): readonly GeneratedFile[] {
  if (packages === undefined || policy === undefined) return [];
  const internal = emitInternalTypes(release, version, packages);
  return [
    emitOlderFields(release, version, all, packages),
    emitGoForms(release, packages),
    emitBodyForms(release, packages),
    ...(internal === undefined ? [] : [internal]),
    policy,
  ];
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
