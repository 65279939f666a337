/**
 * Rows of a collection for the page: what is there now, in slices, then what changes. Made from stored objects by reference, one short
 * JSON text per revision however many pages look. A read: outside history.
 */
import { isPageRowName, type PageRowName, toPageRow } from '../component-helpers/page-rows.ts';
import { parseRequestInfo } from '../apiserver/request-info.ts';
import { newBadRequest, newNotFound } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { listPrefix, type Resource } from '../registry/resource.ts';
import { makeSelection } from '../registry/selection.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { Change, Store, StoredValue } from '../store/store.ts';

export interface RowSink {
  /** `json` is `{"metadata":{…},"row":…}`, without `row` for what is gone. */
  row(type: 'ADDED' | 'MODIFIED' | 'DELETED', json: string): void;
  synced(): void;
}

export interface RowSource {
  readonly store: Store<KubeObject>;
  readonly registry: ResourceRegistry;
  /** Runs `next` after others had their turn. */
  defer(next: () => void): void;
}

const sliceRows = 500;

/** Whether the page asks for rows: `/api/v1/pods?rows=pod`, `/api/v1/events?rows=event&newest=200`. */
export function asksForRows(query: URLSearchParams): boolean {
  return query.has('rows');
}

/** Follows the rows of `path`; throws a StatusError for what cannot be followed. Returns what ends it. */
export function watchRows(source: RowSource, path: string, query: URLSearchParams, sink: RowSink): () => void {
  const name = query.get('rows') ?? '';
  if (!isPageRowName(name)) throw newBadRequest(`rows=${name} is none of pod, node, event, lease`);
  const { resource, namespace } = findCollection(source.registry, path);
  const selection = makeSelection(resource, { labelSelector: query.get('labelSelector') ?? '', fieldSelector: query.get('fieldSelector') ?? '' });
  const wants = (stored: StoredValue<KubeObject> | undefined): stored is StoredValue<KubeObject> =>
    stored !== undefined && (selection.everything || selection.matchesStored(stored.value));
  const prefix = listPrefix(resource, namespace);
  const state = newestOf(source.store.range({ prefix }).items.filter(wants), Number(query.get('newest') ?? 0));
  const changes: Change<KubeObject>[] = [];
  let isSynced = false;
  let isOver = false;
  const tell = ({ current, previous }: Change<KubeObject>): void => {
    if (wants(current)) sink.row(previous === undefined ? 'ADDED' : 'MODIFIED', textOf(name, current));
    else if (wants(previous)) sink.row('DELETED', goneText(previous.value));
  };
  const watcher = source.store.watch({
    prefix,
    onChanges: (batch) => {
      if (isSynced) batch.forEach(tell);
      else changes.push(...batch);
    },
  });
  const send = (from: number): void => {
    if (isOver) return;
    const to = Math.min(from + sliceRows, state.length);
    for (let index = from; index < to; index++) sink.row('ADDED', textOf(name, state[index] as StoredValue<KubeObject>));
    if (to < state.length) {
      source.defer(() => send(to));
      return;
    }
    isSynced = true;
    for (const change of changes.splice(0)) tell(change);
    sink.synced();
  };
  send(0);
  return () => {
    isOver = true;
    watcher.cancel();
  };
}

function findCollection(registry: ResourceRegistry, path: string): { readonly resource: Resource; readonly namespace: string } {
  const info = parseRequestInfo('GET', path, true, undefined);
  const resource = info.isResource && info.name === '' ? registry.table.find(info.group, info.version, info.resource) : undefined;
  if (!info.isResource || resource === undefined) throw newNotFound({ group: '', resource: 'collections' }, path);
  return { resource, namespace: info.namespace };
}

/** In the order of their last change where only the newest are wanted, else in key order. */
function newestOf(all: readonly StoredValue<KubeObject>[], newest: number): readonly StoredValue<KubeObject>[] {
  if (!(newest > 0) || all.length <= newest) return all;
  return all.toSorted((a, b) => a.modRevision - b.modRevision).slice(-newest);
}

function textOf(name: PageRowName, stored: StoredValue<KubeObject>): string {
  return stored.getEncoding(
    `page ${name}`,
    () => `{"metadata":${identityText(stored.value)},"row":${JSON.stringify(toPageRow(name, stored.value))}}`,
  );
}

function goneText(object: KubeObject): string {
  return `{"metadata":${identityText(object)}}`;
}

function identityText({ metadata: { namespace, name } }: KubeObject): string {
  return JSON.stringify({ ...(namespace === undefined ? {} : { namespace }), name });
}
