/**
 * Autoscalers that go by metrics of other servers: what each is, and what the server behind `custom.metrics.k8s.io` and
 * `external.metrics.k8s.io` says. Their target is a custom resource that nobody acts on, beside pods that are written by hand, so that the
 * autoscaler's controller alone is seen.
 */

/** Which APIs are registered: none, both versions of custom metrics, the older one, one that nobody knows, or all with a server that is gone. */
export const registrations = ['none', 'both', 'old', 'foreign', 'gone'] as const;
export type Registration = (typeof registrations)[number];

export type PodState = 'ready' | 'running' | 'pending' | 'failed' | 'leaving';

/** A text is answered as plain text. */
export interface Said {
  readonly code?: number;
  readonly body: object | string;
}

export interface MetricCase {
  readonly name: string;
  readonly registered: Registration;
  /** Of the target: what is asked for and what there is. */
  readonly replicas: number;
  readonly there?: number;
  readonly pods?: readonly PodState[];
  /** Of the autoscaler. */
  readonly spec: { readonly metrics: readonly object[]; readonly [field: string]: unknown };
  /** Written to the autoscaler before it is looked at. */
  readonly status?: object;
  /** By the last part of the path. */
  readonly answers?: { readonly [metric: string]: Said };
}

export interface Facts {
  readonly conditions: readonly string[];
  readonly metrics: unknown;
  readonly currentReplicas: number;
  readonly desiredReplicas: number;
  readonly replicas: number;
  readonly events: readonly string[];
  /** What the server was asked for it, decoded. */
  readonly asked: readonly string[];
}

const atText = '2026-01-01T00:00:00Z';

const pods = (target: string, selector?: object): object => ({
  type: 'Pods',
  pods: { metric: { name: 'm', ...(selector && { selector }) }, target: { type: 'AverageValue', averageValue: target } },
});
const object = (target: object, described: object = { kind: 'Service', name: 's', apiVersion: 'v1' }, selector?: object): object => ({
  type: 'Object',
  object: { metric: { name: 'm', ...(selector && { selector }) }, describedObject: described, target },
});
const external = (target: object, selector?: object, name = 'm'): object => ({
  type: 'External',
  external: { metric: { name, ...(selector && { selector }) }, target },
});
const value = (text: string): object => ({ type: 'Value', value: text });
const average = (text: string): object => ({ type: 'AverageValue', averageValue: text });
const selector = {
  matchLabels: { zone: 'a', app: 'q' },
  matchExpressions: [
    { key: 'tier', operator: 'NotIn', values: ['y', 'x'] },
    { key: 'hot', operator: 'Exists' },
  ],
};

/** A list of custom metrics, one for each value, of pods `w-0`, `w-1` … unless they are of something else. */
function custom(version: string, values: readonly unknown[], more: object = {}): Said {
  const items = values.map((one, at) => ({
    describedObject: { kind: 'Pod', namespace: 'n', name: `w-${at}`, apiVersion: '/v1' },
    ...(version === 'v1beta1' ? { metricName: 'm' } : { metric: { name: 'm' } }),
    timestamp: atText,
    value: one,
    ...more,
  }));
  return { body: { kind: 'MetricValueList', apiVersion: `custom.metrics.k8s.io/${version}`, metadata: {}, items } };
}
const said = (values: readonly unknown[], more?: object): { readonly m: Said } => ({ m: custom('v1beta2', values, more) });
const outside = (values: readonly unknown[]): { readonly m: Said } => ({
  m: {
    body: {
      kind: 'ExternalMetricValueList',
      apiVersion: 'external.metrics.k8s.io/v1beta1',
      metadata: {},
      items: values.map((one) => ({ metricName: 'm', metricLabels: {}, timestamp: atText, value: one })),
    },
  },
});
const status = (code: number, reason: string, message: string): { readonly m: Said } => ({
  m: { code, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code } },
});

const ready = (count: number): readonly PodState[] => Array.from({ length: count }, () => 'ready' as const);
const both = 'both' as const;
type Short = Omit<MetricCase, 'name' | 'registered' | 'replicas' | 'spec'> & Partial<MetricCase> & { readonly metrics: readonly object[] };

function made(name: string, { metrics, spec, ...more }: Short): MetricCase {
  const replicas = more.replicas ?? 2;
  return { name, registered: both, there: replicas, pods: ready(replicas), ...more, replicas, spec: { maxReplicas: 10, ...spec, metrics } };
}

