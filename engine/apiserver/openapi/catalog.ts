/** All that is served, ready to be described: paths by group and version, messages by name, and which kinds a message is. */
import type { GroupVersion } from '../../apimachinery/object.ts';
import type { JsonObject } from '../../base/json.ts';
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../../apimachinery/schema.ts';
import { isCustom } from '../../contracts/kind.ts';
import { type ObjectBody, type RestStorage, verbsOf } from '../../contracts/rest-storage.ts';
import { returnsDeletedObject } from '../../registry/deletion.ts';
import { noRelease, type ServedRelease } from '../non-resource.ts';
import type { ApiServer } from '../pipeline.ts';
import type { ServedResource } from '../storage/rest-storages.ts';
import { connectPaths, logPath } from './connect-paths.ts';
import { makeCustomDefinition, makeCustomList, type CustomList } from './custom-definitions.ts';
import { makeDefinition, type Definition } from './definitions.ts';
import { Descriptions } from './descriptions.ts';
import type { Dialect } from './dialect.ts';
import { discoveryPaths, issuerDocuments, resourcesPath, versionInfo, type DiscoveryPath } from './discovery-paths.ts';
import { saidToAnswerStatus } from './markers.ts';
import { withCbor } from './media-types.ts';
import type { Parameter, PathEntry } from './operation.ts';
import { ParameterWords } from './parameter-words.ts';
import { objectSubresourcePath, resourcePaths, statusDefinition, type BodyKind, type PathSubject } from './resource-paths.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** Messages that belong to every group and version. */
const everywhere: readonly string[] = ['DeleteOptions', 'WatchEvent'];
const ofTheRoot: readonly string[] = ['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'Status', ...everywhere];

export interface ServedVersion extends GroupVersion {
  readonly paths: readonly PathEntry[];
  /** Served as custom resources, which are described by another server: not what discovery is, and under a name of their own. */
  readonly isCustom: boolean;
}

export interface CatalogOptions {
  readonly server: ApiServer;
  readonly schemas: SchemaRegistry;
  readonly release?: ServedRelease;
  /** `openAPIV3Schema` of a custom resource; undefined for kinds that have a message. */
  customSchema?(group: string, version: string, kind: string): JsonObject | undefined;
  /** What fields are for; nothing is said of them without. */
  readonly descriptions?: Descriptions | undefined;
  /** What parameters are for; the same. */
  readonly parameterWords?: ParameterWords | undefined;
  /** Whether possible values of fields are listed; not without. */
  readonly listsValues?: boolean;
  /** Whether the server tells who issues its tokens. */
  readonly publishesIssuer?: boolean;
}

function inCbor({ operations, ...path }: PathEntry): PathEntry {
  return { ...path, operations: operations.map((one) => ({ ...one, consumes: withCbor(one.consumes), produces: withCbor(one.produces) })) };
}

/** Without what nobody reads yet. */
function withoutQueries({ operations, ...path }: PathEntry, later: ReadonlySet<string>): PathEntry {
  const isKnown = ({ in: place, name }: Parameter): boolean => place === 'path' || !later.has(name);
  return { ...path, operations: operations.map((one) => ({ ...one, parameters: one.parameters.filter(isKnown) })) };
}

export class Catalog {
  readonly versions: readonly ServedVersion[];
  /** Paths that are of no version of a group. */
  readonly discovery: readonly DiscoveryPath[];
  /** Of the product that the documents describe. */
  readonly productVersion: string;
  /** All that the server knows, whether it serves it or not. */
  readonly known: readonly GroupVersion[];
  readonly #options: CatalogOptions;
  readonly #descriptions: Descriptions;
  readonly #words: ParameterWords;
  readonly #own = new Map<string, MessageSchema>();
  readonly #kinds = new Map<string, JsonObject[]>();
  readonly #custom = new Map<string, JsonObject>();
  readonly #customLists = new Map<string, CustomList>();
  /** Paths of fields that selectors may name, by definition of a custom resource and of its list. */
  readonly #selectable = new Map<string, readonly string[]>();

  constructor(options: CatalogOptions) {
    this.#options = options;
    this.#descriptions = options.descriptions ?? new Descriptions(() => undefined, []);
    this.#words = options.parameterWords ?? new ParameterWords(() => undefined);
    this.productVersion = versionOf(options.release ?? noRelease);
    this.#own.set(versionInfo, versionMessage);
    for (const kind of ofTheRoot) this.#name(`${meta}.${kind}`, { group: '', kind, version: 'v1' });
    const omitsCustom = options.release?.openApi?.omitsCustom === true;
    const shown = options.server.storages.list().filter(([{ kind }]) => kind.visibility === undefined && !(omitsCustom && isCustom(kind)));
    const later = new Set(options.release?.laterQueries);
    const versions = new Map<string, { readonly group: string; readonly version: string; readonly paths: PathEntry[]; readonly isCustom: boolean }>();
    for (const served of shown) {
      const { kind } = served[0];
      const { group, version } = kind;
      const key = `${group}/${version}`;
      const entry = versions.get(key) ?? { group, version, paths: isCustom(kind) ? [] : [resourcesPath(kind)], isCustom: isCustom(kind) };
      versions.set(key, entry);
      entry.paths.push(...this.#paths(served).map((path) => withoutQueries(path, later)));
    }
    const hasCbor = options.server.registry.core.featureEnabled('CBORServingAndStorage');
    const described = hasCbor ? [...versions.values()].map((one) => ({ ...one, paths: one.paths.map(inCbor) })) : [...versions.values()];
    this.versions = described.sort(byGroup);
    const unlisted = Object.entries(options.release?.unlistedVersions ?? {}).flatMap(([group, all]) => all.map((version) => ({ group, version })));
    const others = unlisted.filter(({ group, version }) => !versions.has(`${group}/${version}`));
    this.known = [...this.versions.map(({ group, version }) => ({ group, version })), ...others].sort(byGroup);
    const groups = [...new Set(shown.filter(([{ kind }]) => !isCustom(kind)).map(([{ kind }]) => kind.group))].filter((group) => group !== '').sort();
    this.discovery = [...discoveryPaths(groups, options.release?.openApi?.ofVersion), ...(options.publishesIssuer === true ? issuerDocuments : [])];
  }

  /** A message by the name of its definition. */
  readonly lookup = (name: string): MessageSchema | undefined => this.#own.get(name) ?? this.#options.schemas.get(name);

  define(name: string, dialect: Dialect): Definition {
    const list = this.#customLists.get(name);
    if (list !== undefined) return makeCustomList(list, dialect, this.#descriptions);
    const custom = this.#custom.get(name);
    return custom === undefined
      ? makeDefinition(name, { dialect, lookup: this.lookup, descriptions: this.#descriptions, listsValues: this.#options.listsValues === true })
      : makeCustomDefinition(custom, dialect, this.#descriptions);
  }

  /** `x-kubernetes-selectable-fields` of a definition. */
  selectableOf(name: string): readonly JsonObject[] {
    return (this.#selectable.get(name) ?? []).map((fieldPath) => ({ fieldPath }));
  }

  /** `x-kubernetes-group-version-kind` of a message, in a document about `versions`. */
  kindsOf(name: string, versions: readonly GroupVersion[]): readonly JsonObject[] {
    const known = this.#kinds.get(name) ?? [];
    const common = everywhere.find((kind) => name === `${meta}.${kind}`);
    if (common === undefined) return known;
    const others = versions.filter(({ group, version }) => group !== '' || version !== 'v1');
    return [...known, ...others.map(({ group, version }) => ({ group, kind: common, version }))];
  }

  #paths([storage, ...subresources]: ServedResource): readonly PathEntry[] {
    const subject = this.#subject(storage);
    return [...resourcePaths(subject), ...subresources.flatMap((subresource) => this.#subresource(subject, subresource))];
  }

  #subresource(subject: PathSubject, storage: RestStorage): readonly PathEntry[] {
    const { subresource, body, connect } = storage;
    if (connect === undefined) return [objectSubresourcePath(subject, subresource, verbsOf(storage), body.foreign ? this.#body(body) : subject)];
    if (body.foreign) return connectPaths(subject, subresource, this.#body(body), body.schema);
    const options = this.lookup('io.k8s.api.core.v1.PodLogOptions');
    return options === undefined ? [] : [logPath(subject, options)];
  }

  #subject(storage: RestStorage): PathSubject {
    const { kind } = storage;
    const { group, version, plural, namespaced } = kind;
    for (const message of kind.schemas ?? []) this.#own.set(message.name, message);
    if (typeof kind.schema !== 'string') this.#own.set(kind.schema.name, kind.schema);
    const definition = typeof kind.schema === 'string' ? kind.schema : kind.schema.name;
    const { release = noRelease } = this.#options;
    const requests = release.openApi?.requests;
    const custom = this.#options.customSchema?.(group, version, kind.kind);
    if (custom !== undefined) this.#custom.set(definition, custom);
    const verbs = verbsOf(storage);
    const listKind = kind.listKind ?? `${kind.kind}List`;
    const listDefinition = definition.slice(0, definition.lastIndexOf('.') + 1) + listKind;
    if (custom !== undefined) for (const one of [definition, listDefinition]) this.#selectable.set(one, Object.keys(kind.selectableFields ?? {}));
    // A resource that is nothing but a name is none of a kind.
    if (verbs.length > 0) this.#name(definition, { group, kind: kind.kind, version });
    if (verbs.includes('list')) {
      this.#name(listDefinition, { group, kind: listKind, version });
      if (custom !== undefined) this.#customLists.set(listDefinition, { item: definition, kind: kind.kind, listKind, plural });
      if (this.lookup(listDefinition) === undefined) this.#own.set(listDefinition, listMessage(listDefinition, definition));
    }
    return {
      group,
      version,
      kind: kind.kind,
      definition,
      plural,
      namespaced,
      listDefinition,
      deletedDefinition:
        requests?.keepsDeleted !== true && returnsDeletedObject(kind) && !saidToAnswerStatus.has(definition) ? definition : statusDefinition,
      verbs,
      isCustom: isCustom(kind),
      words: this.#words,
      told: requests,
      isApplied: release.servesApply,
    };
  }

  #body({ group, version, kind, schema: { name } }: ObjectBody): BodyKind {
    if (name !== statusDefinition) this.#name(name, { group, kind, version });
    return { group, version, kind, definition: name };
  }

  #name(definition: string, gvk: JsonObject): void {
    const known = this.#kinds.get(definition) ?? [];
    if (!known.some((other) => other['group'] === gvk['group'] && other['version'] === gvk['version'] && other['kind'] === gvk['kind']))
      this.#kinds.set(definition, [...known, gvk]);
  }
}

function byGroup(a: GroupVersion, b: GroupVersion): number {
  return a.group === b.group ? (a.version < b.version ? -1 : 1) : a.group < b.group ? -1 : 1;
}

/** Of the API: releases that emulate others say which that is. */
function versionOf({ gitVersion, version }: ServedRelease): string {
  const { emulationMajor, emulationMinor } = version;
  return emulationMajor === undefined ? gitVersion : `${emulationMajor}.${emulationMinor}`;
}

function text(name: string, required: boolean): FieldSchema {
  return { name, number: 0, type: 'string', card: 'one', omitEmpty: !required, pointer: false, ...(required ? { required } : undefined) };
}

/** Lists of kinds that upstream does not have. */
function listMessage(name: string, item: string): MessageSchema {
  const items: FieldSchema = { name: 'items', number: 2, type: { message: item }, card: 'list', omitEmpty: false, pointer: false, required: true };
  const metadata: FieldSchema = { name: 'metadata', number: 1, type: { message: `${meta}.ListMeta` }, card: 'one', omitEmpty: true, pointer: false };
  return { name, fields: [text('kind', false), text('apiVersion', false), metadata, items] };
}

/** What `/version` answers; it has no protobuf form and so no generated table. */
const versionMessage: MessageSchema = {
  name: versionInfo,
  fields: [
    ...['major', 'minor'].map((name) => text(name, true)),
    ...['emulationMajor', 'emulationMinor', 'minCompatibilityMajor', 'minCompatibilityMinor'].map((name) => text(name, false)),
    ...['gitVersion', 'gitCommit', 'gitTreeState', 'buildDate', 'goVersion', 'compiler', 'platform'].map((name) => text(name, true)),
  ],
};
