/**
 * The kinds of a cluster: what its release serves, and to whom, unless `--runtime-config` says otherwise. Mirrors
 * apiserver pkg/server/resourceconfig.
 */
import { getOwn } from '../base/dictionary.ts';
import { formatGroupVersion } from '../apimachinery/object.ts';
import type { KindDefinition } from '../contracts/kind.ts';
import type { Release, Visibility } from '../contracts/release.ts';
import { asRelease } from './kind-of-release.ts';

/** Ours, and what a real cluster has as custom resources, beside every release. */
const addedGroups: ReadonlySet<string> = new Set(['sim.wavetank.dev', 'kwok.x-k8s.io', 'snapshot.storage.k8s.io']);

export function servedKinds(
  release: Release,
  kinds: readonly KindDefinition[],
  config: ReadonlyMap<string, string>,
  featureEnabled: (gate: string) => boolean,
): readonly KindDefinition[] {
  return kinds.flatMap((kind) => {
    if (kind.gate !== undefined && !featureEnabled(kind.gate)) return [];
    const visibility = visibilityOf(release, kind, config);
    if (visibility === undefined) return [];
    const told = asRelease(kind, release.kinds[kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`]);
    const { deprecation: _, ...silent } = told;
    const spoken = release.warnsOfDeprecation ? told : silent;
    return [visibility === 'listed' ? spoken : { ...spoken, visibility }];
  });
}

/** Undefined for what is served to nobody. */
function visibilityOf(release: Release, kind: KindDefinition, config: ReadonlyMap<string, string>): Visibility | undefined {
  if (getOwn(release.versions.absent, formatGroupVersion(kind))?.includes(kind.plural) === true) return undefined;
  const standard = standardOf(release, kind);
  const said = saidOf(kind, config);
  if (said === undefined) return standard;
  // What components need stays for them.
  if (!said.on) return standard === 'internal' ? standard : undefined;
  return said.byName || standard === undefined ? 'listed' : standard;
}

function standardOf({ versions: { listed, hidden, off } }: Release, kind: KindDefinition): Visibility | undefined {
  const groupVersion = formatGroupVersion(kind);
  if (addedGroups.has(kind.group)) return 'listed';
  if (listed?.[groupVersion]?.includes(kind.plural) === true) return 'listed';
  if (off.includes(groupVersion)) return undefined;
  if (listed !== undefined) return 'internal';
  return hidden.includes(groupVersion) ? 'hidden' : 'listed';
}

/** The resource itself first, then the version, its maturity, then everything. */
function saidOf(kind: KindDefinition, config: ReadonlyMap<string, string>): { readonly on: boolean; readonly byName: boolean } | undefined {
  const groupVersion = kind.group === '' ? `api/${kind.version}` : formatGroupVersion(kind);
  const maturity = kind.version.includes('alpha') ? 'api/alpha' : kind.version.includes('beta') ? 'api/beta' : 'api/ga';
  const named = config.get(`${groupVersion}/${kind.plural}`) ?? config.get(groupVersion) ?? config.get(formatGroupVersion(kind));
  const text = named ?? config.get(maturity) ?? config.get('api/all');
  return text === undefined ? undefined : { on: text === 'true' || text === '1' || text === '', byName: named !== undefined };
}
