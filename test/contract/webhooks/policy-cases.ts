/** What is asked of API servers with a ValidatingAdmissionPolicy; `policy-facts.json` has what the real one answered. */
import type { CaseRequest, WebhookCase } from './cases.ts';

type Json = { readonly [key: string]: unknown };

const group = '/apis/admissionregistration.k8s.io/v1';
const maps = '/api/v1/namespaces/default/configmaps';
const configMaps: Json = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['configmaps'] };
const match: Json = { resourceRules: [configMaps], namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } };

type Posted = NonNullable<WebhookCase['objects']>[number];

const policy = (spec: Json, name = 'p'): Posted => ({
  path: `${group}/validatingadmissionpolicies`,
  body: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: match, ...spec },
  },
});
const binding = (spec: Json = {}, name = 'b'): Posted => ({
  path: `${group}/validatingadmissionpolicybindings`,
  body: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: 'p', validationActions: ['Deny'], ...spec },
  },
});
const map = (name: string, data: Json = { a: '1' }, metadata: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
const create = (body: Json): CaseRequest => ({ method: 'POST', path: maps, body });
const params = (name: string, data: Json): Posted => ({
  path: '/api/v1/namespaces/kube-public/configmaps',
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
});
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };

const simple = (name: string, spec: Json, bindingSpec: Json = {}, requests: readonly CaseRequest[] = [create(map('m'))]): WebhookCase => ({
  name,
  objects: [policy(spec), binding(bindingSpec)],
  requests,
});
const never = { expression: 'false' };

export const policyCases: readonly WebhookCase[] = [
  simple('holds', { validations: [{ expression: "object.data.a == '1'" }] }),
  simple('does not hold', { validations: [{ expression: "object.data.a == '2'" }] }),
  simple('a message', { validations: [{ ...never, message: 'no maps today' }] }),
  simple('a message of its own making', { validations: [{ ...never, messageExpression: "'a is ' + object.data.a" }] }),
  simple('a message that cannot be made', { validations: [{ ...never, message: 'plain', messageExpression: 'string(object.data.missing)' }] }),
  simple('a message over lines', { validations: [{ ...never, messageExpression: "'one\\ntwo'" }] }),
  ...['Forbidden', 'RequestEntityTooLarge', 'Invalid'].map((reason) =>
    simple(`reason ${reason}`, { validations: [{ ...never, reason, message: 'so' }] }),
  ),
  simple('warns', { validations: [{ ...never, message: 'be careful' }] }, { validationActions: ['Warn'] }),
  simple('warns and audits', { validations: [{ ...never, message: 'be careful' }, never] }, { validationActions: ['Warn', 'Audit'] }),
  simple('audits', { validations: [never] }, { validationActions: ['Audit'] }),
  simple('several do not hold', { validations: [{ expression: 'true' }, { ...never, message: 'second' }, { ...never, message: 'third' }] }),
  simple('cannot be evaluated', { validations: [{ expression: "object.data.missing == 'x'" }] }),
  simple('cannot be evaluated, ignored', { failurePolicy: 'Ignore', validations: [{ expression: "object.data.missing == 'x'" }] }),
  simple('conditions', { matchConditions: [{ name: 'only-b', expression: "object.metadata.name == 'b'" }], validations: [never] }, {}, [
    create(map('a')),
    create(map('b')),
  ]),
  simple('a condition that cannot be evaluated', {
    matchConditions: [{ name: 'x', expression: "object.data.missing == 'b'" }],
    validations: [never],
  }),
  simple('variables', {
    variables: [
      { name: 'names', expression: 'object.data.map(k, k)' },
      { name: 'count', expression: 'size(variables.names)' },
    ],
    validations: [{ expression: 'variables.count > 1', messageExpression: "'only ' + string(variables.count)" }],
  }),
  simple('a variable that cannot be evaluated', {
    variables: [{ name: 'v', expression: 'object.data.missing' }],
    validations: [{ expression: "variables.v == 'x'" }],
  }),
  simple('who asks, and what', {
    validations: [
      {
        expression: "request.operation == 'DELETE'",
        messageExpression: "request.operation + ' ' + request.resource.resource + ' ' + request.name + ' in ' + namespaceObject.metadata.name",
      },
    ],
  }),
  simple('the authorizer', { validations: [{ expression: "!authorizer.requestResource.check('create').allowed()", message: 'may' }] }),
  simple('an update sees both', { validations: [{ expression: 'oldObject == null || oldObject.data.a == object.data.a', message: 'a stays' }] }, {}, [
    create(map('m')),
    { method: 'PUT', path: `${maps}/m`, body: map('m', { a: '2' }) },
  ]),
  simple('a removal', { validations: [{ expression: "request.operation != 'DELETE' || oldObject.data.a != '1'", message: 'it stays' }] }, {}, [
    create(map('m')),
    { method: 'DELETE', path: `${maps}/m` },
  ]),
  simple('excluded', { matchConstraints: { ...match, excludeResourceRules: [{ ...configMaps, resourceNames: ['m'] }] }, validations: [never] }, {}, [
    create(map('m')),
    create(map('n')),
  ]),
  simple('named', { matchConstraints: { ...match, resourceRules: [{ ...configMaps, resourceNames: ['m'] }] }, validations: [never] }, {}, [
    create(map('m')),
    create(map('n')),
  ]),
  simple('bound to some', { validations: [never] }, { matchResources: { objectSelector: { matchLabels: { x: 'y' } } } }, [
    create(map('m')),
    create(map('n', { a: '1' }, { labels: { x: 'y' } })),
  ]),
  { name: 'not bound', objects: [policy({ validations: [never] })], requests: [create(map('m'))] },
  {
    name: 'two bindings',
    objects: [policy({ validations: [never] }), binding({ validationActions: ['Warn'] }, 'b1'), binding({}, 'b2')],
    requests: [create(map('m'))],
  },
  {
    name: 'parameters by name',
    objects: [
      policy({
        paramKind,
        validations: [{ expression: 'object.data.a == params.data.wanted', messageExpression: "'wanted ' + params.data.wanted" }],
      }),
      params('limits', { wanted: '7' }),
      binding({ paramRef: { name: 'limits', namespace: 'kube-public', parameterNotFoundAction: 'Deny' } }),
    ],
    requests: [create(map('m')), create(map('n', { a: '7' }))],
  },
  ...['Deny', 'Allow'].map(
    (parameterNotFoundAction): WebhookCase => ({
      name: `parameters that are not there: ${parameterNotFoundAction}`,
      objects: [
        policy({ paramKind, validations: [never] }),
        binding({ paramRef: { name: 'none', namespace: 'kube-public', parameterNotFoundAction } }),
      ],
      requests: [create(map('m'))],
    }),
  ),
  {
    name: 'parameters of an unknown kind',
    objects: [
      policy({ paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' }, validations: [never] }),
      binding({ paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } }),
    ],
    requests: [create(map('m'))],
  },
  {
    name: 'without a reference',
    objects: [policy({ paramKind, validations: [{ expression: 'params != null' }] }), binding()],
    requests: [create(map('m'))],
  },
];
