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

/** About 900,000 of the 1,000,000 that an expression may cost. */
const costly = 'object.data.big.contains(object.data.big)';
const bigMap = create(map('m', { a: '1', big: 'a'.repeat(9_480) }));
const costs = (name: string, spec: Json): WebhookCase => simple(`cost: ${name}`, spec, {}, [bigMap]);
const repeated = (count: number, one: Json): readonly Json[] => Array.from({ length: count }, () => one);
const check = "authorizer.group('').resource('pods').namespace('default').check('create').allowed()";

const costCases: readonly WebhookCase[] = [
  costs('one that costs too much', { validations: [{ expression: `${costly} && ${costly}` }] }),
  ...[9, 11, 13, 40].map((count) => costs(`${count} validations`, { validations: repeated(count, { expression: costly }) })),
  costs('40 validations where faults are ignored', { failurePolicy: 'Ignore', validations: [...repeated(40, { expression: costly }), never] }),
  costs('one that does not hold before too many', { validations: [never, ...repeated(40, { expression: costly })] }),
  costs('messages', {
    validations: [...repeated(6, { expression: costly, messageExpression: `${costly} ? 'a' : 'b'` }), { ...never, messageExpression: "'c'" }],
  }),
  costs('messages that are not needed', { validations: repeated(20, { expression: 'true', messageExpression: `${costly} ? 'a' : 'b'` }) }),
  costs('few messages', { validations: [{ ...never, messageExpression: `${costly} ? 'a' : 'b'` }] }),
  costs('too many messages where faults are ignored', {
    failurePolicy: 'Ignore',
    validations: [never, ...repeated(20, { expression: 'true', messageExpression: `${costly} ? 'a' : 'b'` })],
  }),
  costs('variables', {
    variables: Array.from({ length: 14 }, (_, i) => ({ name: `v${i}`, expression: costly })),
    validations: [{ expression: Array.from({ length: 14 }, (_, i) => `variables.v${i}`).join(' && ') }],
  }),
  costs('variables that are asked for again', {
    variables: [{ name: 'v', expression: costly }],
    validations: repeated(40, { expression: 'variables.v' }),
  }),
  costs('a variable that costs too much', {
    variables: [{ name: 'v', expression: `${costly} && ${costly}` }],
    validations: [{ expression: 'variables.v' }],
  }),
  ...[2, 3, 4].map((count) =>
    costs(`${count} conditions`, {
      matchConditions: Array.from({ length: count }, (_, i) => ({ name: `c${i}`, expression: costly })),
      validations: [{ ...never, message: 'met' }],
    }),
  ),
  costs('conditions of which one is not met', {
    matchConditions: [{ name: 'no', expression: 'false' }, ...Array.from({ length: 4 }, (_, i) => ({ name: `c${i}`, expression: costly }))],
    validations: [never],
  }),
  costs('conditions where faults are ignored', {
    failurePolicy: 'Ignore',
    matchConditions: Array.from({ length: 4 }, (_, i) => ({ name: `c${i}`, expression: costly })),
    validations: [never],
  }),
  ...[2, 3].map((count) =>
    costs(`${count} questions to the authorizer`, {
      validations: [
        {
          expression: repeated(count, {})
            .map(() => check)
            .join(' && '),
        },
      ],
    }),
  ),
  costs('many questions to the authorizer', { validations: repeated(30, { expression: check }) }),
  costs('annotations', {
    validations: [{ ...never, message: 'told' }],
    auditAnnotations: Array.from({ length: 14 }, (_, i) => ({ key: `k${i}`, valueExpression: `${costly} ? 'a' : 'b'` })),
  }),
];

const labelled = (name: string, labels: Json, data: Json): Posted => ({
  path: '/api/v1/namespaces/kube-public/configmaps',
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data },
});
const equalsParams = {
  expression: 'object.data.a == params.data.wanted',
  messageExpression: "'wanted ' + params.data.wanted + ' by ' + params.metadata.name",
};
const selected = (name: string, paramRef: Json): WebhookCase => ({
  name,
  objects: [
    labelled('one', { kind: 'limit' }, { wanted: '1' }),
    labelled('two', { kind: 'limit' }, { wanted: '2' }),
    labelled('other', { kind: 'other' }, { wanted: '9' }),
    policy({ paramKind, validations: [equalsParams] }),
    binding({ paramRef }),
  ],
  requests: [create(map('m')), create(map('n', { a: '2' }))],
});

/**
 * The real server starts an informer of parameters with the first policy of their kind and ends it with the last; it never starts it
 * again, and then finds by labels what it knew before. These were asked while another policy of the kind stood by.
 */
const selectorCases: readonly WebhookCase[] = [
  ...['Deny', 'Allow'].flatMap((parameterNotFoundAction) => [
    selected(`selector: two of a namespace: ${parameterNotFoundAction}`, {
      selector: { matchLabels: { kind: 'limit' } },
      namespace: 'kube-public',
      parameterNotFoundAction,
    }),
    selected(`selector: none: ${parameterNotFoundAction}`, {
      selector: { matchLabels: { kind: 'nothing' } },
      namespace: 'kube-public',
      parameterNotFoundAction,
    }),
    selected(`selector: in the namespace of the request: ${parameterNotFoundAction}`, {
      selector: { matchLabels: { kind: 'limit' } },
      parameterNotFoundAction,
    }),
  ]),
  selected('selector: by expression', {
    selector: { matchExpressions: [{ key: 'kind', operator: 'In', values: ['other', 'none'] }] },
    namespace: 'kube-public',
    parameterNotFoundAction: 'Deny',
  }),
];

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
  ...costCases,
  ...selectorCases,
];
