/**
 * Evicting a pod, if its disruption budget allows. Mirrors pkg/registry/core/pod/storage/eviction.go.
 */
import { assert } from '../base/assert.ts';
import { newBadRequest, newForbidden, newStatusError, newTooManyRequests } from '../apimachinery/errors.ts';
import { missing } from './missing.ts';
import { isLabelSelectorMatch } from './selection.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { DeleteOptions } from '../contracts/request.ts';
import { StatusError, type Status } from '../apimachinery/status.ts';
import type { WriteCall, WriteCore } from './core.ts';
import { deleteObject } from './delete.ts';
import { checkPreconditions } from './deletion.ts';
import { shareUnchanged } from './equal.ts';
import { listObjects } from './list.ts';
import { checkDeleteOptions } from './list-options.ts';
import { matchNamespace } from './meta.ts';
import { section, setCondition, success, type Condition, type SubresourceHandler } from './subresource-handlers.ts';
import { replace } from './update.ts';

const disruptedPodsMax = 2000;

export const evictionHandler: SubresourceHandler = {
  group: '',
  resource: 'pods',
  subresource: 'eviction',
  bodyKind: { group: 'policy', version: 'v1', kind: 'Eviction' },
  alsoTakes: ['policy/v1beta1'],
  create: evictPod,
};

function evictPod(core: WriteCore, call: WriteCall, body: KubeObject): Status {
  const isLenient = core.ratcheted('LenientEvictions');
  if (isLenient) matchNamespace(body, call.namespace);
  const { name = '' } = body.metadata;
  if (core.ratcheted('PodsByPath') && name !== call.name) throw newBadRequest('name in URL does not match name in Eviction object');
  const admitted = call.hooks.admit(body, undefined);
  const options = section(admitted, 'deleteOptions') as DeleteOptions;
  mustMatch(call.dryRun, options.dryRun ?? []);
  call.hooks.validate(admitted, undefined);
  const dryRun = call.dryRun || (options.dryRun?.length ?? 0) > 0;
  if (dryRun) core.discard();
  if (name === '') throw newBadRequest('Name parameter required.');
  const inner: WriteCall = {
    ...call,
    name,
    dryRun,
    subresource: undefined,
    hooks: { admit: (next) => next, validate: () => {} },
    warn: (text) => call.warn(text),
  };
  const pod = core.read(call.resource, call.namespace, name)?.value;
  if (pod === undefined) throw missing(call.resource.groupResource, name);
  checkDeleteOptions(options, core);
  if (!bypassesBudget(pod, isLenient)) askBudget(core, inner, pod);
  if (isLenient) markDisrupted(core, inner, pod, options);
  const hasOptions = Object.keys(options).length > 0;
  const { preconditions, ...rest } = isLenient || hasOptions ? options : { ...options, gracePeriodSeconds: 0 };
  const uid = preconditions?.uid;
  deleteObject(core, inner, uid === undefined ? rest : { ...rest, preconditions: { uid } });
  return success;
}

/** Who says of both that nothing is to happen says it alike. */
function mustMatch(isDry: boolean, dryRun: readonly string[]): void {
  if (!isDry || dryRun.length === 0 || (dryRun.length === 1 && dryRun[0] === 'All')) return;
  throw newStatusError(500, '', `Non-matching dry-run options in request and content: [All] and [${dryRun.join(' ')}]`);
}

function bypassesBudget(pod: KubeObject, isLenient: boolean): boolean {
  const phase = section(pod, 'status')['phase'];
  if (phase === 'Succeeded' || phase === 'Failed') return true;
  return isLenient && (phase === 'Pending' || pod.metadata.deletionTimestamp !== undefined);
}

function askBudget(core: WriteCore, call: WriteCall, pod: KubeObject): void {
  const resource = core.table.findStored('policy', 'poddisruptionbudgets');
  if (resource === undefined) return;
  const budgets = listObjects(core, resource, call.namespace, {}).items.filter((budget) =>
    isLabelSelectorMatch(section(budget, 'spec')['selector'], pod.metadata.labels),
  );
  const budget = budgets[0];
  if (budget === undefined) return;
  if (budgets.length > 1) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    throw new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
  }
  const spec = section(budget, 'spec');
  const status = section(budget, 'status');
  const healthy = Number(status['currentHealthy'] ?? 0);
  const desired = Number(status['desiredHealthy'] ?? 0);
  const isLenient = core.ratcheted('LenientEvictions');
  const isSpared = isLenient && !isReady(pod);
  if (isSpared && (spec['unhealthyPodEvictionPolicy'] === 'AlwaysAllow' || (healthy >= desired && desired > 0))) return;
  checkBudget(budget, isLenient);
  const next = shareUnchanged(core.canonical({ ...budget, status: decremented(core, call, budget) } as KubeObject, resource, budget), budget);
  replace(core, { namespace: call.namespace, name: budget.metadata.name ?? '' }, resource, next);
}

