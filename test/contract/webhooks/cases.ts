/** What is asked of API servers whose webhooks are in many moods; `facts.json` has what the real one answered. */
type Json = { readonly [key: string]: unknown };

export interface CaseRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

export interface WebhookCase {
  readonly name: string;
  /** Of mutating and validating webhooks; `HOOK` in a URL stands for the server. */
  readonly mutating?: readonly Json[];
  readonly validating?: readonly Json[];
  /** Created before and deleted after. */
  readonly objects?: readonly { readonly path: string; readonly body: Json }[];
  readonly requests: readonly CaseRequest[];
  /** What the server was asked is part of the facts. */
  readonly isHeard?: true;
}

const maps = '/api/v1/namespaces/default/configmaps';
const configMaps: Json = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };
const inDefault = { matchLabels: { 'kubernetes.io/metadata.name': 'default' } };

export function hook(path: string, more: Json = {}): Json {
  return {
    name: `${path.replace(/[^a-z0-9]/gu, '-').replace(/^-/u, '')}.hooks.example.com`,
    clientConfig: { url: `HOOK${path}`, caBundle: 'CA' },
    rules: [configMaps],
    namespaceSelector: inDefault,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    ...more,
  };
}

const map = (name: string, data: Json | undefined = { a: '1' }, metadata: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...(data === undefined ? {} : { data }),
});
const create = (body: Json, query = ''): CaseRequest => ({ method: 'POST', path: `${maps}${query}`, body });

const validatingMoods = [
  ...['allow', 'allow-status', 'deny', 'deny-message', 'deny-reason', 'deny-code', 'deny-ok', 'deny-details', 'warn', 'warn-much', 'warn-deny'],
  ...[
    'annotate',
    'patch-label',
    'type-without-patch',
    'uid-wrong',
    'empty',
    'garbage',
    'array',
    'no-kind',
    'no-version',
    'wrong-kind',
    'other-version',
  ],
  ...[
    'no-response',
    'bad-type',
    '500',
    '500-html',
    '500-binary',
    '500-status',
    '404',
    '400',
    '403',
    '429',
    '503',
    '204',
    '302',
    '307',
    'loop',
    'reset',
  ],
];
const mutatingMoods = [
  ...[
    'allow',
    'deny-message',
    'patch-label',
    'patch-data',
    'patch-missing',
    'patch-remove-missing',
    'patch-replace-missing',
    'patch-test',
    'patch-op',
  ],
  ...[
    'patch-invalid',
    'patch-name',
    'patch-type',
    'patch-unknown',
    'patch-untyped',
    'patch-strange-type',
    'patch-garbage',
    'patch-object',
    'patch-empty',
  ],
  ...['patch-kind', 'type-without-patch', 'uid-wrong', '500', 'garbage'],
];

const moods: readonly WebhookCase[] = [
  ...validatingMoods.map((mood): WebhookCase => ({ name: `validating ${mood}`, validating: [hook(`/${mood}`)], requests: [create(map('m'))] })),
  ...validatingMoods.map(
    (mood): WebhookCase => ({
      name: `validating ${mood}, ignored`,
      validating: [hook(`/${mood}`, { failurePolicy: 'Ignore' })],
      requests: [create(map('m'))],
    }),
  ),
  ...mutatingMoods.map((mood): WebhookCase => ({ name: `mutating ${mood}`, mutating: [hook(`/${mood}`)], requests: [create(map('m'))] })),
  ...['patch-missing', 'patch-untyped', 'patch-garbage', '500', 'deny-message'].map(
    (mood): WebhookCase => ({
      name: `mutating ${mood}, ignored`,
      mutating: [hook(`/${mood}`, { failurePolicy: 'Ignore' })],
      requests: [create(map('m'))],
    }),
  ),
  ...['allow', 'patch-label', 'patch-untyped', 'uid-wrong', 'no-response', 'other-version'].map(
    (mood): WebhookCase => ({
      name: `mutating ${mood} in v1beta1`,
      mutating: [hook(`/${mood}`, { admissionReviewVersions: ['v1beta1', 'v1'] })],
      requests: [create(map('m'))],
      isHeard: true,
    }),
  ),
];

