/**
 * The kinds an API server serves, found by resource or by kind, with what every request would otherwise work out again. Kinds can
 * come and go while the server runs (custom resources). Mirrors the storage map of apiserver pkg/endpoints/installer.go.
 */
import { assert } from '../base/assert.ts';
import { flat } from '../base/text.ts';
import type { KindDefinition, SubresourceDefinition } from '../contracts/kind.ts';
import { formatGroupVersion, type KubeObject } from '../apimachinery/object.ts';
import type { GroupResource } from '../apimachinery/errors.ts';
import type { Verb } from '../contracts/request.ts';
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import { statusDefinition } from './status.ts';

/** One served resource of one version. */
export interface Resource {
  readonly kind: KindDefinition;
  readonly apiVersion: string;
  readonly listKind: string;
  readonly verbs: readonly Verb[];
  readonly schema: MessageSchema;
  readonly schemaName: string;
  /** Names the resource in error texts. */
  readonly groupResource: GroupResource;
  /** `/registry/pods/`. */
  readonly prefix: string;
  readonly hasGeneration: boolean;
  readonly hasStatus: boolean;
  /** Those that write the object itself, `status` before what the kind declares. */
  readonly subresources: ReadonlyMap<string, SubresourceDefinition<KubeObject>>;
}

const allVerbs: readonly Verb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

export class ResourceTable {
  readonly #schemas: SchemaRegistry;
  readonly #byResource = new Map<string, Resource>();
  readonly #byKind = new Map<string, Resource>();
  readonly #followers = new Map<string, Set<(isReplaced: boolean) => void>>();
  #generation = 0;

  constructor(schemas: SchemaRegistry, kinds: readonly KindDefinition[]) {
    this.#schemas = schemas;
    for (const kind of kinds) this.register(kind);
  }

  /** Rises with every change, so that discovery and OpenAPI know when they are stale. */
  get generation(): number {
    return this.#generation;
  }

  register(kind: KindDefinition): Resource {
    const resource = makeResource(kind, this.#schemas);
    const resourceKey = key(kind.group, kind.version, kind.plural);
    const kindKey = key(kind.group, kind.version, kind.kind);
    assert(!this.#byResource.has(resourceKey), `resource ${resourceKey} is registered once`);
    assert(!this.#byKind.has(kindKey), `kind ${kindKey} is registered once`);
    this.#byResource.set(resourceKey, resource);
    this.#byKind.set(kindKey, resource);
    this.#generation++;
    return resource;
  }

  /** `isReplaced`: another of the same name is registered next. */
  unregister({ group, version, plural }: Pick<KindDefinition, 'group' | 'version' | 'plural'>, isReplaced: boolean): void {
    const resource = this.find(group, version, plural);
    if (resource === undefined) return;
    this.#byResource.delete(key(group, version, plural));
    this.#byKind.delete(key(group, version, resource.kind.kind));
    this.#generation++;
    for (const tell of this.#followers.get(key(group, version, plural)) ?? []) tell(isReplaced);
  }

  /** Calls back when the resource is served no more as it is now, until told to stop. */
  whenUnregistered({ group, version, plural }: KindDefinition, tell: (isReplaced: boolean) => void): () => void {
    const resourceKey = key(group, version, plural);
    const followers = this.#followers.get(resourceKey) ?? new Set();
    this.#followers.set(resourceKey, followers.add(tell));
    return () => {
      followers.delete(tell);
      if (followers.size === 0 && this.#followers.get(resourceKey) === followers) this.#followers.delete(resourceKey);
    };
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byResource.get(key(group, version, plural));
  }

  findKind(group: string, version: string, kind: string): Resource | undefined {
    return this.#byKind.get(key(group, version, kind));
  }

  /** Any version of a group's resource, the one that is stored if there is a choice. */
  findStored(group: string, plural: string): Resource | undefined {
    let found: Resource | undefined;
    for (const resource of this.#byResource.values()) {
      if (resource.kind.group !== group || resource.kind.plural !== plural) continue;
      if (resource.kind.storage === undefined) return resource;
      found ??= resource;
    }
    return found;
  }

  /** The resource whose version is stored; itself for most. */
  storageOf(resource: Resource): Resource {
    const storage = resource.kind.storage;
    if (storage === undefined) return resource;
    const stored = this.find(storage.group ?? resource.kind.group, storage.version, resource.kind.plural);
    assert(stored, `${resource.apiVersion} ${resource.kind.kind} names a stored version that exists`);
    return stored;
  }

  hasGroup(group: string): boolean {
    for (const { kind } of this.#byResource.values()) if (kind.group === group) return true;
    return false;
  }

  /** In order of registration. */
  list(): readonly Resource[] {
    return [...this.#byResource.values()];
  }
}

function key(group: string, version: string, name: string): string {
  return `${group}/${version}/${name}`;
}

function makeResource(kind: KindDefinition, schemas: SchemaRegistry): Resource {
  const schema = typeof kind.schema === 'string' ? schemas.mustGet(kind.schema) : kind.schema;
  const fields: readonly FieldSchema[] = schema.fields;
  const status = statusDefinition(kind);
  return {
    kind,
    apiVersion: formatGroupVersion(kind),
    listKind: kind.listKind ?? `${kind.kind}List`,
    verbs: kind.verbs ?? allVerbs,
    schema,
    schemaName: schema.name,
    groupResource: { group: kind.group, resource: kind.plural },
    prefix: `/registry/${kind.storagePrefix}/`,
    hasGeneration: kind.hasGeneration ?? fields.some((field) => field.name === 'spec'),
    hasStatus: status !== undefined,
    subresources: new Map([...(status === undefined ? [] : [['status', status] as const]), ...Object.entries(kind.subresources ?? {})]),
  };
}

/** Whether clients get the very objects that are stored. */
export function isReadAsStored({ kind }: Pick<Resource, 'kind'>): boolean {
  return kind.storage === undefined && kind.readStored === undefined && kind.conversion === undefined && kind.emptyBytes === undefined;
}

/** The key of an object. */
export function objectKey(resource: Resource, namespace: string | undefined, name: string): string {
  return flat(resource.kind.namespaced ? [resource.prefix, namespace ?? '', '/', name] : [resource.prefix, name]);
}

/** The prefix under which a list or watch looks. */
export function listPrefix(resource: Resource, namespace: string | undefined): string {
  return resource.kind.namespaced && namespace !== undefined && namespace !== '' ? `${resource.prefix}${namespace}/` : resource.prefix;
}