const zeroStatus = {
  currentReplicas: 0,
  desiredReplicas: 0,
  conditions: [{ type: 'ScaledToZero', status: 'True', reason: 'ScaledToZero', message: 'm', lastTransitionTime: atText }],
};
const fast = { behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } };

const ofPods: readonly MetricCase[] = [
  made('pods-up', { metrics: [pods('10')], answers: said(['30', '30']) }),
  made('pods-down', { metrics: [pods('10')], replicas: 4, spec: { metrics: [], ...fast }, answers: said(['5', '5', '5', '5']) }),
  made('pods-within', { metrics: [pods('10')], answers: said(['10500m', '10']) }),
  made('pods-selector', { metrics: [pods('10', selector)], answers: said(['30', '30']) }),
  made('pods-empty-selector', { metrics: [pods('10', {})], answers: said(['30', '30']) }),
  made('pods-window', { metrics: [pods('10')], answers: said(['30', '30'], { windowSeconds: 5 }) }),
  made('pods-none', { metrics: [pods('10')], answers: said([]) }),
  made('pods-missing-up', { metrics: [pods('10')], replicas: 3, answers: said(['40', '40']) }),
  made('pods-missing-down', { metrics: [pods('10')], replicas: 3, spec: { metrics: [], ...fast }, answers: said(['1', '1']) }),
  made('pods-unready', { metrics: [pods('10')], replicas: 3, pods: ['ready', 'running', 'pending'], answers: said(['40', '40', '40']) }),
  made('pods-ignored', { metrics: [pods('10')], replicas: 3, pods: ['ready', 'failed', 'leaving'], answers: said(['40', '40', '40']) }),
  made('pods-all-pending', { metrics: [pods('10')], pods: ['pending', 'pending'], answers: said(['40', '40']) }),
  made('pods-no-pods', { metrics: [pods('10')], pods: [], answers: said(['40', '40']) }),
  made('pods-others', { metrics: [pods('10')], pods: ['ready'], answers: said(['40', '40', '40']) }),
  made('pods-huge', { metrics: [pods('1m')], answers: said(['9P', '0']) }),
  made('pods-zero', { metrics: [pods('10')], spec: { metrics: [], ...fast }, answers: said(['0', '0']) }),
  made('pods-404-status', { metrics: [pods('10')], answers: status(404, 'NotFound', 'the server could not find the metric m for pods') }),
  made('pods-404-text', { metrics: [pods('10')], answers: { m: { code: 404, body: '404 page not found' } } }),
  made('pods-500-text', { metrics: [pods('10')], answers: { m: { code: 500, body: 'it "broke"\nbadly' } } }),
  made('pods-500-json', { metrics: [pods('10')], answers: { m: { code: 500, body: { error: 'broke' } } } }),
  made('pods-403-status', { metrics: [pods('10')], answers: status(403, 'Forbidden', 'no, you may not') }),
  made('pods-429', { metrics: [pods('10')], answers: { m: { code: 429, body: 'later' } } }),
  made('pods-400-text', { metrics: [pods('10')], answers: { m: { code: 400, body: 'bad words' } } }),
  made('pods-no-json', { metrics: [pods('10')], answers: { m: { body: 'hello' } } }),
  made('pods-other-kind', { metrics: [pods('10')], answers: { m: { body: { kind: 'Gadget', apiVersion: 'v1', items: [] } } } }),
  made('pods-bad-value', { metrics: [pods('10')], answers: said(['abc', '1']) }),
  made('pods-number', { metrics: [pods('10')], answers: said([30, 30]) }),
  made('pods-null-items', {
    metrics: [pods('10')],
    answers: { m: { body: { kind: 'MetricValueList', apiVersion: 'custom.metrics.k8s.io/v1beta2', items: null } } },
  }),
  made('pods-null-value', { metrics: [pods('10')], answers: said([null, '30']) }),
  made('pods-older-list', { metrics: [pods('10')], answers: { m: custom('v1beta1', ['30', '30']) } }),
  made('pods-odd-name', {
    metrics: [{ type: 'Pods', pods: { metric: { name: 'a b?c&d=é' }, target: { type: 'AverageValue', averageValue: '10' } } }],
    answers: { 'a b?c&d=é': said(['30', '30']).m },
  }),
];

