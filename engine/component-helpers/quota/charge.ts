/**
 * What a request takes of the quotas of its namespace, judged by what their status says is used. Mirrors CheckRequest of apiserver
 * pkg/admission/plugin/resourcequota/controller.go.
 */
import type { Pod, ResourceQuota } from '../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { compareQuantity, formatQuantity, parseQuantity, quantitySign, subQuantity } from '../../apimachinery/quantity.ts';
import { getOwn, setOwn } from '../../base/dictionary.ts';
import type { DeviceFacts } from './extended-devices.ts';
import { isInScopes, matchingScopes, namesCounting, scopesOf, type ScopeRequirement } from './quota.ts';
import { addAmounts, type Amounts, type GroupResourceName, maskAmounts, usageOf } from './usage.ts';

/** What must not be used without a quota that covers it. Mirrors LimitedResource of apiserver.config.k8s.io/v1. */
export interface LimitedResource {
  readonly apiGroup?: string;
  readonly resource: string;
  /** Parts of names such as `requests.cpu`. */
  readonly matchContains?: readonly string[];
  readonly matchScopes?: readonly ScopeRequirement[];
}

export interface QuotaRequest {
  readonly type: GroupResourceName;
  readonly object: KubeObject;
  /** Absent on create. */
  readonly oldObject: KubeObject | undefined;
  /** Whether going beyond a limit is refused, or only counted. */
  readonly isEnforced: boolean;
  readonly nowMs: number;
  /** Where ResourceClaims take extended resources. */
  readonly devices?: DeviceFacts | undefined;
}

/** `forbidden`: refused with 403; else the text is all there is to say, as upstream answers it. */
export class QuotaRefusal extends Error {
  readonly forbidden: boolean;
  constructor(message: string, forbidden = true) {
    super(message);
    this.name = 'QuotaRefusal';
    this.forbidden = forbidden;
  }
}

const required: ReadonlySet<string> = new Set(['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']);

/** The quotas with another use after the request. Throws QuotaRefusal. */
export function chargeQuotas(
  quotas: readonly ResourceQuota[],
  request: QuotaRequest,
  limited: readonly LimitedResource[] = [],
): readonly ResourceQuota[] {
  const { type, object, nowMs, devices } = request;
  const concerned = quotas.filter((quota) => namesCounting(type, hardOf(quota), devices).length > 0 && isInScopes(quota, type, object));
  for (const quota of concerned) checkReady(quota, request);
  const usage = usageOf(type, object, nowMs, devices);
  const negative = Object.keys(usage).filter((name) => quantitySign(amount(usage, name)) < 0);
  if (negative.length > 0) throw new QuotaRefusal(`quota usage is negative for resource(s): ${negative.sort().join(',')}`);
  const charges = concerned.map((quota) => growth(usage, usedBefore(quota, request)));
  if (limited.length > 0) checkCovered(quotas, concerned, charges, usage, request, limited);
  return concerned.flatMap((quota, index) => charge(quota, charges[index] ?? {}, request.isEnforced) ?? []);
}

/** Refuses an object that does not say what is limited, and quotas that nobody has counted yet. */
function checkReady(quota: ResourceQuota, { type, object, devices }: QuotaRequest): void {
  const names = namesCounting(type, hardOf(quota), devices);
  const missing = type.resource === 'pods' && type.group === '' ? missingText(object as Pod, names) : undefined;
  if (missing !== undefined) throw new QuotaRefusal(`failed quota: ${quota.metadata.name}: ${missing}`);
  if (names.every((name) => getOwn(quota.status?.used as Amounts | undefined, name) !== undefined)) return;
  throw new QuotaRefusal(`status unknown for quota: ${quota.metadata.name}, resources: ${[...names].sort().join(',')}`);
}

/** The limits in force are those of the status. */
function hardOf(quota: ResourceQuota): Amounts {
  return (quota.status?.hard ?? {}) as Amounts;
}

function usedBefore(quota: ResourceQuota, { type, oldObject, nowMs, devices }: QuotaRequest): Amounts {
  return oldObject !== undefined && isInScopes(quota, type, oldObject) ? usageOf(type, oldObject, nowMs, devices) : {};
}

