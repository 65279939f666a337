/** The requests that bring a case about, before any server, and what is read of it in the end. */
import type { Facts, MetricCase, PodState, Registration } from './cases.ts';

export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const merge = 'PATCH';
const atText = '2026-01-01T00:00:00Z';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const services = '/apis/apiregistration.k8s.io/v1/apiservices';

/** A kind that nobody acts on and that can be scaled. */
export const definition: Step = {
  method: 'POST',
  path: definitions,
  body: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
          },
        },
      ],
    },
  },
};

const versions: { readonly [name in Registration]: readonly string[] } = {
  none: [],
  both: ['v1beta1.custom', 'v1beta2.custom', 'v1beta1.external'],
  old: ['v1beta1.custom'],
  foreign: ['v9.custom'],
  gone: ['v1beta1.custom', 'v1beta2.custom', 'v1beta1.external'],
};

/** Which APIServices stand for a registration, the service that they name at `port`. */
export function registering(registered: Registration, port: number): readonly Step[] {
  return versions[registered].map((name) => {
    const [version = '', group = ''] = name.split('.');
    return {
      method: 'POST',
      path: services,
      body: {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: `${name}.metrics.k8s.io` },
        spec: {
          group: `${group}.metrics.k8s.io`,
          version,
          groupPriorityMinimum: 100,
          versionPriority: version === 'v1beta2' ? 200 : 100,
          insecureSkipTLSVerify: true,
          service: { namespace: 'default', name: registered === 'gone' ? 'gone' : 'adapter', port },
        },
      },
    };
  });
}

export function unregistering(registered: Registration): readonly Step[] {
  return versions[registered].map((name) => ({ method: 'DELETE', path: `${services}/${name}.metrics.k8s.io` }));
}

const namespaceOf = ({ name }: MetricCase): string => `c-${name}`;
export const autoscalerPath = (each: MetricCase): string => `/apis/autoscaling/v2/namespaces/${namespaceOf(each)}/horizontalpodautoscalers/h`;

export function namespaceStep(each: MetricCase): Step {
  return { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespaceOf(each) } } };
}

/** Everything but the autoscaler: target and pods. */
export function worldSteps(each: MetricCase): readonly Step[] {
  const { replicas, there = replicas, pods = [] } = each;
  const namespace = namespaceOf(each);
  const widgets = `/apis/example.com/v1/namespaces/${namespace}/widgets`;
  const status = { replicas: there, selector: 'app=w' };
  return [
    { method: 'POST', path: widgets, body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { replicas } } },
    { method: merge, path: `${widgets}/w/status`, body: { status } },
    ...pods.flatMap((state, at) => podSteps(`/api/v1/namespaces/${namespace}/pods`, `w-${at}`, state)),
  ];
}

function podSteps(path: string, name: string, state: PodState): readonly Step[] {
  const spec = { containers: [{ name: 'c', image: 'c' }], terminationGracePeriodSeconds: 0 };
  const finalizers = state === 'leaving' ? { finalizers: ['example.com/stay'] } : {};
  const condition = { type: 'Ready', status: state === 'ready' ? 'True' : 'False', lastTransitionTime: atText };
  const phase = state === 'failed' ? 'Failed' : 'Running';
  const status = { phase, startTime: atText, conditions: [condition] };
  return [
    { method: 'POST', path, body: { metadata: { name, labels: { app: 'w' }, ...finalizers }, spec } },
    ...(state === 'pending' ? [] : [{ method: merge, path: `${path}/${name}/status`, body: { status } }]),
    ...(state === 'leaving' ? [{ method: 'DELETE', path: `${path}/${name}` }] : []),
  ];
}

export function autoscalerSteps(each: MetricCase): readonly Step[] {
  const path = autoscalerPath(each);
  const scaleTargetRef = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w' };
  const { status } = each;
  return [
    { method: 'POST', path: path.slice(0, -'/h'.length), body: { metadata: { name: 'h' }, spec: { scaleTargetRef, ...each.spec } } },
    ...(status === undefined ? [] : [{ method: merge, path: `${path}/status`, body: { status } }]),
  ];
}

interface Read {
  readonly status?: {
    readonly currentReplicas?: number;
    readonly desiredReplicas?: number;
    readonly currentMetrics?: unknown;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string; readonly message: string }[];
  };
}

export const eventsPath = (each: MetricCase): string => `/api/v1/namespaces/${namespaceOf(each)}/events`;
export const widgetPath = (each: MetricCase): string => `/apis/example.com/v1/namespaces/${namespaceOf(each)}/widgets/w`;

export function factsOf(autoscaler: object, events: object, widget: object, asked: readonly string[]): Facts {
  const { status = {} } = autoscaler as Read;
  const { items } = events as { items: { type: string; reason: string; message: string; involvedObject: { kind: string } }[] };
  const own = items.filter(({ involvedObject }) => involvedObject.kind === 'HorizontalPodAutoscaler');
  return {
    conditions: (status.conditions ?? []).map((one) => `${one.type}=${one.status} ${one.reason}: ${one.message}`),
    metrics: status.currentMetrics ?? null,
    currentReplicas: status.currentReplicas ?? 0,
    desiredReplicas: status.desiredReplicas ?? 0,
    replicas: (widget as { spec: { replicas: number } }).spec.replicas,
    events: own.map(({ type, reason, message }) => `${type} ${reason}: ${message}`).sort(),
    asked: [...new Set(asked)].sort(),
  };
}

/** A path with its query as it is meant, however it was escaped. */
export function plainly(path: string): string {
  const { pathname, searchParams } = new URL(path, 'https://adapter');
  const query = [...searchParams].map(([name, value]) => `${name}=${value}`).sort();
  return [decodeURIComponent(pathname), ...query].join(' ');
}

export const caseOf = (cases: readonly MetricCase[], path: string): MetricCase | undefined => {
  const namespace = /\/namespaces\/c-([^/]+)\//.exec(path)?.[1];
  return cases.find(({ name }) => name === namespace);
};

/** The answer of a server of metrics to a path without a query. */
export function answerTo(cases: readonly MetricCase[], path: string): { readonly code: number; readonly type: string; readonly body: string } {
  const found = caseOf(cases, path)?.answers?.[decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))];
  if (found === undefined) return { code: 404, type: 'text/plain', body: 'nothing here' };
  const { code = 200, body } = found;
  return typeof body === 'string' ? { code, type: 'text/plain', body } : { code, type: 'application/json', body: JSON.stringify(body) };
}
