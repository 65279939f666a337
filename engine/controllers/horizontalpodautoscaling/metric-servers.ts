/**
 * What servers of other APIs say of metrics: `custom.metrics.k8s.io` of objects of the cluster, `external.metrics.k8s.io` of anything else.
 * Both are adapters' that somebody registers. Amounts are thousandths. Mirrors pkg/controller/podautoscaler/metrics/client.go and
 * k8s.io/metrics pkg/client.
 */
import { labelSelectorAsSelector, type LabelSelector } from '../../apimachinery/labels.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { parseQuantity, QuantityError, quantityMilliValue } from '../../apimachinery/quantity.ts';
import { notAnObject, UnreadableAnswer } from '../../apimachinery/response-error.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Client, ResourceType } from '../../client/client.ts';
import { resourceType } from '../../client/resources.ts';
import { MetricError } from './metric-error.ts';
import type { PodMetrics } from './replica-calculator.ts';
import { amountEnd } from './whole-metric.ts';

const customGroup = 'custom.metrics.k8s.io';
const externalGroup = 'external.metrics.k8s.io';
const knownVersions: ReadonlySet<string> = new Set(['v1beta1', 'v1beta2']);
/** As much as is told of an answer that is none. */
const toldMax = 2_048;
const unableCustom = 'unable to fetch metrics from custom metrics API';
const unableExternal = 'unable to fetch metrics from external metrics API';

export interface MetricServers {
  readonly client: Client;
  /** Versions of a group that can be asked, the preferred one first; undefined where the group is not registered. May reject with a StatusError. */
  versionsOf(group: string): Promise<readonly string[] | undefined>;
  /** Undefined for a kind that nobody serves. */
  resourceOf(group: string, kind: string): ResourceType | undefined;
}

export interface DescribedObject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** Of each pod that `selector` chooses. Throws a MetricError. */
export async function podsMetric(
  servers: MetricServers,
  namespace: string,
  selector: string,
  metric: string,
  metricSelector: LabelSelector | undefined,
): Promise<PodMetrics> {
  const query = { labelSelector: selector, metricLabelSelector: textOf(metricSelector) };
  const items = await customItems(servers, 'pods', namespace, '*', metric, query);
  if (items.length === 0) throw new MetricError('no metrics returned from custom metrics API');
  return new Map(items.map((item) => [nameIn(item), { value: amountIn(item, unableCustom), atMs: 0, windowMs: 0 }]));
}

/** Throws a MetricError. */
export async function objectMetric(
  servers: MetricServers,
  namespace: string,
  { group, kind, name }: DescribedObject,
  metric: string,
  metricSelector: LabelSelector | undefined,
): Promise<number> {
  const query = { metricLabelSelector: textOf(metricSelector) };
  const isNamespace = group === '' && kind === 'Namespace';
  const items = isNamespace
    ? await customItems(servers, 'metrics', namespace, metric, undefined, query)
    : await customItems(servers, () => resourceName(servers, group, kind), namespace, name, metric, query);
  const [only] = items;
  if (only === undefined || items.length !== 1)
    throw new MetricError(`${unableCustom}: the custom metrics API server returned ${items.length} results when we asked for exactly one`);
  return amountIn(only, unableCustom);
}

/** The sum of all that it says, as far as 64 bits go. Throws a MetricError. */
export async function externalMetric(
  { client }: MetricServers,
  namespace: string,
  metric: string,
  metricSelector: LabelSelector | undefined,
): Promise<number> {
  // Upstream's client asks for resources in small letters only.
  const type = resourceType(externalGroup, 'v1beta1', metric.toLowerCase(), 'ExternalMetricValueList');
  const labelSelector = textOf(metricSelector);
  const answer = await asking(unableExternal, () => client.list(type, namespace, labelSelector === '' ? {} : { labelSelector }), metric);
  const items = itemsIn(answer as unknown as JsonObject, unableExternal);
  if (items.length === 0) throw new MetricError('no metrics returned from external metrics API');
  return items.reduce((sum, item) => Math.min(amountEnd, sum + amountIn(item, unableExternal)), 0);
}

