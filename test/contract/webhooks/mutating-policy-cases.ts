/** What is asked of API servers with a MutatingAdmissionPolicy; `mutating-policy-facts.json` has what the real one answered. */
import type { CaseRequest, WebhookCase } from './cases.ts';

type Json = { readonly [key: string]: unknown };

const group = '/apis/admissionregistration.k8s.io/v1';
const maps = '/api/v1/namespaces/default/configmaps';
const ruleOf = (resource: string, apiGroup = ''): Json => ({
  apiGroups: [apiGroup],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: [resource],
});
const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'default' } };

type Posted = NonNullable<WebhookCase['objects']>[number];

const policy = (mutations: readonly Json[], spec: Json = {}, name = 'p', resource = 'configmaps', apiGroup = ''): Posted => ({
  path: `${group}/mutatingadmissionpolicies`,
  body: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [ruleOf(resource, apiGroup)], namespaceSelector }, reinvocationPolicy: 'Never', mutations, ...spec },
  },
});
const binding = (spec: Json = {}, name = 'b'): Posted => ({
  path: `${group}/mutatingadmissionpolicybindings`,
  body: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: 'p', ...spec },
  },
});
const map = (name: string, data: Json = { a: '1' }, metadata: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
const create = (body: Json, path = maps): CaseRequest => ({ method: 'POST', path, body });
const apply = (expression: string): Json => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const patch = (expression: string): Json => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const simple = (name: string, mutations: readonly Json[], spec: Json = {}, requests: readonly CaseRequest[] = [create(map('m'))]): WebhookCase => ({
  name,
  objects: [policy(mutations, spec), binding()],
  requests,
});
const deployment: Json = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};
const ofDeployments = (name: string, expression: string): WebhookCase => ({
  name,
  objects: [policy([apply(expression)], {}, 'p', 'deployments', 'apps'), binding()],
  requests: [create(deployment, '/apis/apps/v1/namespaces/default/deployments?dryRun=All')],
});
const only = (object: Posted, name: string): WebhookCase => ({
  name,
  objects: [],
  requests: [{ method: 'POST', path: object.path, body: object.body as Json }],
});