const ofObjects: readonly MetricCase[] = [
  made('object-value', { metrics: [object(value('10'))], answers: said(['25']) }),
  made('object-value-within', { metrics: [object(value('10'))], answers: said(['10500m']) }),
  made('object-value-down', { metrics: [object(value('10'))], replicas: 4, spec: { metrics: [], ...fast }, answers: said(['5']) }),
  made('object-average', { metrics: [object(average('10'))], answers: said(['55']) }),
  made('object-average-within', { metrics: [object(average('10'))], answers: said(['21']) }),
  made('object-average-there', { metrics: [object(average('10'))], there: 3, answers: said(['55']) }),
  made('object-average-selector', { metrics: [object(average('10'), undefined, selector)], answers: said(['55']) }),
  made('object-deployment', { metrics: [object(value('10'), { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' })], answers: said(['25']) }),
  made('object-node', { metrics: [object(value('10'), { kind: 'Node', name: 'n', apiVersion: 'v1' })], answers: said(['25']) }),
  made('object-custom', { metrics: [object(value('10'), { kind: 'Widget', name: 'd', apiVersion: 'example.com/v1' })], answers: said(['25']) }),
  made('object-namespace', { metrics: [object(value('10'), { kind: 'Namespace', name: 'other', apiVersion: 'v1' })], answers: said(['25']) }),
  made('object-no-version', { metrics: [object(value('10'), { kind: 'Service', name: 's' })], answers: said(['25']) }),
  made('object-unknown-kind', { metrics: [object(value('10'), { kind: 'Gizmo', name: 's', apiVersion: 'odd.example/v1' })], answers: said(['25']) }),
  made('object-unknown-core', { metrics: [object(value('10'), { kind: 'Gizmo', name: 's' })], answers: said(['25']) }),
  made('object-two', { metrics: [object(value('10'))], answers: said(['25', '26']) }),
  made('object-none', { metrics: [object(value('10'))], answers: said([]) }),
  made('object-404', { metrics: [object(value('10'))], answers: status(404, 'NotFound', 'services "s" not found') }),
  made('object-average-404', { metrics: [object(average('10'))], answers: status(404, 'NotFound', 'services "s" not found') }),
  made('object-unready', { metrics: [object(value('10'))], replicas: 3, pods: ['ready', 'running', 'pending'], answers: said(['30']) }),
  made('object-no-pods', { metrics: [object(value('10'))], pods: [], answers: said(['30']) }),
  made('object-huge', { metrics: [object(value('1m'))], answers: said(['1E']) }),
  made('object-average-huge', { metrics: [object(average('1m'))], answers: said(['9P']) }),
  made('object-negative', { metrics: [object(value('10'))], spec: { metrics: [], ...fast }, answers: said(['-30']) }),
  made('object-fine', { metrics: [object(average('3'))], answers: said(['10']) }),
];

const ofOutside: readonly MetricCase[] = [
  made('external-value', { metrics: [external(value('10'))], answers: outside(['20', '30']) }),
  made('external-value-within', { metrics: [external(value('10'))], answers: outside(['10']) }),
  made('external-average', { metrics: [external(average('10'))], answers: outside(['20', '35']) }),
  made('external-average-within', { metrics: [external(average('10'))], answers: outside(['19']) }),
  made('external-average-there', { metrics: [external(average('10'))], there: 0, answers: outside(['35']) }),
  made('external-selector', { metrics: [external(average('10'), selector)], answers: outside(['20']) }),
  made('external-value-selector', { metrics: [external(value('10'), selector)], answers: outside(['20']) }),
  made('external-empty-selector', { metrics: [external(average('10'), {})], answers: outside(['40']) }),
  made('external-none', { metrics: [external(average('10'))], answers: outside([]) }),
  made('external-value-none', { metrics: [external(value('10'))], answers: outside([]) }),
  made('external-404', { metrics: [external(average('10'))], answers: { m: { code: 404, body: 'no' } } }),
  made('external-503', { metrics: [external(value('10'))], answers: { m: { code: 503, body: 'busy' } } }),
  made('external-no-json', { metrics: [external(value('10'))], answers: { m: { body: '{"kind":' } } }),
  made('external-no-kind', { metrics: [external(average('10'))], answers: { m: { body: { items: [{ metricName: 'm', value: '30' }] } } } }),
  made('external-other-kind', { metrics: [external(average('10'))], answers: { m: { body: { kind: 'Gadget', apiVersion: 'v1', items: [] } } } }),
  made('external-bad-value', { metrics: [external(average('10'))], answers: outside(['x']) }),
  made('external-huge', { metrics: [external(average('1m'))], answers: outside(['9P', '9P']) }),
  made('external-value-huge', { metrics: [external(value('1m'))], answers: outside(['9P', '9P']) }),
  made('external-both-targets', {
    metrics: [external({ type: 'AverageValue', averageValue: '10' })],
    answers: outside(['30']),
    spec: { metrics: [], minReplicas: 3 },
  }),
  made('external-case', { metrics: [external(average('10'), undefined, 'Q_depth.total')], answers: { 'Q_depth.total': outside(['35']).m } }),
  made('several', {
    metrics: [external(average('10')), object(value('10'), { kind: 'Service', name: 's', apiVersion: 'v1' })],
    answers: { m: outside(['90']).m },
  }),
  made('several-first-bad', {
    metrics: [pods('10'), external(average('10'), undefined, 'q')],
    answers: { q: outside(['90']).m, m: { code: 404, body: 'no' } },
  }),
  made('several-bad-down', {
    metrics: [pods('10'), external(average('10'), undefined, 'q')],
    replicas: 4,
    spec: { metrics: [], ...fast },
    answers: { q: outside(['10']).m, m: { code: 404, body: 'no' } },
  }),
];

const minZero = { metrics: [], minReplicas: 0, ...fast };
const ofZero: readonly MetricCase[] = [
  made('zero-down-external', { metrics: [external(average('10'))], spec: minZero, answers: outside(['0']) }),
  made('zero-down-value', { metrics: [external(value('10'))], spec: minZero, answers: outside(['0']) }),
  made('zero-down-object', { metrics: [object(value('10'))], spec: minZero, answers: said(['0']) }),
  made('zero-up-external', { metrics: [external(average('10'))], spec: minZero, replicas: 0, status: zeroStatus, answers: outside(['35']) }),
  made('zero-up-value', { metrics: [external(value('10'))], spec: minZero, replicas: 0, status: zeroStatus, answers: outside(['35']) }),
  made('zero-up-object', { metrics: [object(average('10'))], spec: minZero, replicas: 0, status: zeroStatus, answers: said(['35']) }),
  made('zero-up-object-value', { metrics: [object(value('10'))], spec: minZero, replicas: 0, status: zeroStatus, answers: said(['35']) }),
  made('zero-stays', { metrics: [external(average('10'))], spec: minZero, replicas: 0, status: zeroStatus, answers: outside(['0']) }),
  made('zero-stays-value', { metrics: [external(value('10'))], spec: minZero, replicas: 0, status: zeroStatus, answers: outside(['0']) }),
  made('zero-by-hand', { metrics: [external(average('10'))], spec: minZero, replicas: 0, answers: outside(['35']) }),
  made('zero-to-min', {
    metrics: [external(average('10'))],
    spec: { metrics: [], minReplicas: 3 },
    replicas: 0,
    status: zeroStatus,
    answers: outside(['5']),
  }),
  made('zero-fails', {
    metrics: [external(average('10'))],
    spec: minZero,
    replicas: 0,
    status: zeroStatus,
    answers: { m: { code: 404, body: 'no' } },
  }),
  made('zero-average-there', {
    metrics: [external(average('10'))],
    spec: minZero,
    replicas: 0,
    there: 2,
    status: zeroStatus,
    answers: outside(['35']),
  }),
];

const oldCases: readonly MetricCase[] = [
  made('old-pods', { registered: 'old', metrics: [pods('10', selector)], answers: { m: custom('v1beta1', ['30', '30']) } }),
  made('old-object', { registered: 'old', metrics: [object(average('10'))], answers: { m: custom('v1beta1', ['55']) } }),
  made('old-newer-list', { registered: 'old', metrics: [pods('10')], answers: said(['30', '30']) }),
];
const noneOf = (registered: Registration): readonly MetricCase[] => [
  made(`${registered}-pods`, { registered, metrics: [pods('10')] }),
  made(`${registered}-object`, { registered, metrics: [object(value('10'))] }),
  made(`${registered}-object-average`, { registered, metrics: [object(average('10'))] }),
  made(`${registered}-external`, { registered, metrics: [external(average('10'))] }),
  made(`${registered}-external-value`, { registered, metrics: [external(value('10'), selector)] }),
];

export const metricCases: readonly MetricCase[] = [
  ...noneOf('none'),
  ...ofPods,
  ...ofObjects,
  ...ofOutside,
  ...ofZero,
  ...oldCases,
  ...noneOf('foreign'),
  ...noneOf('gone'),
];
