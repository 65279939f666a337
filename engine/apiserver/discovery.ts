/**
 * What this server serves, as clients ask for it: groups, versions and resources, plain and aggregated. Made from the kinds, kept
 * until the kinds change. Mirrors apiserver pkg/endpoints/discovery.
 */
import type { KindDefinition } from '../contracts/kind.ts';
import { formatGroupVersion, type GroupVersion } from '../apimachinery/object.ts';
import type { JsonObject } from '../base/json.ts';
import { allVerbs } from '../registry/resource.ts';
import { compareVersions, groupPriority } from './group-priorities.ts';
import { subresourcesOf } from './subresource-list.ts';
import type { ApiServer } from './pipeline.ts';

interface ServedGroup {
  readonly name: string;
  /** The most preferred first. */
  readonly versions: readonly string[];
}

export class Discovery {
  readonly #server: ApiServer;
  readonly #address: string;
  readonly #hidden: (group: string, version: string) => boolean;
  #generation = -1;
  #documents = new Map<string, JsonObject>();
  #kinds: readonly KindDefinition[] = [];

  /** `hidden` leaves a version out of discovery although it is served. */
  constructor(server: ApiServer, address: string, hidden: (group: string, version: string) => boolean = () => false) {
    this.#server = server;
    this.#address = address;
    this.#hidden = hidden;
  }

  /** `/api` */
  versions(): JsonObject {
    return this.#document('api', () => ({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: this.#addresses() }));
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

  /** `/api/v1`, `/apis/<group>/<version>` */
  resources(gv: GroupVersion): JsonObject | undefined {
    this.#refresh();
    const kinds = this.#all().filter((kind) => kind.group === gv.group && kind.version === gv.version);
    if (kinds.length === 0) return undefined;
    return this.#document(`resources/${formatGroupVersion(gv)}`, () => ({
      kind: 'APIResourceList',
      ...(gv.group === '' ? undefined : { apiVersion: 'v1' }),
      groupVersion: formatGroupVersion(gv),
      resources: kinds.flatMap((kind) => describeResource(kind, this.#server)).sort(byName),
    }));
  }

  /** The aggregated form of `/api` (only the core group) or `/apis` (all others). */
  aggregated(core: boolean, version: 'v2' | 'v2beta1'): JsonObject {
    return this.#document(`aggregated/${String(core)}/${version}`, () => {
      const groups = this.#groups().filter((group) => (group.name === '') === core);
      const items = groups.map((group) => ({
        metadata: { name: group.name, creationTimestamp: null },
        versions: group.versions.map((name) => this.#version(group.name, name)),
      }));
      return { kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}`, metadata: {}, items };
    });
  }

  groupVersions(): readonly GroupVersion[] {
    return this.#groups().flatMap((group) => group.versions.map((version) => ({ group: group.name, version })));
  }

  #version(group: string, version: string): JsonObject {
    const kinds = this.#kinds.filter((kind) => kind.group === group && kind.version === version);
    return { version, resources: [...kinds].sort(byPlural).map((kind) => aggregateResource(kind, this.#server)), freshness: 'Current' };
  }

  #groups(): readonly ServedGroup[] {
    this.#refresh();
    const names = [...new Set(this.#kinds.map((kind) => kind.group))];
    names.sort((a, b) => groupPriority(b) - groupPriority(a) || (a < b ? -1 : 1));
    return names.map((name) => {
      const versions = [...new Set(this.#kinds.filter((kind) => kind.group === name).map((kind) => kind.version))];
      return { name, versions: versions.sort((a, b) => compareVersions(name, a, b)) };
    });
  }

  #all(): readonly KindDefinition[] {
    const { registry, virtual } = this.#server;
    return [...registry.table.list().map((resource) => resource.kind), ...virtual.list().map((resource) => resource.kind)];
  }

  #refresh(): void {
    const { generation } = this.#server.registry.table;
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#documents = new Map();
    this.#kinds = this.#all().filter((kind) => !this.#hidden(kind.group, kind.version));
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

  #addresses(): readonly JsonObject[] {
    return [{ clientCIDR: '0.0.0.0/0', serverAddress: this.#address }];
  }
}

function describeGroup(group: ServedGroup): JsonObject {
  const versions = group.versions.map((version) => ({ groupVersion: `${group.name}/${version}`, version }));
  return { name: group.name, versions, preferredVersion: versions[0] ?? {} };
}

function byPlural(a: KindDefinition, b: KindDefinition): number {
  return a.plural < b.plural ? -1 : 1;
}

function byName(a: JsonObject, b: JsonObject): number {
  return String(a['name']) < String(b['name']) ? -1 : 1;
}

function verbsOf(kind: KindDefinition): readonly string[] {
  return [...(kind.createOnly === undefined ? (kind.verbs ?? allVerbs) : ['create'])].sort();
}

function describeResource(kind: KindDefinition, server: ApiServer): readonly JsonObject[] {
  const resource: JsonObject = {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: verbsOf(kind),
    ...(kind.shortNames === undefined ? undefined : { shortNames: kind.shortNames }),
    ...(kind.categories === undefined ? undefined : { categories: kind.categories }),
  };
  const subresources = subresourcesOf(kind, server).map(({ name, verbs, bodyKind }) => ({
    name: `${kind.plural}/${name}`,
    singularName: '',
    namespaced: kind.namespaced,
    ...(bodyKind === undefined
      ? { kind: kind.kind }
      : { ...(bodyKind.group === '' ? undefined : { group: bodyKind.group }), version: bodyKind.version, kind: bodyKind.kind }),
    verbs,
  }));
  return [resource, ...subresources];
}

function aggregateResource(kind: KindDefinition, server: ApiServer): JsonObject {
  const subresources = subresourcesOf(kind, server).map(({ name, verbs, bodyKind }) => ({
    subresource: name,
    responseKind: bodyKind ?? { group: '', version: '', kind: kind.kind },
    verbs,
  }));
  return {
    resource: kind.plural,
    responseKind: { group: '', version: '', kind: kind.kind },
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: verbsOf(kind),
    ...(kind.shortNames === undefined ? undefined : { shortNames: kind.shortNames }),
    ...(kind.categories === undefined ? undefined : { categories: kind.categories }),
    ...(subresources.length === 0 ? undefined : { subresources }),
  };
}
