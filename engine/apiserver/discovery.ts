/**
 * What this server serves, as clients ask for it: groups, versions and resources, plain and aggregated. Made from the kinds, kept
 * until the kinds change. Mirrors apiserver pkg/endpoints/discovery.
 */
import { formatGroupVersion, type GroupVersion } from '../apimachinery/object.ts';
import { encodeBase64 } from '../base/base64.ts';
import type { JsonObject } from '../base/json.ts';
import { isCustom, type KindDefinition } from '../contracts/kind.ts';
import type { Release } from '../contracts/release.ts';
import type { Verb } from '../contracts/request.ts';
import { type RestStorage, verbsOf } from '../contracts/rest-storage.ts';
import { compareVersions, groupPriority } from './group-priorities.ts';
import type { RestStorages, ServedResource } from './storage/rest-storages.ts';

/** Of the hash of a storage version as much is shown. */
const hashBytes = 8;

type Discovers = Release['discovers'];

interface ServedGroup {
  readonly name: string;
  /** The most preferred first. */
  readonly versions: readonly string[];
}

type Habits = Pick<Release, 'groupPriorities' | 'versionPriorities' | 'discovers'>;

const present: Habits = {
  groupPriorities: {},
  versionPriorities: {},
  discovers: { singularNames: true, storageVersionHashes: false, aggregated: true },
};

export class Discovery {
  readonly #storages: RestStorages;
  readonly #address: () => string;
  readonly #habits: Habits;
  readonly #hash: ((text: string) => string) | undefined;
  #generation = -1;
  #documents = new Map<string, JsonObject>();
  #shown: readonly ServedResource[] = [];

  /** `habits` are the release's; `hash` gives SHA-256 in hexadecimal digits. */
  constructor(storages: RestStorages, address: () => string, habits: Habits = present, hash?: (text: string) => string) {
    this.#hash = hash;
    this.#storages = storages;
    this.#address = address;
    this.#habits = habits;
  }

  /** `/api` */
  versions(): JsonObject {
    // Who asks before the server listens is told another one.
    return this.#document(`api ${this.#address()}`, () => ({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: this.#addresses() }));
  }

