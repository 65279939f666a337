/** Wrongs of the controllers and of what they remember. */
import type { Mutation } from './mutation.ts';

const expectations = 'engine/controllers/lib/expectations.ts';
const replicas = 'engine/controllers/lib/replica-controller.ts';
const lifecycle = 'engine/controllers/nodelifecycle/controller.ts';
const zones = 'engine/controllers/nodelifecycle/zones.ts';
const eviction = 'engine/controllers/taint-eviction/controller.ts';
const tolerations = 'engine/component-helpers/tolerations.ts';
const cron = 'engine/controllers/cronjob/sync.ts';
const job = 'engine/controllers/job/sync.ts';
const collector = 'engine/controllers/garbagecollector/controller.ts';

export const controllerMutations: readonly Mutation[] = [
  {
    name: 'expectation-skipped',
    breaks: 'a controller acts on a cache that has not seen its own creations',
    edits: [{ file: expectations, from: 'this.#byKey.set(key, { adds, deletes: 0,', to: 'this.#byKey.set(key, { adds: 0, deletes: 0,' }],
  },
  {
    name: 'one-replica-too-many',
    breaks: 'large sets get one pod more than they ask for',
    edits: [
      {
        file: replicas,
        from: 'const missing = spec.replicas - own.count;',
        to: 'const missing = spec.replicas + (spec.replicas > 3 ? 1 : 0) - own.count;',
      },
    ],
  },
  {
    name: 'job-one-pod-too-many',
    breaks: 'a Job runs one pod more at once than its parallelism allows',
    edits: [
      {
        file: job,
        from: 'const missing = wanted - active - (onlyReplacesFailed',
        to: 'const missing = wanted + (active > 0 ? 1 : 0) - active - (onlyReplacesFailed',
      },
    ],
  },
  {
    name: 'release-forgotten',
    breaks: 'a pod that matches no more keeps its controller',
    edits: [
      {
        file: 'engine/controllers/lib/controller-ref.ts',
        from: 'if (owner.metadata.deletionTimestamp === undefined) await release(options, object);',
        to: '',
      },
    ],
  },
  {
    name: 'two-owners',
    breaks: 'a set adopts pods that another controller has',
    edits: [
      {
        file: replicas,
        from: 'const orphans = this.#pods.byIndex(controllerIndex, orphansOf(owner.metadata.namespace));',
        to: 'const orphans = this.#pods.list(owner.metadata.namespace).filter((pod) => !own.includes(pod));',
      },
      { file: replicas, from: 'this.#isSettled(owner, spec) ?', to: 'owner.kind === "" ?' },
      {
        file: 'engine/controllers/lib/controller-ref.ts',
        from: 'if (reference.uid !== owner.metadata.uid) return false;',
        to: 'if (reference.uid !== owner.metadata.uid) return adopt(options, object, mayAdopt);',
      },
      { file: 'engine/apimachinery/validation.ts', from: 'if (reference.controller !== true) continue;', to: 'continue;' },
    ],
  },
  {
    name: 'surge-off-by-one',
    breaks: 'a rollout has one pod more at once than its surge allows',
    edits: [
      {
        file: 'engine/controllers/deployment/arithmetic.ts',
        from: 'const room = desired + maxSurgeOf(deployment) - totalSize(all);',
        to: 'const room = desired + maxSurgeOf(deployment) + 1 - totalSize(all);',
      },
    ],
  },
  {
    name: 'budget-counts-terminating-pods',
    breaks: 'pods on their way out count as healthy for a budget',
    edits: [
      {
        file: 'engine/controllers/disruption/controller.ts',
        from: "(pod) => pod.metadata.deletionTimestamp === undefined && disrupted[pod.metadata.name ?? ''] === undefined && isReady(pod),",
        to: "(pod) => disrupted[pod.metadata.name ?? ''] === undefined && isReady(pod),",
      },
    ],
  },
  {
    name: 'budget-rounds-down',
    breaks: 'a budget in percent protects one pod too few',
    edits: [
      {
        file: 'engine/controllers/disruption/expected.ts',
        from: "desired: scaledValue(minAvailable, expected, 'up') };",
        to: "desired: scaledValue(minAvailable, expected, 'down') };",
      },
    ],
  },
  {
    name: 'quota-status-forgets-deletions',
    breaks: 'a quota stays full when things are deleted',
    edits: [
      {
        file: 'engine/controllers/resourcequota/controller.ts',
        from: "if (keys.length === 0 || event.type !== 'update') return keys;",
        to: "if (keys.length === 0 || event.type !== 'update') return [];",
      },
    ],
  },
  {
    name: 'quota-trusts-its-cache',
    breaks: 'a quota keeps the charge of what went when something came in its place at once',
    edits: [
      {
        file: 'engine/controllers/resourcequota/controller.ts',
        from: 'const present = await this.#read(client, quota);',
        to: 'const present = quota;',
      },
    ],
    caughtBy: ['test/simulation/regressions/quota-after-replacement.test.ts'],
  },
  {
    name: 'endpoints-keep-not-ready',
    breaks: 'services lead to pods that are not ready',
    edits: [
      {
        file: 'engine/controllers/endpoint/subsets.ts',
        from: 'const ready = publishNotReady || isPodReady(pod);',
        to: "const ready = publishNotReady || isPodReady(pod) || pod.status?.phase === 'Running';",
      },
    ],
  },
  {
    name: 'slices-keep-terminating',
    breaks: 'endpoint slices call terminating pods ready',
    edits: [{ file: 'engine/controllers/endpointslice/desired.ts', from: '|| (serving && !terminating), serving,', to: '|| serving, serving,' }],
  },
  {
    name: 'job-counts-twice',
    breaks: 'a Job counts completions twice',
    edits: [
      {
        file: 'engine/controllers/job/tracking.ts',
        from: 'draft.succeeded += draft.uncountedSucceeded.length - succeeded.length;',
        to: 'draft.succeeded += 2 * (draft.uncountedSucceeded.length - succeeded.length);',
      },
    ],
  },
  {
    name: 'backoff-limit-off-by-one',
    breaks: 'a Job gives up one failure early',
    edits: [
      { file: job, from: 'if (this.#failed > (spec?.backoffLimit ?? 6)', to: 'if (this.#failed > 0 && this.#failed >= (spec?.backoffLimit ?? 6)' },
    ],
  },
  {
    name: 'ttl-ignored',
    breaks: 'finished Jobs stay for ever',
    edits: [
      {
        file: 'engine/controllers/ttl-after-finished/controller.ts',
        from: "return type !== 'delete' && needsCleanup(object) ? [keyOf(object)] : [];",
        to: "return type === 'add' && needsCleanup(object) ? [keyOf(object)] : [];",
      },
    ],
  },
  {
    name: 'ttl-half',
    breaks: 'finished Jobs go after half their time to live',
    edits: [
      {
        file: 'engine/controllers/ttl-after-finished/controller.ts',
        from: '(job.spec?.ttlSecondsAfterFinished ?? 0) * 1000',
        to: '(job.spec?.ttlSecondsAfterFinished ?? 0) * 500',
      },
    ],
  },
  {
    name: 'missed-run-is-run',
    breaks: 'a CronJob runs what it missed, past its starting deadline',
    edits: [
      {
        file: 'engine/controllers/cronjob/missed.ts',
        from: 'if (heedsDeadline && deadline !== undefined)',
        to: 'if (!heedsDeadline && deadline !== undefined)',
      },
      { file: cron, from: 'if (spec?.startingDeadlineSeconds !== undefined && atMs', to: 'if (spec?.startingDeadlineSeconds === 0 && atMs' },
    ],
  },
  {
    name: 'forbid-ignored',
    breaks: 'a CronJob that forbids it runs beside its own earlier run',
    edits: [
      {
        file: cron,
        from: "spec?.concurrencyPolicy === 'Forbid' && this.#active.length > 0",
        to: "spec?.concurrencyPolicy === 'Forbid' && this.#active.length > 1",
      },
    ],
  },
  {
    name: 'replaced-run-stays',
    breaks: 'a run that was to be replaced goes on',
    edits: [{ file: cron, from: "if (this.#cronJob.spec?.concurrencyPolicy === 'Replace') await this.#deleteActive();", to: '' }],
  },
  {
    name: 'suspension-ignored',
    breaks: 'a suspended CronJob runs',
    edits: [{ file: cron, from: 'const schedule = spec?.suspend === true ? undefined : this.#parse();', to: 'const schedule = this.#parse();' }],
  },
  {
    name: 'time-zone-ignored',
    breaks: 'a CronJob runs by UTC whatever its zone',
    edits: [{ file: 'engine/component-helpers/cron/schedule-text.ts', from: 'return `TZ=${spec.timeZone} ${schedule}`;', to: 'return schedule;' }],
  },
  {
    name: 'history-limit-ignored',
    breaks: 'a CronJob keeps one finished run too many',
    edits: [
      {
        file: 'engine/controllers/cronjob/removal.ts',
        from: 'Math.max(0, finished.length - limit)',
        to: 'Math.max(0, finished.length - limit - 1)',
      },
    ],
  },
  {
    name: 'toleration-seconds-ignored',
    breaks: 'pods go at once from nodes whose taints they tolerate for a while',
    edits: [
      {
        file: tolerations,
        from: 'Math.max(0, Number(tolerationSeconds)) * 1000',
        to: 'Math.max(0, Number(tolerationSeconds)) * 10',
      },
    ],
  },
  {
    name: 'tolerations-never-end',
    breaks: 'pods stay on tainted nodes past their toleration',
    edits: [
      {
        file: tolerations,
        from: 'if (tolerationSeconds !== undefined && tolerationSeconds !== null) shortest',
        to: 'if (Number(tolerationSeconds ?? 0) >= 300) shortest',
      },
    ],
  },
  {
    name: 'checkpoint-forgets-evictions',
    breaks: 'a restored cluster forgets which pods it was about to evict',
    edits: [{ file: eviction, from: "this.#work = environment.slots.map('work', workCodec);", to: 'this.#work = new Map();' }],
  },
  {
    name: 'checkpoint-forgets-zone-queues',
    breaks: 'a restored cluster forgets which nodes wait to be tainted',
    edits: [{ file: zones, from: "this.#zones = slots.map('zones', zoneCodec);", to: 'this.#zones = new Map();' }],
  },
  {
    name: 'eviction-rate-ignored',
    breaks: 'nodes of a zone are tainted all at once',
    edits: [
      { file: zones, from: "if (state !== 'PartialDisruption') return nodeEvictionRate;", to: "if (state !== 'PartialDisruption') return 10;" },
      { file: zones, from: 'new ZoneQueue(this.#options.nodeEvictionRate, nowMs)', to: 'new ZoneQueue(10, nowMs)' },
    ],
  },
  {
    name: 'secondary-eviction-rate-ignored',
    breaks: 'nodes of a zone that is mostly down are tainted as fast as ever',
    edits: [{ file: zones, from: "if (state !== 'PartialDisruption') return nodeEvictionRate;", to: 'return nodeEvictionRate;' }],
  },
  {
    name: 'lease-never-expires',
    breaks: 'silent nodes are called ready',
    edits: [
      {
        file: lifecycle,
        from: 'return status === undefined ? nodeStartupGracePeriodMs : nodeMonitorGracePeriodMs;',
        to: 'return 4 * (status === undefined ? nodeStartupGracePeriodMs : nodeMonitorGracePeriodMs);',
      },
    ],
  },
  {
    name: 'pods-of-lost-nodes-stay',
    breaks: 'pods of nodes that are gone stay for ever',
    edits: [
      {
        file: 'engine/controllers/podgc/controller.ts',
        from: '(this.#nodes.get(undefined, node) === undefined ? this.#pods.byIndex(podNodeIndex, node) : [])',
        to: '(this.#nodes.get(undefined, node) === null ? this.#pods.byIndex(podNodeIndex, node) : [])',
      },
    ],
  },
  {
    name: 'collects-what-has-an-owner',
    breaks: 'an object with two owners goes with the first of them',
    edits: [{ file: collector, from: 'if (solid.length > 0) {', to: 'if (solid.length > 0 && dangling.length === 0) {' }],
  },
  {
    name: 'foreground-does-not-wait',
    breaks: 'an owner deleted in the foreground goes before what blocks it',
    edits: [{ file: collector, from: 'if (blocking.length === 0) {', to: 'if (blocking.length < 99) {' }],
  },
  {
    name: 'namespace-forgets-a-kind',
    breaks: 'a namespace goes and leaves its roles behind',
    edits: [
      {
        file: 'engine/controllers/namespace/content.ts',
        from: 'if (!type.namespaced || type === podType) continue;',
        to: "if (!type.namespaced || type === podType || type.resource === 'roles') continue;",
      },
    ],
  },
];
