/**
 * Builds what ships: the engine as one bundle with its scenarios beside it, the renderer, and the Electron shell. Does nothing when
 * no source is newer than the last build.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, runNodeSync } from './node-release.mjs';

const dist = join(root, 'dist');
const stamp = join(dist, '.built');
const sources = ['engine', 'renderer', 'electron', 'scenarios', 'build', 'package.json'];

/** Whether no source is newer than what was built. */
export function isBuilt() {
  return existsSync(stamp) && Number(readFileSync(stamp, 'utf8')) >= newestSource();
}

/** Builds if needed; exits with a message when a build fails. */
export async function build() {
  if (isBuilt()) return;
  const newest = newestSource();
  console.error('Building …');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const esbuild = await import(pathToFileURL(join(root, 'node_modules/esbuild/lib/main.js')).href);
  const common = { bundle: true, platform: 'node', target: 'node24', logLevel: 'warning', legalComments: 'none', absWorkingDir: root };
  // Packages that are CommonJS inside an ES module bundle still call require.
  const banner = { js: "import { createRequire as wavetankRequire } from 'node:module'; const require = wavetankRequire(import.meta.url);" };
  // Names stay as they are: to shorten them and name every function again when it is made cost a seventh of the time of a request.
  const small = { minifyWhitespace: true, minifySyntax: true };
  // The entry and the engine are two files: see engine/host/entry.ts.
  const engine = { entryPoints: { wavetank: 'engine/host/entry.ts' }, outdir: 'dist', splitting: true, chunkNames: 'engine-[hash]' };
  await esbuild.build({ ...common, ...engine, ...small, format: 'esm', banner, sourcemap: 'linked' });
  await esbuild.build({
    ...common,
    entryPoints: ['engine/library.ts'],
    outfile: 'dist/library.js',
    format: 'esm',
    banner,
    ...small,
    sourcemap: 'linked',
  });
  if (existsSync(join(root, 'electron/main.ts'))) {
    const shell = { ...common, external: ['electron'], outdir: 'dist/electron' };
    await esbuild.build({
      ...shell,
      entryPoints: ['electron/main.ts', 'electron/engine-host.ts', 'electron/start.ts'].filter((file) => existsSync(join(root, file))),
      format: 'esm',
      banner,
    });
    if (existsSync(join(root, 'electron/preload.ts')))
      await esbuild.build({ ...shell, entryPoints: ['electron/preload.ts'], format: 'cjs', outExtension: { '.js': '.cjs' } });
  }
  // What fields and parameters are for; see engine/host/type-files.ts.
  const isTyped = (path) => (statSync(path).isDirectory() ? !path.endsWith('_schemas') : path.endsWith('.d.ts'));
  for (const name of ['kubernetes-types', 'kubernetes-types-1.17', 'kubernetes-models', '@kubernetes-models/apimachinery']) {
    const types = join(root, 'node_modules', name);
    if (existsSync(types)) cpSync(types, join(dist, 'types', name), { recursive: true, filter: isTyped });
  }
  const requests = '@kubernetes/client-node/dist/gen/types/ObjectParamAPI.d.ts';
  if (existsSync(join(root, 'node_modules', requests))) cpSync(join(root, 'node_modules', requests), join(dist, 'types', requests));
  cpSync(join(root, 'scenarios'), join(dist, 'scenarios'), { recursive: true });
  if (existsSync(join(root, 'renderer/index.html'))) {
    const code = runNodeSync([join(root, 'node_modules/vite/bin/vite.js'), 'build', '--config', 'build/vite.config.ts', '--logLevel', 'warn']);
    if (code !== 0) process.exit(code);
  }
  writeFileSync(stamp, String(newest));
}

function newestSource() {
  return Math.max(...sources.map((source) => newestIn(join(root, source))));
}

function newestIn(path) {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const inner = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.name !== 'node_modules');
  return Math.max(0, ...inner.map((entry) => newestIn(join(path, entry.name))));
}
