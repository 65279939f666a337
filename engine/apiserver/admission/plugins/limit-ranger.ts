/**
 * Containers get the requests and limits that the namespace's limit ranges default, and what breaks a minimum, a maximum or a ratio is
 * refused. Mirrors plugin/pkg/admission/limitranger.
 */
import { getOwn, setOwn } from '../../../base/dictionary.ts';
import type { Container, LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from '../../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import {
  addQuantity,
  compareQuantity,
  formatQuantity,
  newMilliQuantity,
  newQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityToFloat,
  quantityValue,
} from '../../../apimachinery/quantity.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

type Amounts = { readonly [name: string]: string };
interface Resources {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

const annotation = 'kubernetes.io/limit-ranger';

/** `sumsParts`: a pod asks what those of its containers ask that say something. */
export function createLimitRanger(rangesOf: (attributes: AdmissionAttributes) => readonly LimitRange[], sumsParts: boolean): AdmissionPlugin {
  const amountsOf = sumsParts ? podAmounts : earlierAmounts;
  const check = (object: KubeObject | undefined, attributes: AdmissionAttributes): void => {
    for (const range of rangesOf(attributes)) {
      const items = range.spec?.limits ?? [];
      const errors =
        attributes.resource === 'pods' ? podErrors(items, object as Pod, amountsOf) : claimErrors(items, object as PersistentVolumeClaim);
      if (errors.length > 0) refuse(attributes, aggregate(errors));
    }
  };
  return defineAdmissionPlugin({
    name: 'LimitRanger',
    verbs: ['CREATE', 'UPDATE'],
    resources: ['pods', 'persistentvolumeclaims'],
    subresources: ['', 'resize'],
    admit(object, attributes) {
      if (attributes.resource !== 'pods' || !concerns(attributes)) return object;
      let pod = object as Pod;
      for (const range of rangesOf(attributes)) pod = withDefaults(pod, range.spec?.limits ?? []);
      return pod;
    },
    validate(attributes) {
      if (concerns(attributes)) check(attributes.object, attributes);
    },
  });
}

/** Updates of pods do not count, save a resize; nor does what is being deleted. */
function concerns({
  verb,
  resource,
  subresource,
  oldObject,
}: {
  readonly verb: string;
  readonly resource: string;
  readonly subresource: string;
  readonly oldObject: KubeObject | undefined;
}): boolean {
  if (oldObject?.metadata.deletionTimestamp !== undefined) return false;
  return subresource === 'resize' ? resource === 'pods' && verb === 'UPDATE' : !(resource === 'pods' && verb === 'UPDATE');
}

function withDefaults(pod: Pod, items: readonly LimitRangeItem[]): Pod {
  const requests: { [name: string]: string } = {};
  const limits: { [name: string]: string } = {};
  for (const item of items) {
    if (item.type !== 'Container') continue;
    Object.assign(requests, item.defaultRequest);
    Object.assign(limits, item.default);
  }
  if (pod.spec === undefined || Object.keys(requests).length + Object.keys(limits).length === 0) return pod;
  const notes: string[] = [];
  const fill =
    (prefix: string) =>
    (container: Container): Container => {
      const addedLimits = missing(container.resources?.limits, limits);
      const addedRequests = missing(container.resources?.requests, requests);
      if (addedRequests.length > 0) notes.push(`${addedRequests.join(', ')} request for ${prefix} ${container.name}`);
      if (addedLimits.length > 0) notes.push(`${addedLimits.join(', ')} limit for ${prefix} ${container.name}`);
      if (addedLimits.length + addedRequests.length === 0) return container;
      return {
        ...container,
        resources: {
          ...container.resources,
          ...(addedLimits.length === 0 ? {} : { limits: merged(limits, container.resources?.limits) }),
          ...(addedRequests.length === 0 ? {} : { requests: merged(requests, container.resources?.requests) }),
        },
      };
    };
  const containers = (pod.spec.containers ?? []).map(fill('container'));
  const initContainers = pod.spec.initContainers?.map(fill('init container'));
  if (notes.length === 0) return pod;
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` } },
    spec: { ...pod.spec, containers, ...(initContainers === undefined ? {} : { initContainers }) },
  };
}

/** Keys in order, as in every stored map. */
function merged(defaults: Amounts, own: Amounts | undefined): Amounts {
  return Object.fromEntries(sorted({ ...defaults, ...own }));
}

function missing(own: Amounts | undefined, defaults: Amounts): readonly string[] {
  return Object.keys(defaults)
    .filter((name) => getOwn(own, name) === undefined)
    .sort();
}

type PodAmounts = (pod: Pod, side: 'requests' | 'limits') => Amounts;

function podErrors(items: readonly LimitRangeItem[], pod: Pod, amountsOf: PodAmounts): readonly string[] {
  const errors: string[] = [];
  for (const item of items) {
    if (item.type === 'Container') {
      for (const { resources } of [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])]) {
        checkAll(errors, item, { requests: resources?.requests ?? {}, limits: resources?.limits ?? {} });
      }
    } else if (item.type === 'Pod') {
      checkAll(errors, item, { requests: amountsOf(pod, 'requests'), limits: amountsOf(pod, 'limits') });
    }
  }
  return errors;
}

function claimErrors(items: readonly LimitRangeItem[], claim: PersistentVolumeClaim): readonly string[] {
  const errors: string[] = [];
  const requests: Amounts = claim.spec?.resources?.requests ?? {};
  for (const item of items) {
    if (item.type !== 'PersistentVolumeClaim') continue;
    for (const [name, amount] of sorted(item.min)) push(errors, minimum(item.type, name, amount, { requests, limits: {} }));
    for (const [name, amount] of sorted(item.max)) push(errors, maximumOfRequest(item.type, name, amount, requests));
  }
  return errors;
}

function checkAll(errors: string[], item: LimitRangeItem, resources: Resources): void {
  for (const [name, amount] of sorted(item.min)) push(errors, minimum(item.type, name, amount, resources));
  for (const [name, amount] of sorted(item.max)) push(errors, maximum(item.type, name, amount, resources));
  for (const [name, amount] of sorted(item.maxLimitRequestRatio)) push(errors, ratio(item.type, name, amount, resources));
}

function sorted(amounts: Amounts | undefined): readonly (readonly [string, string])[] {
  return Object.entries(amounts ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}

function push(errors: string[], error: string | undefined): void {
  if (error !== undefined && !errors.includes(error)) errors.push(error);
}

function minimum(type: string, name: string, enforced: string, { requests, limits }: Resources): string | undefined {
  const start = `minimum ${name} usage per ${type} is ${enforced}`;
  const request = getOwn(requests, name);
  if (request === undefined) return `${start}.  No request is specified`;
  if (compare(request, enforced) < 0) return `${start}, but request is ${request}`;
  const limit = getOwn(limits, name);
  return limit !== undefined && compare(limit, enforced) < 0 ? `${start}, but limit is ${limit}` : undefined;
}

function maximum(type: string, name: string, enforced: string, { requests, limits }: Resources): string | undefined {
  const start = `maximum ${name} usage per ${type} is ${enforced}`;
  const limit = getOwn(limits, name);
  if (limit === undefined) return `${start}.  No limit is specified`;
  if (compare(limit, enforced) > 0) return `${start}, but limit is ${limit}`;
  const request = getOwn(requests, name);
  return request !== undefined && compare(request, enforced) > 0 ? `${start}, but request is ${request}` : undefined;
}

function maximumOfRequest(type: string, name: string, enforced: string, requests: Amounts): string | undefined {
  const start = `maximum ${name} usage per ${type} is ${enforced}`;
  const request = getOwn(requests, name);
  if (request === undefined) return `${start}.  No request is specified`;
  return compare(request, enforced) > 0 ? `${start}, but request is ${request}` : undefined;
}

function ratio(type: string, name: string, enforced: string, { requests, limits }: Resources): string | undefined {
  const start = `${name} max limit to request ratio per ${type} is ${enforced}`;
  const request = toNumber(getOwn(requests, name));
  if (request === 0) return `${start}, but no request is specified or request is 0`;
  const limit = toNumber(getOwn(limits, name));
  if (limit === 0) return `${start}, but no limit is specified or limit is 0`;
  return limit / request > toNumber(enforced) ? `${start}, but provided ratio is ${(limit / request).toFixed(6)}` : undefined;
}

function compare(a: string, b: string): number {
  return compareQuantity(parseQuantity(a), parseQuantity(b));
}

function toNumber(text: string | undefined): number {
  return text === undefined ? 0 : quantityToFloat(parseQuantity(text));
}

/** What all containers of a pod ask; sidecars count with those that start after them, pod-level amounts replace sums. */
function podAmounts(pod: Pod, side: 'requests' | 'limits'): Amounts {
  const sum: { [name: string]: string } = {};
  for (const { resources } of pod.spec?.containers ?? []) add(sum, resources?.[side]);
  const sidecars: { [name: string]: string } = {};
  const peak: { [name: string]: string } = {};
  for (const { resources, restartPolicy } of pod.spec?.initContainers ?? []) {
    if (restartPolicy === 'Always') {
      add(sum, resources?.[side]);
      add(sidecars, resources?.[side]);
      raise(peak, sidecars);
    } else {
      const own = { ...sidecars };
      add(own, resources?.[side]);
      raise(peak, own);
    }
  }
  raise(sum, peak);
  const whole: Amounts = pod.spec?.resources?.[side] ?? {};
  for (const name of ['cpu', 'memory']) if (whole[name] !== undefined) setOwn(sum, name, whole[name]);
  return sum;
}

/** As release 1.13 had it: sums of what every container names, in whole units (of processors in thousandths) and decimal form. */
function earlierAmounts(pod: Pod, side: 'requests' | 'limits'): Amounts {
  const given: readonly Amounts[] = (pod.spec?.containers ?? []).map(({ resources }) => resources?.[side] ?? {});
  const sum: { [name: string]: string } = {};
  for (const name of Object.keys(given[0] ?? {})) {
    const amounts = given.map((amounts) => getOwn(amounts, name));
    if (amounts.includes(undefined)) continue;
    const parsed = amounts.map((amount) => parseQuantity(amount ?? '0'));
    const total = (measure: (quantity: Quantity) => number): number => parsed.reduce((all, quantity) => all + measure(quantity), 0);
    setOwn(sum, name, formatQuantity(name === 'cpu' ? newMilliQuantity(total(quantityMilliValue)) : newQuantity(total(quantityValue))));
  }
  for (const { resources } of pod.spec?.initContainers ?? []) raise(sum, resources?.[side] ?? {});
  return sum;
}

function add(into: { [name: string]: string }, more: Amounts | undefined): void {
  for (const [name, amount] of Object.entries(more ?? {})) {
    const had = getOwn(into, name);
    setOwn(into, name, had === undefined ? amount : formatQuantity(addQuantity(parseQuantity(had), parseQuantity(amount))));
  }
}

function raise(into: { [name: string]: string }, floor: Amounts): void {
  for (const [name, amount] of Object.entries(floor)) {
    const had = getOwn(into, name);
    if (had === undefined || compare(had, amount) < 0) setOwn(into, name, amount);
  }
}

function aggregate(errors: readonly string[]): string {
  return errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`;
}