/** What is asked more than before; nothing where it is not more. */
function growth(usage: Amounts, was: Amounts): Amounts {
  const more: { [name: string]: string } = {};
  for (const name in usage) {
    const had = getOwn(was, name);
    const difference = subQuantity(amount(usage, name), parseQuantity(had ?? '0'));
    if (quantitySign(difference) > 0) setOwn(more, name, had === undefined ? (getOwn(usage, name) ?? '0') : formatQuantity(difference));
  }
  return more;
}

/** The quota as it is afterwards; undefined where nothing changes. */
function charge(quota: ResourceQuota, asked: Amounts, isEnforced: boolean): ResourceQuota | undefined {
  const hard = hardOf(quota);
  const requested = maskAmounts(asked, Object.keys(hard));
  const names = Object.keys(requested);
  if (names.length === 0) return undefined;
  const was = (quota.status?.used ?? {}) as Amounts;
  const used = addAmounts(was, requested);
  const over = names.filter((name) => compareQuantity(amount(used, name), amount(hard, name)) > 0).sort();
  if (isEnforced && over.length > 0) {
    const show = (amounts: Amounts): string => over.map((name) => `${name}=${getOwn(amounts, name) ?? '0'}`).join(',');
    throw new QuotaRefusal(`exceeded quota: ${quota.metadata.name}, requested: ${show(requested)}, used: ${show(was)}, limited: ${show(hard)}`);
  }
  return { ...quota, status: { ...quota.status, used } };
}

function checkCovered(
  quotas: readonly ResourceQuota[],
  concerned: readonly ResourceQuota[],
  charges: readonly Amounts[],
  usage: Amounts,
  request: QuotaRequest,
  limited: readonly LimitedResource[],
): void {
  const { type, object, oldObject, nowMs, devices } = request;
  const alone = concerned.length === 0 ? [growth(usage, oldObject === undefined ? {} : usageOf(type, oldObject, nowMs, devices))] : charges;
  if (alone.every((each) => Object.keys(each).length === 0)) return;
  const parts = limited
    .filter((each) => (each.apiGroup ?? '') === type.group && each.resource === type.resource)
    .flatMap(({ matchContains = [] }) => matchContains);
  const covered = new Set(concerned.flatMap((quota) => namesCounting(type, hardOf(quota), devices)));
  const lacking = Object.keys(usage)
    .filter((name) => quantitySign(amount(usage, name)) > 0 && parts.some((part) => name.includes(part)) && !covered.has(name))
    .sort();
  if (lacking.length > 0) throw new QuotaRefusal(`insufficient quota to consume: ${lacking.join(',')}`);
  const wanted = limited.flatMap(({ matchScopes = [] }) => matchingScopes(matchScopes, type, object));
  const there = new Set(quotas.flatMap((quota) => matchingScopes(scopesOf(quota), type, object)).map(({ scopeName }) => scopeName));
  const uncovered = wanted.filter(({ scopeName }) => !there.has(scopeName));
  if (uncovered.length === 0) return;
  const shown = uncovered.map(({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(' ')}]}`);
  throw new QuotaRefusal(`insufficient quota to match these scopes: [${shown.join(' ')}]`, false);
}

/** Under a quota of cpu or memory every container says what it asks, unless the pod does as a whole. */
function missingText({ spec }: Pod, names: readonly string[]): string | undefined {
  const whole = spec?.resources;
  if (
    whole !== undefined &&
    Object.keys({ ...whole.requests, ...whole.limits }).some((name) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'))
  )
    return undefined;
  const lacking = new Map<string, Set<string>>();
  for (const { name, resources } of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
    for (const each of names) {
      if (!required.has(each)) continue;
      const side = each.startsWith('limits.') ? resources?.limits : resources?.requests;
      if (side?.[each.slice(each.indexOf('.') + 1)] === undefined) lacking.set(each, (lacking.get(each) ?? new Set()).add(name));
    }
  }
  if (lacking.size === 0) return undefined;
  const parts = [...lacking.keys()].sort().map((each) => `${each} for: ${[...(lacking.get(each) ?? [])].sort().join(',')}`);
  return `must specify ${parts.join('; ')}`;
}

function amount(amounts: Amounts, name: string): ReturnType<typeof parseQuantity> {
  return parseQuantity(getOwn(amounts, name) ?? '0');
}
