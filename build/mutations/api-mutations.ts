/** Wrongs that somebody might plant in what the API server does with a request: patches, apply, lists, custom kinds, webhooks, fairness, tokens, documents. */
import type { Mutation } from './mutation.ts';

const strategic = 'engine/apimachinery/patch/strategic-merge.ts';
const manager = 'engine/apimachinery/managed-fields/field-manager.ts';
const pages = 'engine/registry/list.ts';
const shape = 'engine/apiextensions/shape.ts';
const defaulting = 'engine/apiextensions/schema/defaulting.ts';
const validating = 'engine/apiserver/admission/webhooks/validating.ts';
const queueSet = 'engine/apiserver/flowcontrol/queue-set.ts';
const tokens = 'engine/apiserver/auth/service-account-tokens.ts';
const openapi = 'engine/apiserver/openapi/serve-content.ts';
const discovery = 'engine/apiserver/non-resource-handler.ts';
const evictions = 'engine/registry/eviction.ts';
const collector = 'engine/controllers/garbagecollector/controller.ts';
const endpoints = 'engine/controllers/endpointslice/desired.ts';

export const apiMutations: readonly Mutation[] = [
  {
    name: 'retained-keys-are-forgotten',
    breaks: 'a strategic merge patch with $retainKeys leaves the other members of a union beside the new one',
    edits: [{ file: strategic, from: 'for (const key of Object.keys(out)) if (!keep.has(key)) delete out[key];', to: '' }],
    caughtBy: ['engine/apimachinery/patch', 'test/differential'],
  },
  {
    name: 'removed-fields-keep-their-owner',
    breaks: 'who owned a field that somebody else removed owns it still',
    edits: [{ file: manager, from: 'changes?.removed === undefined ? rest : pool.difference(rest, changes.removed)', to: 'rest' }],
    caughtBy: ['engine/apimachinery/managed-fields', 'test/contract/applied.contract.test.ts'],
  },
  {
    name: 'applied-over-conflicts',
    breaks: 'an apply that conflicts with another manager is taken',
    edits: [{ file: manager, from: 'if (left.length > 0) throw conflictError(left);', to: '' }],
    caughtBy: ['engine/apimachinery/managed-fields', 'test/contract/applied.contract.test.ts'],
  },
  {
    name: 'remaining-counts-the-page',
    breaks: 'the number of items that remain counts those of the page once more',
    edits: [{ file: pages, from: 'range.count - range.items.length, range, place)', to: 'range.count, range, place)' }],
    caughtBy: ['engine/registry', 'test/contract/seeds-rules.contract.test.ts'],
  },
  {
    name: 'filtered-pages-go-on-for-ever',
    breaks: 'the last page of a list by labels names another one',
    edits: [{ file: pages, from: 'seen < range.items.length, undefined', to: 'seen <= range.items.length, undefined' }],
    caughtBy: ['engine/registry', 'test/contract/seeds-rules.contract.test.ts'],
  },
  {
    name: 'custom-values-are-judged-again',
    breaks: 'an update of a custom object is refused for a value that was wrong before and did not change',
    edits: [{ file: shape, from: 'structural, undefined, { old: old && asJson(old), ratcheting: true }', to: 'structural, undefined, {}' }],
    caughtBy: ['engine/apiextensions'],
  },
  {
    name: 'defaults-end-at-the-first-level',
    breaks: 'defaults of fields within fields of a custom kind are not filled in',
    edits: [{ file: defaulting, from: 'return applyDefaults(filled(member, below), below);', to: 'return filled(member, below);' }],
    caughtBy: ['engine/apiextensions'],
  },
  {
    name: 'webhooks-that-fail-refuse',
    breaks: 'a validating webhook that cannot be reached refuses, though its policy is to be ignored then',
    edits: [{ file: validating, from: "one.hook.failurePolicy === 'Ignore'", to: "one.hook.failurePolicy === 'Ignored'" }],
    caughtBy: ['test/contract/webhooks'],
  },
  {
    name: 'queues-have-no-end',
    breaks: 'a queue of a priority level takes whoever comes, and nobody is told 429',
    edits: [{ file: queueSet, from: 'queue.waiting.length >= this.config.lengthMax', to: 'queue.waiting.length > 1e6' }],
    caughtBy: ['engine/apiserver/flowcontrol'],
  },
  {
    name: 'tokens-never-end',
    breaks: 'a token of a service account is believed after its time',
    edits: [{ file: tokens, from: 'nowMs - leewayMs > exp * 1000', to: 'nowMs - leewayMs > exp * 1e6' }],
    caughtBy: ['engine/apiserver/auth', 'engine/host/credentials.test.ts'],
  },
  {
    name: 'documents-are-sent-again',
    breaks: 'who has the OpenAPI document gets it once more',
    edits: [{ file: openapi, from: "if (known !== '') return namesTag", to: "if (known === '') return namesTag" }],
    caughtBy: ['engine/apiserver/openapi', 'test/contract/openapi'],
  },
  {
    name: 'discovery-is-sent-again',
    breaks: 'who has the aggregated discovery gets it once more',
    edits: [{ file: discovery, from: "if (headerOf(request, 'if-none-match') === etag) return { status: 304, headers, body: '' };", to: '' }],
    caughtBy: ['engine/apiserver', 'test/contract/discovery-forms.test.ts'],
  },
  {
    name: 'sick-pods-are-always-spared',
    breaks: 'a pod that is not ready is evicted whatever its budget says',
    edits: [{ file: evictions, from: "spec['unhealthyPodEvictionPolicy'] === 'AlwaysAllow' || (healthy", to: 'desired >= 0 || (healthy' }],
    caughtBy: ['test/contract/evictions.test.ts'],
  },
  {
    name: 'owners-wait-for-all',
    breaks: 'an owner that is deleted in the foreground waits also for dependents that do not block it',
    edits: [{ file: collector, from: 'owner.uid === uid && owner.blockOwnerDeletion', to: 'owner.uid === uid' }],
    caughtBy: ['engine/controllers/garbagecollector'],
  },
  {
    name: 'endpoints-on-their-way-out-are-ready',
    breaks: 'a pod that is being deleted is a ready endpoint as long as it serves',
    edits: [{ file: endpoints, from: '(serving && !terminating)', to: 'serving' }],
    caughtBy: ['engine/controllers/endpointslice'],
  },
];
