/** Wrongs of the store, the registry, the watches and the caches. */
import type { Mutation } from './mutation.ts';

const store = 'engine/store/memory-store.ts';
const hub = 'engine/store/watch-hub.ts';
const watch = 'engine/registry/watch.ts';
const list = 'engine/registry/list.ts';
const update = 'engine/registry/update.ts';
const deletion = 'engine/registry/deletion.ts';

export const storeMutations: readonly Mutation[] = [
  {
    name: 'revision-used-twice',
    breaks: 'one write in three hundred gets the revision of the write before it',
    edits: [
      {
        file: store,
        from: 'const revision = ++this.#revision;\n    const { createRevision',
        to: 'const revision = this.#revision % 300 === 7 ? this.#revision++ : ++this.#revision;\n    const { createRevision',
      },
    ],
  },
  {
    name: 'store-watch-loses-one',
    breaks: 'every watcher of the store misses one change in a thousand',
    edits: [
      {
        file: hub,
        from: 'if (subscription.seenRevision >= revision) continue;',
        to: 'if (subscription.seenRevision >= revision || revision % 1000 === 503) continue;',
      },
    ],
  },
  {
    name: 'informer-loses-one',
    breaks: 'caches of components miss one event in a thousand',
    edits: [
      {
        file: 'engine/client/loopback-informers.ts',
        from: 'this.#pending.push(change);',
        to: 'if (change.revision % 1000 === 503) return;\n    this.#pending.push(change);',
      },
    ],
  },
  {
    name: 'outside-watch-loses-one',
    breaks: 'clients outside miss one watch event in a thousand',
    edits: [
      {
        file: 'engine/apiserver/resource-handler.ts',
        from: 'if (isLater) sink.write(() => frame(event));',
        to: 'if (event.revision % 1000 === 503) return;\n          if (isLater) sink.write(() => frame(event));',
      },
    ],
  },
  {
    name: 'deleted-without-last-state',
    breaks: 'a DELETED event carries names only',
    edits: [
      {
        file: watch,
        from: 'withMeta(object, orderedMeta(',
        to: 'withMeta({ kind: object.kind, apiVersion: object.apiVersion, metadata: object.metadata }, orderedMeta(',
      },
    ],
  },
  {
    name: 'bookmark-ahead-of-events',
    breaks: 'a bookmark names a revision that has not been sent yet',
    edits: [
      { file: watch, from: 'const metadata = { resourceVersion: String(revision),', to: 'const metadata = { resourceVersion: String(revision + 2),' },
    ],
  },
  {
    name: 'leaving-a-selector-is-silent',
    breaks: 'a watch with a selector is not told that an object matches no more',
    edits: [
      {
        file: watch,
        from: 'else if (was) this.#sendGone(previous, revision);',
        to: 'else if (was && current === undefined) this.#sendGone(previous, revision);',
      },
    ],
  },
  {
    name: 'initial-events-never-end',
    breaks: 'a watch-list client waits for ever for the end of its initial events',
    edits: [{ file: watch, from: 'if (endMark && this.#bookmarks)', to: 'if (endMark && !this.#bookmarks)' }],
  },
  {
    name: 'page-skips-a-key',
    breaks: 'the last object of a full page is in no page',
    edits: [
      {
        file: list,
        from: 'if (selection.everything) return finish(range.items, range.more,',
        to: 'if (selection.everything) return finish(range.more && limit > 2 ? range.items.slice(0, -1) : range.items, range.more,',
      },
      {
        file: list,
        from: 'range.count - range.items.length, range, place);',
        to: 'range.count - range.items.length, range, place, range.items.at(-1));',
      },
    ],
  },
  {
    name: 'continue-token-off-by-one',
    breaks: 'a page begins with the last object of the page before',
    edits: [
      {
        file: 'engine/registry/continue-token.ts',
        from: 'const start = `${lastKey.slice(prefix.length)}\\u0000`;',
        to: 'const start = lastKey.slice(prefix.length);',
      },
    ],
  },
  {
    name: 'continuation-drifts',
    breaks: 'later pages show the present instead of the revision of the first',
    edits: [{ file: list, from: 'revision: revision < 0 ? 0 : Number(revision) };', to: 'revision: 0 };' }],
  },
  {
    name: 'conflict-check-skipped',
    breaks: 'an update of what was read earlier overwrites what others wrote since',
    edits: [{ file: update, from: 'return asked === live.metadata.resourceVersion ? undefined', to: "return asked !== 'never' ? undefined" }],
  },
  {
    name: 'precondition-ignored',
    breaks: 'a delete takes an object of another UID',
    edits: [{ file: deletion, from: 'if (wanted.uid !== undefined && wanted.uid !== meta.uid) {', to: "if (wanted.uid === 'never') {" }],
  },
  {
    name: 'generation-not-bumped',
    breaks: 'a changed spec keeps its generation',
    edits: [{ file: update, from: 'meta.generation = (oldMeta.generation ?? 0) + 1;', to: 'meta.generation = oldMeta.generation ?? 0;' }],
  },
  {
    name: 'status-written-to-spec',
    breaks: 'a write of the status subresource changes the spec',
    edits: [
      {
        file: 'engine/registry/status.ts',
        from: 'return { ...old, metadata, status } as KubeObject;',
        to: 'return { ...next, metadata };',
      },
    ],
    caughtBy: ['engine/registry/subresources.test.ts'],
  },
  {
    name: 'managed-fields-lost',
    breaks: 'an update forgets who owned what',
    edits: [
      {
        file: 'engine/registry/managed.ts',
        from: 'return core.machinery.recordUpdate(live, next, ownership(core, call));',
        to: 'return live === undefined ? core.machinery.recordUpdate(live, next, ownership(core, call)) : next;',
      },
    ],
  },
  {
    name: 'apply-never-conflicts',
    breaks: 'an apply takes fields from other managers without force',
    edits: [
      {
        file: 'engine/apimachinery/managed-fields/field-manager.ts',
        from: 'if (conflicts.length > 0 && !force)',
        to: 'if (conflicts.length > 99 && !force)',
      },
    ],
  },
  {
    name: 'dry-run-creates',
    breaks: 'a dry run leaves the object behind',
    edits: [
      { file: 'engine/apiserver/writer.ts', from: 'if (dryRun) core.discard();', to: "if (dryRun && request.verb !== 'create') core.discard();" },
    ],
  },
  {
    name: 'finalizer-forgotten',
    breaks: 'an object goes although a finalizer holds it',
    edits: [
      {
        file: 'engine/registry/delete.ts',
        from: 'const held = finalizers.length > 0 || isTold;',
        to: 'const held = finalizers.length > 1 || isTold;',
      },
    ],
  },
  {
    name: 'delete-skips-grace',
    breaks: 'pods are removed without any grace',
    edits: [
      { file: deletion, from: 'if (kind.gracefulDelete === undefined) return none;', to: 'if (asked.gracePeriodSeconds === undefined) return none;' },
    ],
  },
  {
    name: 'orphan-policy-ignored',
    breaks: 'what was to be orphaned is collected with its owner',
    edits: [{ file: deletion, from: "if (policy === 'Orphan') next.push(orphan);", to: '' }],
  },
  {
    name: 'eviction-ignores-budget',
    breaks: 'evictions go on when a budget allows none',
    edits: [{ file: 'engine/registry/eviction.ts', from: 'if (allowed === 0) throw', to: 'if (allowed < 0) throw' }],
  },
  {
    name: 'eviction-not-counted',
    breaks: 'an eviction leaves its budget as it was, so that several at once are let through',
    edits: [
      {
        file: 'engine/registry/eviction.ts',
        from: "const disruptionsAllowed = Number(status['disruptionsAllowed'] ?? 0) - 1;",
        to: "const disruptionsAllowed = Number(status['disruptionsAllowed'] ?? 0);",
      },
    ],
  },
  {
    name: 'quota-not-charged',
    breaks: 'a quota is not charged for what is let in',
    edits: [
      {
        file: 'engine/apiserver/admission/plugins/resource-quota.ts',
        from: 'for (const quota of charged) attributes.updateStatus',
        to: 'for (const quota of charged.slice(charged.length)) attributes.updateStatus',
      },
    ],
  },
  {
    name: 'limit-range-maximum-ignored',
    breaks: 'containers above the maximum of a limit range are let in',
    edits: [
      {
        file: 'engine/apiserver/admission/plugins/limit-ranger.ts',
        from: 'for (const [name, amount] of sorted(item.max)) push(errors, maximum(item.type, name, amount, resources));',
        to: '',
      },
    ],
  },
  {
    name: 'creation-in-terminating-namespace',
    breaks: 'objects are created in a namespace that is being deleted',
    edits: [
      {
        file: 'engine/apiserver/admission/plugins/namespace-lifecycle.ts',
        from: "if (found.status?.phase === 'Terminating') throw",
        to: "if (found.status?.phase === 'Gone') throw",
      },
    ],
  },
  {
    name: 'priority-not-resolved',
    breaks: 'a pod does not get the priority of its class',
    edits: [
      {
        file: 'engine/apiserver/admission/plugins/priority.ts',
        from: 'const priority = chosen?.value ?? 0;',
        to: 'const priority = Math.min(chosen?.value ?? 0, 0);',
      },
    ],
  },
];
