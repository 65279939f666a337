/** What is stored, and who answers: as told by a server that is no real one, which its build says. */
import { metricFamily, type Sample } from '../metrics-text.ts';
import { describeVersion, type ServedRelease } from '../non-resource.ts';
import type { ApiServer } from '../pipeline.ts';

/** `1.36` */
export function binaryVersion({ version }: ServedRelease): string {
  return `${version['major'] ?? ''}.${version['minor'] ?? ''}`;
}

const built = ['buildDate', 'compiler', 'gitCommit', 'gitTreeState', 'gitVersion', 'goVersion', 'major', 'minor', 'platform'];

export function identityMetrics(release: ServedRelease): string {
  const told = describeVersion(release);
  const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const build = Object.fromEntries(built.map((name) => [snakeCase(name), told[name] ?? '']));
  const binary = binaryVersion(release);
  const oldest = `${told['minCompatibilityMajor'] ?? ''}.${told['minCompatibilityMinor'] ?? ''}`;
  const compatibility = { binary, component: 'kube', emulation: binary, min_compat: oldest };
  return (
    metricFamily('kubernetes_build_info', 'gauge', buildHelp, [[build, 1]]) + metricFamily('version_info', 'gauge', versionHelp, [[compatibility, 1]])
  );
}

export function objectMetrics({ registry: { core, table } }: ApiServer): string {
  const stored = table
    .list()
    .filter(({ kind }) => kind.storage === undefined && kind.createOnly === undefined)
    .map(({ kind: { group, plural }, prefix }) => ({ group, plural, count: core.view.count(prefix) }));
  const named = stored.map(({ group, plural, count }): Sample => [{ resource: group === '' ? plural : `${plural}.${group}` }, count]);
  const grouped = stored.map(({ group, plural, count }): Sample => [{ group, resource: plural }, count]);
  return (
    metricFamily('apiserver_storage_objects', 'gauge', storedHelp, named) + metricFamily('apiserver_resource_objects', 'gauge', objectsHelp, grouped)
  );
}

const buildHelp =
  "[BETA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.";
const versionHelp =
  '[ALPHA] Provides the compatibility version info of the component. The component label is the name of the component, usually kube, but is relevant for aggregated-apiservers.';
const storedHelp =
  '[STABLE] [DEPRECATED, consider using apiserver_resource_objects instead] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.';
const objectsHelp = '[ALPHA] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.';