async function customItems(
  { client, versionsOf }: MetricServers,
  resource: string | (() => string),
  namespace: string,
  name: string,
  metric: string | undefined,
  query: { readonly [name: string]: string },
): Promise<readonly JsonObject[]> {
  const versions = await asking(unableCustom, () => versionsOf(customGroup));
  if (versions === undefined) throw new MetricError(`${unableCustom}: no custom metrics API (${customGroup}) registered`);
  const version = versions.find((one) => knownVersions.has(one));
  if (version === undefined) throw new MetricError(`${unableCustom}: no known available metric versions found`);
  const type = resourceType<KubeObject>(customGroup, version, typeof resource === 'string' ? resource : resource(), 'MetricValueList');
  const given = Object.fromEntries(Object.entries(query).filter(([, text]) => text !== ''));
  const options = { query: given, ...(metric === undefined ? {} : { subresource: metric }) };
  const answer = await asking(unableCustom, () => client.get(type, namespace, name, options));
  return itemsIn(customListIn(answer as unknown as JsonObject), unableCustom);
}

/** `pods`, `deployments.apps`. */
function resourceName({ resourceOf }: MetricServers, group: string, kind: string): string {
  const found = resourceOf(group, kind);
  if (found !== undefined) return group === '' ? found.resource : `${found.resource}.${group}`;
  const named = group === '' ? kind : `${kind}.${group}`;
  throw new MetricError(
    `${unableCustom}: unable to map kind ${named} to resource: no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`,
  );
}

/** `resource`: as it was meant, where it was asked for otherwise. */
async function asking<T>(unable: string, ask: () => Promise<T>, resource?: string): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const message = error.status.message ?? '';
    if (error instanceof UnreadableAnswer && unable === unableCustom)
      throw new MetricError(`${unable}: couldn't get version/kind; json parse error: ${notAnObject(valueOf(error.text))}`);
    const asked = resource === undefined ? undefined : `(get ${resource.toLowerCase()}.`;
    throw new MetricError(`${unable}: ${asked === undefined ? message : message.replace(asked, `(get ${resource}.`)}`);
  }
}

/** That of YAML, of which every text is some. */
function valueOf(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}

function customListIn(answer: JsonObject): JsonObject {
  const { kind, apiVersion = '' } = answer;
  if (typeof kind !== 'string' || kind === '')
    throw new MetricError(`${unableCustom}: Object 'Kind' is missing in '${JSON.stringify(answer).slice(0, toldMax)}'`);
  const isKnown = kind === 'MetricValueList' && typeof apiVersion === 'string' && /^custom\.metrics\.k8s\.io\/v1beta[12]$/.test(apiVersion);
  if (isKnown) return answer;
  throw new MetricError(
    `${unableCustom}: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function itemsIn({ items = null }: JsonObject, unable: string): readonly JsonObject[] {
  if (items === null) return [];
  if (Array.isArray(items) && items.every(isObject)) return items;
  throw new MetricError(`${unable}: json: cannot unmarshal items into Go value of a list of metrics`);
}

function nameIn({ describedObject }: JsonObject): string {
  const name = isObject(describedObject) ? describedObject['name'] : '';
  return typeof name === 'string' ? name : '';
}

/** What 64 bits do not hold is nothing, as upstream's quantities have it. */
function amountIn({ value = null }: JsonObject, unable: string): number {
  if (value === null) return 0;
  try {
    const amount = quantityMilliValue(parseQuantity(quantityText(value)));
    return Math.abs(amount) < amountEnd ? amount : 0;
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    throw new MetricError(`${unable}: ${error.message}`);
  }
}

function quantityText(value: JsonValue): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  throw new QuantityError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

/** Absent is the same as empty here: neither narrows what is asked for. */
function textOf(selector: LabelSelector | undefined): string {
  return selector === undefined ? '' : labelSelectorAsSelector(selector).toString();
}