const whole = { ...configMaps, operations: ['CREATE', 'UPDATE', 'DELETE'] };
const operations: readonly WebhookCase[] = [
  {
    name: 'every operation as it is asked about',
    mutating: [hook('/allow', { rules: [whole] })],
    validating: [hook('/allow', { rules: [whole] })],
    requests: [
      create(map('m', { a: '1' }, { labels: { x: 'y' } }), '?fieldManager=me'),
      { method: 'PUT', path: `${maps}/m`, body: map('m', { a: '2' }) },
      { method: 'PATCH', path: `${maps}/m?fieldValidation=Strict`, body: { data: { b: '3' } }, contentType: 'application/merge-patch+json' },
      { method: 'PATCH', path: `${maps}/m?fieldManager=applier&force=true`, body: map('m', { c: '4' }), contentType: 'application/apply-patch+yaml' },
      { method: 'PATCH', path: `${maps}/n?fieldManager=applier`, body: map('n', { c: '4' }), contentType: 'application/apply-patch+yaml' },
      { method: 'DELETE', path: `${maps}/m`, body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' } },
      { method: 'DELETE', path: `${maps}/n?gracePeriodSeconds=0` },
      create({ ...map('', { g: '1' }), metadata: { generateName: 'gen-' } }),
      { method: 'DELETE', path: `${maps}?labelSelector=none%3Dsuch` },
    ],
    isHeard: true,
  },
  {
    name: 'a removal refused',
    validating: [hook('/deny-message', { rules: [{ ...configMaps, operations: ['DELETE'] }] })],
    requests: [create(map('m')), { method: 'DELETE', path: `${maps}/m` }, { method: 'DELETE', path: `${maps}/missing` }],
  },
  {
    name: 'a removal patched',
    mutating: [hook('/patch-label', { rules: [{ ...configMaps, operations: ['DELETE'] }] })],
    requests: [create(map('m')), { method: 'DELETE', path: `${maps}/m` }],
  },
  {
    name: 'dry runs',
    mutating: [hook('/patch-label', { sideEffects: 'NoneOnDryRun' })],
    requests: [create(map('m'), '?dryRun=All')],
    isHeard: true,
  },
  {
    name: 'in order of name and of place',
    mutating: [hook('/trace-b'), hook('/trace-a'), hook('/trace-c')],
    requests: [create(map('m'))],
  },
  {
    name: 'asked again when a later one changed it',
    mutating: [hook('/stage-2', { reinvocationPolicy: 'IfNeeded' }), hook('/stage-1')],
    requests: [create(map('m'))],
    isHeard: true,
  },
  { name: 'not asked again', mutating: [hook('/stage-2'), hook('/stage-1')], requests: [create(map('m'))] },
  {
    name: 'all that trace are asked twice',
    mutating: [hook('/trace-a', { reinvocationPolicy: 'IfNeeded' }), hook('/trace-b', { reinvocationPolicy: 'IfNeeded' })],
    requests: [create(map('m'))],
  },
  {
    name: 'one of several refuses',
    validating: [hook('/allow'), hook('/deny-code'), hook('/warn')],
    requests: [create(map('m'))],
  },
];

const selecting: readonly WebhookCase[] = [
  {
    name: 'an object selector',
    validating: [hook('/deny', { objectSelector: { matchLabels: { watched: 'yes' } } })],
    requests: [create(map('m')), create(map('n', { a: '1' }, { labels: { watched: 'yes' } }))],
  },
  {
    name: 'a namespace selector',
    validating: [
      hook('/deny', { namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['default'] }] } }),
    ],
    requests: [create(map('m')), { method: 'POST', path: '/api/v1/namespaces/missing/configmaps', body: map('m') }],
  },
  {
    name: 'cluster scope',
    validating: [
      hook('/deny', {
        namespaceSelector: {},
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE'], resources: ['*'], scope: 'Cluster' }],
      }),
    ],
    requests: [
      create(map('m')),
      {
        method: 'POST',
        path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'hooked' }, rules: [] },
      },
    ],
  },
  {
    name: 'match conditions',
    validating: [
      hook('/deny', {
        matchConditions: [
          { name: 'only-b', expression: "object.metadata.name == 'b'" },
          { name: 'by-admin', expression: "request.userInfo.username != 'nobody'" },
        ],
      }),
    ],
    requests: [create(map('a')), create(map('b'))],
  },
  {
    name: 'a match condition that fails',
    validating: [hook('/deny', { matchConditions: [{ name: 'broken', expression: 'object.data.missing == "x"' }] })],
    requests: [create(map('a'))],
  },
  {
    name: 'a match condition that fails, ignored',
    validating: [hook('/deny', { failurePolicy: 'Ignore', matchConditions: [{ name: 'broken', expression: 'object.data.missing == "x"' }] })],
    requests: [create(map('a'))],
  },
  {
    name: 'a match condition that asks the authorizer',
    validating: [
      hook('/deny', {
        matchConditions: [
          { name: 'breakglass', expression: "!authorizer.group('').resource('configmaps').namespace('default').check('create').allowed()" },
        ],
      }),
    ],
    requests: [create(map('a'))],
  },
  {
    name: 'the same object by another version',
    validating: [
      hook('/allow', {
        rules: [{ apiGroups: ['autoscaling'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['horizontalpodautoscalers'] }],
      }),
    ],
    requests: [
      {
        method: 'POST',
        path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
        body: {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'h' },
          spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
        },
      },
      { method: 'DELETE', path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/h' },
    ],
    isHeard: true,
  },
  {
    name: 'the same object by another version, exactly',
    validating: [
      hook('/deny', {
        matchPolicy: 'Exact',
        rules: [{ apiGroups: ['autoscaling'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['horizontalpodautoscalers'] }],
      }),
    ],
    requests: [
      {
        method: 'POST',
        path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
        body: {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'h' },
          spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
        },
      },
      { method: 'DELETE', path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/h' },
    ],
  },
  {
    name: 'scale, and what is below pods',
    mutating: [hook('/allow', { rules: [{ apiGroups: ['apps', ''], apiVersions: ['v1'], operations: ['*'], resources: ['*/*'] }] })],
    objects: [{ path: '/apis/apps/v1/namespaces/default/replicasets', body: replicaSet() }],
    requests: [
      {
        method: 'PATCH',
        path: '/apis/apps/v1/namespaces/default/replicasets/r/scale',
        body: { spec: { replicas: 0 } },
        contentType: 'application/merge-patch+json',
      },
      { method: 'POST', path: '/api/v1/namespaces/default/pods/p/attach?container=c&stdin=true&tty=true' },
      { method: 'POST', path: '/api/v1/namespaces/default/pods/p/exec?command=ls&command=-l&stdout=1' },
    ],
    isHeard: true,
  },
];

function replicaSet(): Json {
  const labels = { app: 'r' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'r' }, spec: { replicas: 0, selector: { matchLabels: labels }, template } };
}