function isReady(pod: KubeObject): boolean {
  const conditions = section(pod, 'status')['conditions'] as readonly Condition[] | undefined;
  return conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;
}

/** It was not told when to try again, nor why nobody may be evicted but that there are too few. */
function checkBudget(budget: KubeObject, isLenient: boolean): void {
  const name = budget.metadata.name ?? '';
  const status = section(budget, 'status');
  const named = { group: 'policy', resource: 'poddisruptionbudget' };
  if (Number(status['observedGeneration'] ?? 0) < (budget.metadata.generation ?? 0)) {
    throw refusal(`The disruption budget ${name} is still being processed by the server.`, isLenient ? 10 : 0);
  }
  const allowed = Number(status['disruptionsAllowed'] ?? 0);
  if (allowed < 0) throw newForbidden(named, name, 'pdb disruptions allowed is negative');
  if (Object.keys(section({ ...budget, ...status } as KubeObject, 'disruptedPods')).length > disruptedPodsMax) {
    throw newForbidden(named, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (allowed === 0) throw refusal(isLenient ? whyNot(name, status) : tooFew(name, status), 0);
}

function refusal(message: string, retryAfterSeconds: number): StatusError {
  const { status } = newTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", retryAfterSeconds);
  return new StatusError({ ...status, details: { ...status.details, causes: [{ reason: 'DisruptionBudget', message }] } });
}

function whyNot(name: string, status: ReturnType<typeof section>): string {
  const conditions = status['conditions'] as readonly Condition[] | undefined;
  const denied = conditions?.find((condition) => condition.type === 'DisruptionAllowed' && condition.status === 'False' && condition.message);
  if (denied?.reason === 'SyncFailed')
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${denied.message ?? ''}`;
  if (Number(status['currentHealthy'] ?? 0) <= Number(status['desiredHealthy'] ?? 0)) return tooFew(name, status);
  if (denied !== undefined)
    return `The disruption budget ${name} does not allow evicting pods currently (${denied.reason ?? ''}): ${denied.message ?? ''}`;
  return `The disruption budget ${name} does not allow evicting pods currently`;
}

function tooFew(name: string, status: ReturnType<typeof section>): string {
  const [desired, healthy] = [Number(status['desiredHealthy'] ?? 0), Number(status['currentHealthy'] ?? 0)];
  return `The disruption budget ${name} needs ${desired} healthy pods and has ${healthy} currently`;
}

function decremented(core: WriteCore, call: WriteCall, budget: KubeObject): object {
  const status = section(budget, 'status');
  const nowText = core.nowText();
  const disruptionsAllowed = Number(status['disruptionsAllowed'] ?? 0) - 1;
  assert(disruptionsAllowed >= 0, 'a budget is never overdrawn');
  const disruptedPods = { ...(status['disruptedPods'] as { readonly [pod: string]: string } | undefined), [call.name]: nowText };
  if (disruptionsAllowed > 0) return { ...status, disruptionsAllowed, disruptedPods };
  const observedGeneration = Number(status['observedGeneration'] ?? 0);
  const denied: Condition = { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', message: '', observedGeneration };
  return {
    ...status,
    disruptionsAllowed,
    disruptedPods,
    conditions: setCondition(status['conditions'] as readonly Condition[] | undefined, denied, nowText),
  };
}

function markDisrupted(core: WriteCore, call: WriteCall, pod: KubeObject, options: DeleteOptions): void {
  checkPreconditions(call.resource.kind, pod, options);
  const status = section(pod, 'status');
  const target: Condition = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };
  const conditions = setCondition(status['conditions'] as readonly Condition[] | undefined, target, core.nowText());
  const next = core.canonical({ ...pod, status: { ...status, conditions } } as KubeObject, call.resource, pod);
  replace(core, call, call.resource, shareUnchanged(next, pod));
}