  /** `/apis` */
  groupList(): JsonObject {
    return this.#document('apis', () => {
      const groups = this.#groups().filter((group) => group.name !== '');
      return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((group) => describeGroup(group)) };
    });
  }

  /** `/apis/<group>` */
  group(name: string): JsonObject | undefined {
    const found = this.#groups().find((group) => group.name === name);
    return found === undefined || name === ''
      ? undefined
      : this.#document(`apis/${name}`, () => ({ kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(found) }));
  }

  /** Whether the group is not of users' own kinds alone. */
  hasBuiltIn(group: string): boolean {
    return this.#storages.hasGroup(group);
  }

  /** `/api/v1`, `/apis/<group>/<version>` */
  resources(gv: GroupVersion): JsonObject | undefined {
    this.#refresh();
    const served = this.#all().filter(([{ kind }]) => kind.group === gv.group && kind.version === gv.version && !this.#storages.hides(kind));
    if (served.length === 0) return undefined;
    return this.#document(`resources/${formatGroupVersion(gv)}`, () => ({
      kind: 'APIResourceList',
      ...(unversioned.has(gv.group) ? undefined : { apiVersion: 'v1' }),
      groupVersion: formatGroupVersion(gv),
      resources: this.#describeAll(served),
    }));
  }

  /** The aggregated form of `/api` (only the core group) or `/apis` (all others). */
  aggregated(core: boolean): JsonObject {
    return this.#document(`aggregated/${String(core)}`, () => {
      const groups = this.#groups().filter((group) => (group.name === '') === core);
      const items = groups.map((group) => ({
        metadata: group.name === '' ? {} : { name: group.name },
        versions: group.versions.map((name) => this.#version(group.name, name)),
      }));
      return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
    });
  }

  groupVersions(): readonly GroupVersion[] {
    return this.#groups().flatMap((group) => group.versions.map((version) => ({ group: group.name, version })));
  }

  #version(group: string, version: string): JsonObject {
    const all = this.#shown.filter(([{ kind }]) => kind.group === group && kind.version === version);
    // A version of users' kinds alone is listed all the same.
    const known = all.filter(([{ kind }]) => !this.#storages.hides(kind));
    const served = known.length > 0 ? known : all;
    return { version, resources: served.sort(byPlural).map(aggregateResource), freshness: 'Current' };
  }

  #groups(): readonly ServedGroup[] {
    this.#refresh();
    const names = [...new Set(this.#shown.map(([{ kind }]) => kind.group))];
    const priority = (group: string): number => this.#habits.groupPriorities[group] ?? groupPriority(group);
    names.sort((a, b) => priority(b) - priority(a) || (a < b ? -1 : 1));
    return names.map((name) => {
      const versions = [...new Set(this.#shown.filter(([{ kind }]) => kind.group === name).map(([{ kind }]) => kind.version))];
      return { name, versions: versions.sort((a, b) => compareVersions(name, a, b, this.#habits.versionPriorities)) };
    });
  }

  #all(): readonly ServedResource[] {
    return this.#storages.list().filter(([{ kind }]) => kind.visibility !== 'internal');
  }

  #refresh(): void {
    const { generation } = this.#storages;
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#documents = new Map();
    this.#shown = this.#all().filter(([{ kind }]) => kind.visibility === undefined);
  }

  #document(key: string, make: () => JsonObject): JsonObject {
    this.#refresh();
    let document = this.#documents.get(key);
    if (document === undefined) {
      document = make();
      this.#documents.set(key, document);
    }
    return document;
  }

  /** Custom kinds stand as they were registered, built-in ones by name. */
  #describeAll(served: readonly ServedResource[]): readonly JsonObject[] {
    const describe = (one: ServedResource): readonly JsonObject[] => describeResource(one, this.#habits.discovers, this.#storageVersionHash(one[0]));
    const [custom, builtIn] = [served.filter(([{ kind }]) => isCustom(kind)), served.filter(([{ kind }]) => !isCustom(kind))];
    return [...builtIn.flatMap(describe).sort(byName), ...custom.flatMap(describe)];
  }

  /** Of group, version and kind that are stored; undefined for what is not. */
  #storageVersionHash({ kind, watch, create }: RestStorage): string | undefined {
    if (!this.#habits.discovers.storageVersionHashes || this.#hash === undefined || watch === undefined || create === undefined) return undefined;
    if (typeof kind.schema !== 'string' && !isCustom(kind)) return undefined;
    const { group = kind.group, version = kind.version } = kind.storage ?? {};
    const hex = this.#hash(`${group}/${kind.storedVersion ?? version}/${kind.kind}`);
    return encodeBase64(Uint8Array.from({ length: hashBytes }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16)));
  }

  #addresses(): readonly JsonObject[] {
    return [{ clientCIDR: '0.0.0.0/0', serverAddress: this.#address() }];
  }
}

function describeGroup(group: ServedGroup): JsonObject {
  const versions = group.versions.map((version) => ({ groupVersion: `${group.name}/${version}`, version }));
  return { name: group.name, versions, preferredVersion: versions[0] ?? {} };
}

function byPlural([a]: ServedResource, [b]: ServedResource): number {
  return a.kind.plural < b.kind.plural ? -1 : 1;
}

function byName(a: JsonObject, b: JsonObject): number {
  return String(a['name']) < String(b['name']) ? -1 : 1;
}

function describeResource([storage, ...subresources]: ServedResource, discovers: Discovers, hash: string | undefined): readonly JsonObject[] {
  const { kind } = storage;
  const resource: JsonObject = {
    name: kind.plural,
    singularName: discovers.singularNames || isCustom(kind) ? kind.singular : '',
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: listedVerbs(storage),
    ...(kind.shortNames === undefined ? undefined : { shortNames: kind.shortNames }),
    ...(kind.categories === undefined ? undefined : { categories: kind.categories }),
    ...(hash === undefined ? undefined : { storageVersionHash: hash }),
  };
  return [resource, ...listedSubresources(kind, subresources).map((each) => describeSubresource(each))];
}

function describeSubresource(storage: RestStorage): JsonObject {
  const { kind, body, subresource } = storage;
  const own = { kind: kind.kind };
  const foreign = {
    ...(body.group === '' || body.unnamed === true ? undefined : { group: body.group, version: body.version }),
    kind: body.kind,
  };
  return {
    name: `${kind.plural}/${subresource}`,
    singularName: '',
    namespaced: kind.namespaced,
    ...(body.foreign ? foreign : own),
    verbs: verbsOf(storage),
  };
}

/** Lists of their resources do not say of which version they are themselves (keepUnversioned of pkg/endpoints/discovery). */
const unversioned: ReadonlySet<string> = new Set(['', 'extensions']);

/** The server of custom kinds lists verbs in an order of its own. */
const customVerbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** What a definition that is being deleted lists no more. */
const writingVerbs: readonly Verb[] = ['create', 'patch', 'update'];

function listedVerbs(storage: RestStorage): readonly Verb[] {
  const verbs = verbsOf(storage);
  if (!isCustom(storage.kind)) return verbs;
  return customVerbs.filter((verb) => verbs.includes(verb) && (storage.kind.isGoing !== true || !writingVerbs.includes(verb)));
}

/** The status of custom kinds comes before their scale. */
function listedSubresources(kind: KindDefinition, subresources: readonly RestStorage[]): readonly RestStorage[] {
  return isCustom(kind) ? subresources.toReversed() : subresources;
}

function aggregateResource([storage, ...subresources]: ServedResource): JsonObject {
  const { kind } = storage;
  const own = isCustom(kind) ? { group: kind.group, version: kind.version, kind: kind.kind } : { group: '', version: '', kind: kind.kind };
  const listed = listedSubresources(kind, subresources).map((each) => ({
    subresource: each.subresource,
    responseKind: each.body.foreign
      ? { group: each.body.group, version: each.body.group === '' ? '' : each.body.version, kind: each.body.kind }
      : own,
    verbs: verbsOf(each),
  }));
  return {
    resource: kind.plural,
    responseKind: own,
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: listedVerbs(storage),
    ...(kind.shortNames === undefined ? undefined : { shortNames: kind.shortNames }),
    ...(kind.categories === undefined ? undefined : { categories: kind.categories }),
    ...(listed.length === 0 ? undefined : { subresources: listed }),
  };
}
