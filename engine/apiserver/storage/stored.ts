/** Storages over the registry: a kind that is stored, and the subresources that are a part of its object. */
import type { KubeObject } from '../../apimachinery/object.ts';
import type { Ask } from '../../contracts/questions.ts';
import { isCustom, type SubresourceDefinition } from '../../contracts/kind.ts';
import type { ApiRequest, Verb } from '../../contracts/request.ts';
import type { Item, ListAnswer, ObjectBody, ObjectOperation, RestOperations, RestStorage, WatchOperation } from '../../contracts/rest-storage.ts';
import type { Core } from '../../registry/core.ts';
import { checkNameable } from '../../registry/missing.ts';
import { checkListOptions, checkWatchOptions } from '../../registry/list-options.ts';
import { checkNotTooLarge, listMeta, selectionOf } from '../../registry/list.ts';
import { patchScale, replaceScale } from '../../registry/patch.ts';
import { isReadAsStored, type Resource } from '../../registry/resource.ts';
import { mustBeReadable, throughCache } from '../../registry/readable.ts';
import { customScaleTable, getScale, scaleBodyOf, scaleTable } from '../../registry/scale.ts';
import { checkWatchable } from '../../registry/watch.ts';
import type { StoredValue } from '../../store/store.ts';
import { ConvertedEvents } from './converting-watch.ts';
import { foreignBody, ownBody } from './object-body.ts';
import type { StorageTools, WrittenPart } from './storage-tools.ts';

export function storedStorages(resource: Resource, tools: StorageTools): readonly RestStorage[] {
  const { kind } = resource;
  const body = ownBody(resource, tools.schemas);
  const printed = kind.hasTable === false ? undefined : kind;
  const operations = storedOperations(resource, tools);
  const all = only(resource.verbs, operations);
  const part = ([subresource, { verbs, bodyKind, tellsState, hasTable }]: readonly [string, SubresourceDefinition<KubeObject>]): RestStorage => ({
    kind,
    subresource,
    body: bodyKind === undefined ? body : foreignBody(bodyKind, tools.registry.table, tools.schemas),
    printed: tellsState === true && hasTable !== false ? printed : undefined,
    ...only(verbs, operations),
  });
  return [
    { kind, subresource: '', body, printed, ...all },
    ...(kind.scale === undefined ? [] : [scaleStorage(resource, tools)]),
    ...[...resource.subresources].map(part),
  ];
}

function scaleStorage(resource: Resource, tools: StorageTools): RestStorage {
  const { registry, writer } = tools;
  const bodyKind = scaleBodyOf(resource.kind);
  const whole = foreignBody(bodyKind, registry.table, tools.schemas);
  const { unnamed } = resource.kind.scale ?? {};
  const body: ObjectBody = {
    ...whole,
    ...(unnamed && { unnamed }),
    // Its type is in no scheme that users' own kinds are read by.
    ...(isCustom(resource.kind) && { misfitText: 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"' }),
  };
  const get: ObjectOperation = {
    changesState: false,
    run: (request, attempt) => {
      checkFresh(request, tools, resource);
      const object = getScale(readingCore(resource, tools, attempt.ask.bind(attempt)), resource, request.namespace ?? '', request.name ?? '');
      return () => ({ code: 200, object, warnings: [] });
    },
  };
  const part: WrittenPart = { bodyKind, update: replaceScale, patch: patchScale };
  const write: ObjectOperation = { changesState: true, run: (request, attempt) => writer.write(request, resource, attempt, part) };
  return {
    kind: resource.kind,
    subresource: 'scale',
    body,
    printed: isCustom(resource.kind) ? customScaleTable : scaleTable,
    get,
    update: write,
    patch: write,
  };
}

function only(verbs: readonly Verb[], operations: RestOperations): RestOperations {
  return Object.fromEntries(Object.entries(operations).filter(([name]) => verbs.includes(name as Verb)));
}

function storedOperations(resource: Resource, tools: StorageTools): RestOperations {
  const { registry, writer } = tools;
  const write: ObjectOperation = { changesState: true, run: (request, attempt) => writer.write(request, resource, attempt) };
  return {
    get: {
      changesState: false,
      run: (request, attempt) => {
        checkFresh(request, tools, resource);
        const core = readingCore(resource, tools, attempt.ask.bind(attempt));
        const object = registry.get(resource, request.namespace ?? '', request.name ?? '', core);
        return () => ({ code: 200, object, warnings: [] });
      },
    },
    list: { changesState: false, run: (request, ask, mayConvert) => listStored(request, resource, tools, mayConvert === true ? ask : undefined) },
    watch: watchStored(resource, tools),
    create: write,
    update: write,
    patch: write,
    delete: write,
    deletecollection: write,
  };
}

/** The version that a read of one object asks for is looked at once a key can be made of the name. */
function checkFresh(request: ApiRequest, tools: StorageTools, resource: Resource): void {
  if (!request.list?.resourceVersion) return;
  checkNameable(request.name ?? '');
  checkNotTooLarge(tools.registry.core, request.list.resourceVersion, resource);
}

/** What a read works with; only a kind that somebody converts has to be able to ask. */
function readingCore(resource: Resource, { registry }: StorageTools, ask: Ask | undefined): Core {
  return resource.kind.conversion === undefined || ask === undefined ? registry.core : registry.core.asking(ask);
}

function listStored(request: ApiRequest, resource: Resource, tools: StorageTools, ask: Ask | undefined): ListAnswer {
  const options = request.list ?? {};
  checkListOptions(options);
  const core = readingCore(resource, tools, ask);
  const result = throughCache(resource, options, () => {
    const listed = tools.registry.list(resource, request.namespace ?? '', options, core);
    // Components go on with what there is.
    if (ask !== undefined && resource.kind.unreadable !== undefined) for (const { value } of listed.stored) mustBeReadable(resource, value);
    return listed;
  });
  const toItem = isReadAsStored(resource)
    ? (stored: StoredValue<KubeObject>): Item => ({ object: stored.value, forms: stored })
    : (stored: StoredValue<KubeObject>): Item => new ConvertedItem(stored, () => core.fromStorage(stored.value, resource));
  return { metadata: listMeta(result), items: result.stored.map(toItem) };
}

/** An object of a version that is not the stored one, converted when it is first looked at: its wire form may be there already. */
class ConvertedItem implements Item {
  readonly forms: StoredValue<KubeObject>;
  readonly #convert: () => KubeObject;
  #object: KubeObject | undefined;

  constructor(stored: StoredValue<KubeObject>, convert: () => KubeObject) {
    this.forms = stored;
    this.#convert = convert;
  }

  get object(): KubeObject {
    this.#object ??= this.#convert();
    return this.#object;
  }
}

function watchStored(resource: Resource, { registry }: StorageTools): WatchOperation {
  const check = (request: ApiRequest): void => {
    const options = request.list ?? {};
    checkWatchOptions(options, registry.core.featureEnabled('WatchList'));
    checkWatchable(registry.core, resource, options);
  };
  return {
    changesState: false,
    check,
    run: (request, listener, _ask, later) => {
      check(request);
      const { core } = registry;
      const options = request.list ?? {};
      const namespace = request.namespace ?? '';
      if (resource.kind.conversion === undefined || later === undefined) return registry.watch(resource, namespace, options, listener);
      const events = new ConvertedEvents({ core, resource, selection: selectionOf(core, resource, options), later, listener });
      const handle = registry.watchChanges(resource, namespace, options, (event) => events.push(event));
      return {
        cancel: () => {
          events.cancel();
          handle.cancel();
        },
        tellProgress: () => handle.tellProgress?.(),
      };
    },
  };
}
