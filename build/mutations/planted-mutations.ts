/** Wrongs that somebody might plant where all stand on: store, registry, client, scheduler cache and queue, kubelet, persistence, serving. */
import type { Mutation } from './mutation.ts';

const keyIndex = 'engine/store/key-index.ts';
const memoryStore = 'engine/store/memory-store.ts';
const transaction = 'engine/store/transaction.ts';
const storeTests = ['engine/store', 'test/model'];
const update = 'engine/registry/update.ts';
const deletion = 'engine/registry/deletion.ts';
const registryTests = ['engine/registry', 'test/contract/registry.contract.test.ts'];
const cache = 'engine/scheduler/cache.ts';
const queue = 'engine/scheduler/queue.ts';
const schedulerTests = ['engine/scheduler'];
const informers = 'engine/client/loopback-informers.ts';
const clientTests = ['engine/client'];
const stopPod = 'engine/nodes/kubelet/stop-pod.ts';
const probes = 'engine/nodes/kubelet/probes.ts';
const nodeTests = ['engine/nodes'];
const body = 'engine/serving/request-body.ts';
const streams = 'engine/serving/open-streams.ts';
const servingTests = ['engine/serving'];

export const plantedMutations: readonly Mutation[] = [
  {
    name: 'dead-keys-live-in-old-lists',
    breaks: 'a list at an old revision shows an object that had been deleted by then',
    edits: [
      {
        file: keyIndex,
        from: 'return version instanceof Version ? version : undefined;',
        to: 'return version instanceof Version ? version : version?.before;',
      },
    ],
    caughtBy: storeTests,
  },
  {
    name: 'old-lists-end-too-soon',
    breaks: 'a page of an old revision misses those deleted since behind its last living object',
    edits: [
      {
        file: keyIndex,
        from: 'while (nextDead < dead.length && items.length < limit) items',
        to: 'while (nextDead < dead.length && items.length === 0) items',
      },
    ],
    caughtBy: storeTests,
  },
  {
    name: 'forgetting-takes-one-too-many',
    breaks: 'at the floor of what is retained an object is not there',
    edits: [
      {
        file: keyIndex,
        from: 'while (version !== undefined && version.modRevision > floor) version = version.before;',
        to: 'while ((version?.before?.modRevision ?? 0) > floor) version = version?.before;',
      },
    ],
    caughtBy: storeTests,
  },
  {
    name: 'old-count-ignores-births',
    breaks: 'remainingItemCount of an old page counts what came later',
    edits: [{ file: memoryStore, from: 'else if (previous === undefined) count--;', to: '' }],
    caughtBy: storeTests,
  },
  {
    name: 'commit-compares-nothing',
    breaks: 'two attempts at one key both win',
    edits: [
      {
        file: memoryStore,
        from: 'if (expected !== undefined && (this.#index.get(key)?.modRevision ?? 0) !== expected)',
        to: "if (expected !== undefined && key === '')",
      },
      { file: transaction, from: 'if (expected !== undefined && (revision !== expected || revision > this.#baseRevision)) return key;', to: '' },
    ],
    caughtBy: storeTests,
  },
  {
    name: 'weight-only-grows',
    breaks: 'the store says it is full after enough updates of one object',
    edits: [
      {
        file: memoryStore,
        from: '(current?.weight ?? 0) - (previous?.weight ?? 0)',
        to: '(current?.weight ?? 0) - (current === undefined ? (previous?.weight ?? 0) : 0)',
      },
    ],
    caughtBy: storeTests,
  },
  {
    name: 'range-shows-what-was-removed',
    breaks: 'a request that removed an object still lists it',
    edits: [{ file: transaction, from: 'if (now === undefined) merged.delete(key);', to: 'if (now === undefined) continue;' }],
    caughtBy: storeTests,
  },
  {
    name: 'encodings-outlive-their-version',
    breaks: 'clients get wire forms of another media type',
    edits: [
      {
        file: 'engine/store/version.ts',
        from: 'this.#wire.get(mediaKey) : undefined;',
        to: '(this.#wire.get(mediaKey) ?? [...this.#wire.values()][0]) : undefined;',
      },
    ],
    caughtBy: ['test/contract/forms.contract.test.ts'],
  },
  {
    name: 'creation-time-is-the-clients',
    breaks: 'an update may say when an object was made',
    edits: [
      {
        file: update,
        from: 'if (oldMeta.creationTimestamp) meta.creationTimestamp = oldMeta.creationTimestamp;',
        to: 'meta.creationTimestamp ??= oldMeta.creationTimestamp as string;',
      },
    ],
    caughtBy: registryTests,
  },
  {
    name: 'deletion-can-be-taken-back',
    breaks: 'an update without a deletionTimestamp brings a terminating object back',
    edits: [{ file: update, from: 'if (oldMeta.deletionTimestamp) meta.deletionTimestamp = oldMeta.deletionTimestamp;', to: '' }],
    caughtBy: registryTests,
  },
  {
    name: 'last-finalizer-leaves-a-ghost',
    breaks: 'an object whose last finalizer goes stays',
    edits: [
      {
        file: update,
        from: 'if (completesDeletion(storage.kind, next, old)) {',
        to: "if (completesDeletion(storage.kind, next, old) && storage.kind.kind === 'Pod') {",
      },
    ],
    caughtBy: registryTests,
  },
  {
    name: 'grace-grows',
    breaks: 'a second deletion with more grace makes a pod stay longer',
    edits: [
      { file: deletion, from: 'if (period === undefined || period >= current) return', to: 'if (period === undefined || period === current) return' },
    ],
    caughtBy: registryTests,
  },
  {
    name: 'orphaning-is-forgotten',
    breaks: 'a second deletion in the background takes the orphan finalizer away only where it was first',
    edits: [{ file: deletion, from: 'finalizer !== orphan && finalizer !== foreground', to: 'finalizer !== foreground' }],
    caughtBy: registryTests,
  },
  {
    name: 'dry-run-draws',
    breaks: 'a dry run changes the names that are generated later',
    edits: [{ file: 'engine/registry/attempt.ts', from: 'if (!made.changes) made.draws.giveBack();', to: '' }],
    caughtBy: ['engine/cluster/door.test.ts', 'test/simulation/determinism.test.ts'],
  },
  {
    name: 'index-keeps-what-moved',
    breaks: 'a component finds a pod under the node that it was on',
    edits: [{ file: 'engine/client/informer-cache.ts', from: 'for (const value of before) remove(index, value, entry.key);', to: '' }],
    caughtBy: clientTests,
  },
  {
    name: 'relist-keeps-ghosts',
    breaks: 'a cache that lists anew keeps what was deleted meanwhile',
    edits: [
      {
        file: informers,
        from: 'if (this.synced) return this.replace(list.items);',
        to: 'if (this.synced) return list.items.forEach((object) => this.store(object, []));',
      },
    ],
    caughtBy: clientTests,
  },
  {
    name: 'broken-stream-skips-its-batch',
    breaks: 'what was on its way when a watch broke never comes',
    edits: [
      {
        file: informers,
        from: 'if (this.#options.weather?.breaks() === true) {',
        to: 'if (this.#options.weather?.breaks() === true) {\n      this.#revision = batch.at(-1)?.revision ?? this.#revision;',
      },
    ],
    caughtBy: ['engine/client', 'test/contract/faults.contract.test.ts'],
  },
  {
    name: 'burst-is-endless',
    breaks: 'a client that was idle for long may call without limit',
    edits: [
      {
        file: 'engine/client/rate-limiter.ts',
        from: 'Math.min(this.#burst, this.#tokens + ((nowMs - this.#atMs) / 1000) * this.#qps);',
        to: 'this.#tokens + ((nowMs - this.#atMs) / 1000) * this.#qps;',
      },
    ],
    caughtBy: clientTests,
  },
  {
    name: 'forgotten-pod-keeps-its-place',
    breaks: 'a pod whose binding failed takes room on its node for ever',
    edits: [{ file: cache, from: 'if (this.isAssumed(uid)) this.removePod(uid);', to: '' }],
    caughtBy: schedulerTests,
  },
  {
    name: 'returning-node-is-empty',
    breaks: 'a node that is deleted and comes back seems to have no pods',
    edits: [{ file: cache, from: 'for (const pod of this.#homeless.get(name)?.values() ?? []) this.#put(info, pod);', to: '' }],
    caughtBy: schedulerTests,
  },
  {
    name: 'labels-of-placed-pods-are-stale',
    breaks: 'affinity looks at the labels that a pod had when it was bound',
    edits: [{ file: cache, from: 'if (!sameJson(old.metadata.labels, next.metadata.labels) || a?.priority', to: 'if (a?.priority' }],
    caughtBy: schedulerTests,
  },
  {
    name: 'allocatable-change-goes-unseen',
    breaks: 'pods wait though their node has grown',
    edits: [{ file: cache, from: ' ||\n      !sameJson(old.status?.allocatable, node.status?.allocatable);', to: ';' }],
    caughtBy: schedulerTests,
  },
  {
    name: 'unschedulable-wait-for-ever',
    breaks: 'a pod that missed its event is never tried again',
    edits: [{ file: queue, from: 'if (nowMs - queued.timestampMs > this.#options.stayMs) this.#requeue', to: 'if (nowMs < 0) this.#requeue' }],
    caughtBy: schedulerTests,
  },
  {
    name: 'back-off-never-doubles',
    breaks: 'a pod whose binding fails again and again is tried every second',
    edits: [{ file: queue, from: 'queued.errorCount++;', to: 'queued.errorCount = 1;' }],
    caughtBy: schedulerTests,
  },
  {
    name: 'kill-comes-at-once',
    breaks: 'containers get no grace',
    edits: [{ file: stopPod, from: 'run.killMs = env.nowMs + graceMs;', to: 'run.killMs = env.nowMs + Math.min(graceMs, 1_000);' }],
    caughtBy: nodeTests,
  },
  {
    name: 'sidecars-go-first',
    breaks: 'sidecars are stopped together with what needs them',
    edits: [{ file: stopPod, from: "const others = running.filter((run) => run.role !== 'sidecar');", to: 'const others = running;' }],
    caughtBy: nodeTests,
  },
  {
    name: 'impatient-deletion-is-ignored',
    breaks: 'a second deletion with less grace changes nothing',
    edits: [{ file: stopPod, from: 'run.killMs = Math.min(run.killMs, env.nowMs + graceMs);', to: 'continue;' }],
    caughtBy: nodeTests,
  },
  {
    name: 'one-failed-probe-is-enough',
    breaks: 'a container is restarted at the first failed probe',
    edits: [{ file: probes, from: '(probe.failureThreshold ?? 3)', to: '1' }],
    caughtBy: nodeTests,
  },
  {
    name: 'startup-probe-does-not-hold-others',
    breaks: 'liveness is probed while a container still starts',
    edits: [
      {
        file: probes,
        from: "return !state.hold && (type === 'startup') === !run.started;",
        to: "return !state.hold && (type !== 'startup' || !run.started);",
      },
    ],
    caughtBy: nodeTests,
  },
  {
    name: 'rest-of-a-short-write-is-lost',
    breaks: 'a disk that takes part of a write loses the rest',
    edits: [{ file: 'engine/persistence/log-writer.ts', from: 'bytes = bytes.subarray(count);', to: 'bytes = bytes.subarray(bytes.length);' }],
    caughtBy: ['test/simulation/sessions.test.ts'],
  },
  {
    name: 'bodies-in-pieces-are-mixed-up',
    breaks: 'a body that comes in several pieces is put together wrongly',
    edits: [{ file: body, from: 'chunks.push(chunk);', to: 'chunks.unshift(chunk);' }],
    caughtBy: servingTests,
  },
  {
    name: 'body-budget-leaks',
    breaks: 'after enough uploads every body is refused',
    edits: [{ file: body, from: '      this.#heldBytes -= body.heldBytes;\n', to: '' }],
    caughtBy: servingTests,
  },
  {
    name: 'slow-reader-is-kept',
    breaks: 'a watch that never reads takes memory without end',
    edits: [{ file: streams, from: 'if (bytes > this.#limits.eachBytes) return true;', to: '' }],
    caughtBy: servingTests,
  },
  {
    name: 'end-forgets-the-rest',
    breaks: 'what a stream still had to tell when it ends is lost',
    edits: [{ file: streams, from: '      send(() => waiting.all());\n      response.end();', to: '      response.end();' }],
    caughtBy: servingTests,
  },
  {
    name: 'part-keeps-the-body',
    breaks: 'a short text of a long YAML body keeps the whole body in memory',
    edits: [{ file: 'engine/apimachinery/serializer/yaml.ts', from: 'return ownText(text);', to: 'return text;' }],
    caughtBy: ['test/contract/poison-kept.test.ts'],
  },
  {
    name: 'inherited-keys-are-labels',
    breaks: 'a selector on a label called constructor matches everything',
    edits: [
      {
        file: 'engine/component-helpers/node-affinity.ts',
        from: 'const value = getOwn(labels, requirement.key);',
        to: 'const value = labels[requirement.key];',
      },
    ],
    caughtBy: ['engine/component-helpers/node-affinity.test.ts'],
  },
  {
    name: 'waiting-informer-forgotten',
    breaks: 'a component that was refused a list knows nothing after a restart of what it knew before',
    edits: [{ file: 'engine/client/loopback-informers.ts', from: '    if (waited !== undefined) return this.#goOnWaiting(waited);\n', to: '' }],
    caughtBy: ['test/simulation/watches-that-ask.test.ts'],
  },
  {
    name: 'broken-refusal-hangs',
    breaks: 'a client whose upgrade is refused by a server that breaks off waits for ever',
    edits: [
      { file: 'engine/host/reach-upgrade.ts', from: 'pipeline(response, socket, () => undefined);', to: 'response.pipe(socket);' },
      {
        file: 'engine/host/reach-upgrade.ts',
        from: "import { type Duplex, pipeline } from 'node:stream';",
        to: "import type { Duplex } from 'node:stream';",
      },
    ],
    caughtBy: ['engine/host/reach-upgrade.test.ts'],
  },
  {
    name: 'long-lines-are-shown',
    breaks: 'what is wrong with a long expression is told a hundred times with the whole of it',
    edits: [
      { file: 'engine/cel/syntax.ts', from: '  if (text.length > snippetBytesMax || byteLength(text) > snippetBytesMax) return place;\n', to: '' },
    ],
    caughtBy: ['engine/cel/device.test.ts'],
  },
];
