/**
 * `node build/lock.mjs`: brings package-lock.json up to package.json, keeping what is pinned. npm writes only what the registry of this
 * machine has; packages of other platforms that it lacks are added, so that one lock serves all: their versions stand, exactly, in
 * the packages that name them. The lock names no registry.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './node-release.mjs';

/** Words in the names of such packages, and what npm asks of a machine before it installs one. */
const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32', 'win'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

/** The lock with an entry for each optional package that its parent pins and the lock lacks. */
export function completed(lock) {
  const packages = { ...lock.packages };
  for (const [path, parent] of Object.entries(lock.packages)) {
    for (const [name, version] of missingOf(lock.packages, path, parent)) {
      if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${path || 'package.json'} does not pin ${name} exactly: ${version}`);
      packages[`node_modules/${name}`] = {
        version,
        ...platformOf(name),
        ...(parent.dev ? { dev: true } : {}),
        ...(parent.license === undefined ? {} : { license: parent.license }),
        optional: true,
      };
    }
  }
  const sorted = Object.fromEntries(
    Object.keys(packages)
      .sort()
      .map((path) => [path, packages[path]]),
  );
  return { ...lock, packages: sorted };
}

/** What is wrong with a lock, in words; nothing when it can be used everywhere. */
export function problemsOf(lock, manifest) {
  const problems = [];
  const own = lock.packages[''] ?? {};
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
    for (const name of new Set([...Object.keys(manifest[kind] ?? {}), ...Object.keys(own[kind] ?? {})]))
      if (manifest[kind]?.[name] !== own[kind]?.[name]) problems.push(`${name} differs from package.json`);
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (entry.resolved !== undefined) problems.push(`${path} names a registry`);
    for (const [name] of missingOf(lock.packages, path, entry)) problems.push(`${name}, which ${path || 'package.json'} may need, is absent`);
  }
  return problems;
}

function missingOf(packages, path, { optionalDependencies = {} }) {
  const isThere = (name) => packages[`node_modules/${name}`] !== undefined || packages[`${path}/node_modules/${name}`] !== undefined;
  return Object.entries(optionalDependencies).filter(([name]) => !isThere(name));
}

function platformOf(name) {
  const words = name.replace(/^@[^/]+\//, '').split('-');
  const system = words.find((word) => systems.includes(word));
  const processor = words.find((word) => processors.includes(word));
  if (system === undefined || processor === undefined) throw new Error(`the name of ${name} does not say which platform it is for`);
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : words.some((word) => word.startsWith('gnu')) ? 'glibc' : undefined;
  return { cpu: [processor], ...(libc === undefined ? {} : { libc: [libc] }), os: [system === 'win' ? 'win32' : system] };
}

function generate() {
  const folder = mkdtempSync(join(tmpdir(), 'wavetank-lock-'));
  try {
    for (const file of ['package.json', '.npmrc', 'package-lock.json'])
      if (existsSync(join(root, file))) copyFileSync(join(root, file), join(folder, file));
    const args = ['install', '--package-lock-only', '--loglevel=error'];
    const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
    if (status !== 0) process.exit(2);
    const lock = completed(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')));
    for (const entry of Object.values(lock.packages)) delete entry.resolved;
    writeFileSync(join(root, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generate();