export const mutatingPolicyCases: readonly WebhookCase[] = [
  simple('applies a label', [apply("Object{metadata: Object.metadata{labels: {'a': 'b'}}}")]),
  simple('applies data', [apply("Object{data: {'b': object.data.a + '2'}}")]),
  simple('applies data where there is none', [apply("Object{data: {'b': '2'}}")], {}, [
    create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } }),
  ]),
  simple('patches data where there is none', [patch("[JSONPatch{op: 'add', path: '/data', value: {'b': '2'}}]")], {}, [
    create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } }),
  ]),
  simple('patches data', [patch("[JSONPatch{op: 'add', path: '/data/b', value: 'x'}, JSONPatch{op: 'remove', path: '/data/a'}]")]),
  simple('patches with escaped keys', [
    patch(
      "[JSONPatch{op: 'add', path: '/metadata/labels', value: {}}, JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a.b/c'), value: 'x'}]",
    ),
  ]),
  simple('patches with an object', [patch("[JSONPatch{op: 'replace', path: '/data', value: Object.data{c: 'd'}}]")]),
  simple('several mutations', [
    apply("Object{data: {'b': '2'}}"),
    apply("Object{data: {'c': object.data.b + '3'}}"),
    patch("[JSONPatch{op: 'copy', from: '/data/c', path: '/data/d'}]"),
  ]),
  simple('a test that does not hold', [patch("[JSONPatch{op: 'test', path: '/data/a', value: 'x'}, JSONPatch{op: 'remove', path: '/data/a'}]")]),
  simple('a patch that does not apply', [patch("[JSONPatch{op: 'remove', path: '/data/zzz'}]")]),
  simple('a patch that does not apply, ignored', [patch("[JSONPatch{op: 'remove', path: '/data/zzz'}]")], { failurePolicy: 'Ignore' }),
  simple('a patch of an unknown kind', [patch("[JSONPatch{op: 'nothing', path: '/data/a'}]")]),
  simple('fails when it is asked', [apply("Object{data: {'b': object.data.missing}}")]),
  simple('fails when it is asked, ignored', [apply("Object{data: {'b': object.data.missing}}")], { failurePolicy: 'Ignore' }),
  simple('fails twice', [apply("Object{data: {'b': object.data.missing}}"), patch("[JSONPatch{op: 'remove', path: '/data/zzz'}]")]),
  simple('a field that is not there', [apply('Object{nothing: 1}')]),
  simple('a field of another type', [apply('Object{data: 1}')]),
  simple('a type of another place', [apply("Object{metadata: Object.spec{labels: {'a': 'b'}}}")]),
  simple('conditions', [apply("Object{data: {'b': '2'}}")], { matchConditions: [{ name: 'only-b', expression: "object.metadata.name == 'b'" }] }, [
    create(map('a')),
    create(map('b')),
  ]),
  simple('a condition that fails', [apply("Object{data: {'b': '2'}}")], {
    matchConditions: [{ name: 'bad', expression: "object.data.missing == 'b'" }],
  }),
  simple('variables', [apply("Object{data: {'b': variables.c + variables.d}}")], {
    variables: [
      { name: 'c', expression: 'object.data.a' },
      { name: 'd', expression: "variables.c + '!'" },
    ],
  }),
  simple('optional values', [apply("Object{?metadata: optional.of(Object.metadata{?labels: optional.none(), annotations: {'x': 'y'}})}")]),
  simple('the request', [apply("Object{data: {'b': request.operation + ' ' + request.userInfo.username + ' ' + namespaceObject.metadata.name}}")]),
  simple('an update', [apply("Object{data: {'b': oldObject == null ? 'new' : oldObject.data.a}}")], {}, [
    create(map('m')),
    { method: 'PUT', path: `${maps}/m`, body: map('m', { a: '5' }) },
  ]),
  simple('a choice', [patch("object.data.a == '1' ? [JSONPatch{op: 'add', path: '/data/b', value: 'one'}] : []")]),
  simple('an object that then is none', [patch("[JSONPatch{op: 'add', path: '/data/b', value: 5}]")]),
  simple('an object that is not valid then', [patch("[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a b': 'x'}}]")]),
  ofDeployments(
    'containers by their name',
    "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'side', image: 'car'}]}}}}",
  ),
  ofDeployments(
    'an atomic list',
    "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'c', args: ['a']}]}}}}",
  ),
  ofDeployments('replicas', 'Object{spec: Object.spec{replicas: 3}}'),
  ofDeployments('an atomic map', "Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'x': 'y'}}}}"),
  {
    name: 'two policies',
    objects: [
      policy([apply("Object{data: {'b': '2'}}")]),
      policy([apply("Object{data: {'c': object.data.b}}")], {}, 'q'),
      binding(),
      binding({ policyName: 'q' }, 'bq'),
    ],
    requests: [create(map('m'))],
  },
  {
    name: 'asked again',
    objects: [
      policy([apply("Object{data: {'b': has(object.data.c) ? 'saw c' : 'no c'}}")], { reinvocationPolicy: 'IfNeeded' }),
      policy([apply("Object{data: {'c': '3'}}")], {}, 'q'),
      binding(),
      binding({ policyName: 'q' }, 'bq'),
    ],
    requests: [create(map('m'))],
  },
  {
    name: 'not asked again',
    objects: [
      policy([apply("Object{data: {'b': has(object.data.c) ? 'saw c' : 'no c'}}")]),
      policy([apply("Object{data: {'c': '3'}}")], {}, 'q'),
      binding(),
      binding({ policyName: 'q' }, 'bq'),
    ],
    requests: [create(map('m'))],
  },
  {
    name: 'parameters',
    objects: [
      {
        path: '/api/v1/namespaces/kube-public/configmaps',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'given' }, data: { x: 'y' } },
      },
      policy([apply("Object{data: {'b': params.data.x}}")], { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
      binding({ paramRef: { name: 'given', namespace: 'kube-public', parameterNotFoundAction: 'Deny' } }),
    ],
    requests: [create(map('m'))],
  },
  {
    name: 'parameters that are not there',
    objects: [
      policy([apply("Object{data: {'b': params.data.x}}")], { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
      binding({ paramRef: { name: 'absent', namespace: 'kube-public', parameterNotFoundAction: 'Deny' } }),
    ],
    requests: [create(map('m'))],
  },
  { name: 'no binding', objects: [policy([apply("Object{data: {'b': '2'}}")])], requests: [create(map('m'))] },
  only(policy([apply('1')]), 'refused: no object'),
  only(policy([apply('Object{')]), 'refused: syntax'),
  only(policy([apply('Other{}')]), 'refused: another type'),
  only(policy([patch('JSONPatch{}')]), 'refused: no list'),
  only(policy([patch("[JSONPatch{op: 1, path: '/a'}]")]), 'refused: type of a field'),
  only(policy([patch('[JSONPatch{nothing: 1}]')]), 'refused: field of a patch'),
  only(policy([]), 'refused: no mutations'),
  only(policy([{ patchType: 'Other' }]), 'refused: type of a patch'),
  only(policy([{ patchType: 'JSONPatch', applyConfiguration: { expression: 'Object{}' } }]), 'refused: another patch'),
  only(policy([{ patchType: 'ApplyConfiguration', jsonPatch: { expression: '[]' } }]), 'refused: the other patch'),
  only(policy([{}]), 'refused: nothing'),
  only(policy([apply(' ')]), 'refused: blank'),
  only(policy([apply('Object{}')], { reinvocationPolicy: 'Sometimes', failurePolicy: 'Other' }), 'refused: policies'),
  only(policy([apply('Object{}')], { reinvocationPolicy: undefined }), 'refused: no reinvocation'),
  only(policy([apply('Object{}')], { matchConstraints: undefined }), 'refused: no constraints'),
  only(
    policy([apply('Object{}')], { matchConstraints: { resourceRules: [{ ...ruleOf('pods'), operations: ['DELETE', '*'] }] } }),
    'refused: operations',
  ),
  only(
    policy([apply('Object{}')], {
      variables: [
        { name: 'a', expression: 'nothing' },
        { name: 'b c', expression: '1' },
      ],
    }),
    'refused: variables',
  ),
  only(
    policy([apply('Object{}')], {
      matchConditions: [
        { name: 'a', expression: 'nothing' },
        { name: 'b', expression: '1' },
      ],
    }),
    'refused: conditions',
  ),
  only(policy([apply('Object{data: params.data}')]), 'refused: no parameters'),
  only(binding({ policyName: '' }), 'refused: binding without a policy'),
  only(
    binding({ policyName: 'A B', paramRef: {}, matchResources: { resourceRules: [{ ...ruleOf('pods'), operations: ['CONNECT'] }] } }),
    'refused: binding',
  ),
  only(
    {
      path: `${group}/validatingadmissionpolicies`,
      body: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'v' },
        spec: {
          matchConstraints: { resourceRules: [ruleOf('configmaps')] },
          variables: [
            { name: 'a', expression: 'nothing' },
            { name: 'b', expression: 'variables.a + 1' },
          ],
          matchConditions: [
            { name: 'a', expression: 'object.x ==' },
            { name: 'b', expression: "'x'" },
          ],
          validations: [
            { expression: 'object.x.nothing(' },
            { expression: '1' },
            { expression: 'variables.zzz' },
            { expression: 'params.x == 1' },
            { expression: 'true', messageExpression: '1' },
            { expression: 'true', messageExpression: "authorizer.group('').resource('a').check('b').reason()" },
          ],
          auditAnnotations: [
            { key: 'k', valueExpression: '1' },
            { key: 'l', valueExpression: 'nothing' },
          ],
        },
      },
    },
    'refused: a validating policy',
  ),
];
