/** Which Go packages hold the API types of the emulated release, and where they lie in the module cache. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readGoPackage } from './go-types.ts';
import type { SourcePackage } from './messages.ts';

export const stagingVersion = 'v0.36.3';
export const kubernetesVersion = 'v1.36.3';

const single = [
  { module: 'k8s.io/apimachinery', folder: 'pkg/apis/meta/v1', prefix: 'io.k8s.apimachinery.pkg.apis.meta.v1' },
  {
    module: 'k8s.io/apiextensions-apiserver',
    folder: 'pkg/apis/apiextensions/v1',
    prefix: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
  },
  {
    module: 'k8s.io/apiextensions-apiserver',
    folder: 'pkg/apis/apiextensions/v1beta1',
    prefix: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1',
  },
  { module: 'k8s.io/kube-aggregator', folder: 'pkg/apis/apiregistration/v1', prefix: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1' },
  {
    module: 'k8s.io/kube-aggregator',
    folder: 'pkg/apis/apiregistration/v1beta1',
    prefix: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1beta1',
  },
] as const;

/** Folder of a module in the module cache; undefined where it is not to be had. */
export function moduleFolder(module: string, version: string): string | undefined {
  try {
    const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim();
    const folder = join(cache, `${module}@${version}`);
    if (!existsSync(folder)) execFileSync('go', ['mod', 'download', `${module}@${version}`], { stdio: 'ignore', cwd: cache });
    return existsSync(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** All API packages, sorted by path; undefined where the modules are not to be had. */
export function readPackages(): readonly SourcePackage[] | undefined {
  return readPackagesOf((module) => moduleFolder(module, stagingVersion));
}

/** Those of a release whose staging modules are folders of k8s.io/kubernetes itself, as they were before 1.15. */
export function readOlderPackages(version: string): readonly SourcePackage[] | undefined {
  const kubernetes = moduleFolder('k8s.io/kubernetes', version);
  return kubernetes === undefined ? undefined : readPackagesOf((module) => join(kubernetes, 'staging/src', module));
}

function readPackagesOf(folderOfModule: (module: string) => string | undefined): readonly SourcePackage[] | undefined {
  const api = folderOfModule('k8s.io/api');
  if (api === undefined) return undefined;
  const packages: SourcePackage[] = [];
  for (const group of readdirSync(api, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== 'testdata')) {
    for (const version of readdirSync(join(api, group.name)).filter((name) => /^v\d/.test(name))) {
      packages.push({
        path: `k8s.io/api/${group.name}/${version}`,
        prefix: `io.k8s.api.${group.name}.${version}`,
        go: readGoPackage(join(api, group.name, version)),
      });
    }
  }
  for (const { module, folder, prefix } of single) {
    const root = folderOfModule(module);
    if (root === undefined) return undefined;
    if (!existsSync(join(root, folder))) continue;
    packages.push({ path: `${module}/${folder}`, prefix, go: readGoPackage(join(root, folder)) });
  }
  return packages.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Folder below engine/api of a prefix: `core/v1`, `meta/v1`, `apiextensions/v1`. */
export function folderOf(prefix: string): string {
  return prefix.split('.').slice(-2).join('/');
}
