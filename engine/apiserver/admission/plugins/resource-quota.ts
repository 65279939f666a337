/**
 * Refuses what would use more than a resource quota of its namespace allows. Usage is counted from the stored objects, never behind
 * them; the quota's status is written by its controller. Mirrors apiserver pkg/admission/plugin/resourcequota/controller.go.
 */
import { getOwn, setOwn } from '../../../base/dictionary.ts';
import type { Pod, ResourceQuota } from '../../../api/core/v1/types.gen.ts';
import { newForbidden } from '../../../apimachinery/errors.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { compareQuantity, parseQuantity, quantitySign, formatQuantity, subQuantity } from '../../../apimachinery/quantity.ts';
import { isInScopes, isTerminatingPod, namesCounting, usedOf } from '../../../component-helpers/quota/quota.ts';
import { addAmounts, type Amounts, type GroupResourceName, maskAmounts, usageOf } from '../../../component-helpers/quota/usage.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';

export interface QuotaReader {
  nowMs(): number;
  quotasOf(attributes: AdmissionAttributes): readonly ResourceQuota[];
  /** Of the namespace of the request. */
  objectsOf(type: GroupResourceName, attributes: AdmissionAttributes): readonly KubeObject[];
}

/** Never counted: upstream ignores events and what asks about access. */
const ignored: ReadonlySet<string> = new Set(['events', 'bindings', 'localsubjectaccessreviews']);
const required: ReadonlySet<string> = new Set(['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']);

export function createResourceQuotaPlugin(reader: QuotaReader): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'ResourceQuota',
    verbs: ['CREATE', 'UPDATE'],
    subresources: ['', 'resize'],
    validate(attributes) {
      if (attributes.namespace === '' || !concerns(attributes)) return;
      const quotas = reader.quotasOf(attributes);
      if (quotas.length > 0) check(attributes, quotas, reader);
    },
  });
}

/** Creations count; so do updates that change what an object counts for. */
function concerns({ verb, group, resource, subresource, object, oldObject }: AdmissionAttributes): boolean {
  if (resource === 'namespaces' || ignored.has(resource)) return false;
  const isPod = group === '' && resource === 'pods';
  if (subresource === 'resize') return isPod && verb === 'UPDATE';
  if (verb === 'CREATE') return true;
  if (isPod) return isTerminatingPod(object as Pod) !== isTerminatingPod(oldObject as Pod);
  return group === '' && (resource === 'services' || resource === 'persistentvolumeclaims');
}

function check(attributes: AdmissionAttributes, quotas: readonly ResourceQuota[], reader: QuotaReader): void {
  const { object, oldObject, verb, name } = attributes;
  const type = { group: attributes.group, resource: attributes.resource };
  if (object === undefined) return;
  const refuse = (why: string): never => {
    throw newForbidden(type, name, why);
  };
  const concerned = quotas.filter((quota) => namesCounting(type, hardOf(quota)).length > 0 && isInScopes(quota, type, object));
  for (const quota of concerned) {
    const names = namesCounting(type, hardOf(quota));
    const missing = type.resource === 'pods' && type.group === '' ? missingText(object as Pod, names) : undefined;
    if (missing !== undefined) refuse(`failed quota: ${quota.metadata.name}: ${missing}`);
    if (names.some((each) => quota.status?.used?.[each] === undefined))
      refuse(`status unknown for quota: ${quota.metadata.name}, resources: ${[...names].sort().join(',')}`);
  }
  const usage = usageOf(type, object, reader.nowMs());
  const negative = Object.keys(usage).filter((each) => quantitySign(parseQuantity(usage[each] ?? '0')) < 0);
  if (negative.length > 0) refuse(`quota usage is negative for resource(s): ${negative.sort().join(',')}`);
  const stored = concerned.length === 0 ? [] : reader.objectsOf(type, attributes);
  for (const quota of concerned) {
    const was = verb === 'UPDATE' && oldObject !== undefined && isInScopes(quota, type, oldObject) ? usageOf(type, oldObject, reader.nowMs()) : {};
    const exceeded = exceededText(quota, type, maskAmounts(growth(usage, was), namesCounting(type, hardOf(quota))), stored, reader.nowMs());
    if (exceeded !== undefined) refuse(exceeded);
  }
}

/** The limits in force are those of the status. */
function hardOf(quota: ResourceQuota): Amounts {
  return (quota.status?.hard ?? {}) as Amounts;
}

/** What is asked more than before; nothing where it is not more. */
function growth(usage: Amounts, was: Amounts): Amounts {
  const more: { [name: string]: string } = {};
  for (const name in usage) {
    const difference = subQuantity(parseQuantity(getOwn(usage, name) ?? '0'), parseQuantity(getOwn(was, name) ?? '0'));
    if (quantitySign(difference) > 0) setOwn(more, name, getOwn(was, name) === undefined ? (getOwn(usage, name) ?? '0') : formatQuantity(difference));
  }
  return more;
}

function exceededText(
  quota: ResourceQuota,
  type: GroupResourceName,
  requested: Amounts,
  stored: readonly KubeObject[],
  nowMs: number,
): string | undefined {
  const names = Object.keys(requested);
  if (names.length === 0) return undefined;
  const hard = hardOf(quota);
  const used = usedOf({ ...quota, spec: { ...quota.spec, hard } }, type, stored, nowMs);
  const sum = addAmounts(used, requested);
  const over = names.filter((name) => compareQuantity(parseQuantity(getOwn(sum, name) ?? '0'), parseQuantity(getOwn(hard, name) ?? '0')) > 0).sort();
  if (over.length === 0) return undefined;
  const show = (amounts: Amounts): string => over.map((name) => `${name}=${getOwn(amounts, name) ?? '0'}`).join(',');
  return `exceeded quota: ${quota.metadata.name}, requested: ${show(requested)}, used: ${show(used)}, limited: ${show(hard)}`;
}

/** Under a quota of cpu or memory every container says what it asks, unless the pod does as a whole. */
function missingText({ spec }: Pod, names: readonly string[]): string | undefined {
  const whole = spec?.resources;
  if (
    whole !== undefined &&
    Object.keys({ ...whole.requests, ...whole.limits }).some((name) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'))
  )
    return undefined;
  const lacking = new Map<string, string[]>();
  for (const { name, resources } of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
    for (const each of names) {
      if (!required.has(each)) continue;
      const side = each.startsWith('limits.') ? resources?.limits : resources?.requests;
      if (side?.[each.slice(each.indexOf('.') + 1)] === undefined) lacking.set(each, [...(lacking.get(each) ?? []), name]);
    }
  }
  if (lacking.size === 0) return undefined;
  const parts = [...lacking.keys()].sort().map((each) => `${each} for: ${[...(lacking.get(each) ?? [])].sort().join(',')}`);
  return `must specify ${parts.join('; ')}`;
}