const service = (name: string, spec: Json): { readonly path: string; readonly body: Json } => ({
  path: '/api/v1/namespaces/default/services',
  body: { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec },
});
// Each has a name of its own: the real server keeps connections.
const byService = (name: string): Json => ({ service: { namespace: 'default', name, path: '/deny-message', port: 'PORT' }, caBundle: 'CA' });

const reaching: readonly WebhookCase[] = [
  { name: 'a service that is not there', validating: [hook('/x', { clientConfig: byService('nobody') })], requests: [create(map('m'))] },
  {
    name: 'a service by an external name',
    objects: [service('hook', { type: 'ExternalName', externalName: 'localhost' })],
    validating: [hook('/x', { clientConfig: byService('hook') })],
    requests: [create(map('m'))],
  },
  {
    name: 'a headless service',
    objects: [service('headless', { clusterIP: 'None', ports: [{ port: 443 }] })],
    validating: [hook('/x', { clientConfig: byService('headless') })],
    requests: [create(map('m'))],
  },
  {
    name: 'a service without that port',
    objects: [service('portless', { ports: [{ port: 1 }] })],
    validating: [hook('/x', { clientConfig: byService('portless') })],
    requests: [create(map('m'))],
  },
  {
    name: 'nobody there',
    validating: [hook('/x', { clientConfig: { url: 'https://127.0.0.1:1/x', caBundle: 'CA' } })],
    requests: [create(map('m'))],
  },
  {
    name: 'a certificate of somebody else',
    validating: [hook('/deny', { clientConfig: { url: 'HOOK/deny', caBundle: 'OTHERCA' } })],
    requests: [create(map('m'))],
  },
  {
    name: 'a certificate for another name',
    objects: [service('other', { type: 'ExternalName', externalName: 'localhost' })],
    validating: [hook('/x', { clientConfig: byService('other') })],
    requests: [create(map('m'))],
  },
  { name: 'too slow', validating: [hook('/slow', { timeoutSeconds: 1 })], requests: [create(map('m'))] },
  { name: 'too slow, ignored', validating: [hook('/slow', { timeoutSeconds: 1, failurePolicy: 'Ignore' })], requests: [create(map('m'))] },
  { name: 'no path', validating: [hook('/x', { clientConfig: { url: 'HOOK', caBundle: 'CA' } })], requests: [create(map('m'))] },
];

export const webhookCases: readonly WebhookCase[] = [...moods, ...operations, ...selecting, ...reaching];
