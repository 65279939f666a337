/** Options of the API server that are wrong, with the files that they name; `FOLDER` is where these are. */
export interface OptionCase {
  readonly name: string;
  readonly flags: { readonly [flag: string]: string };
  readonly files?: { readonly [file: string]: string };
}

const kubeconfig = JSON.stringify({
  ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'w' },
  clusters: [{ name: 'w', cluster: { server: 'https://127.0.0.1:1/x' } }],
  contexts: [{ name: 'w', context: { cluster: 'w', user: 'u' } }],
  users: [{ name: 'u', user: {} }],
});

/** Beside what a case brings. */
export const commonFiles: { readonly [file: string]: string } = { kubeconfig };

const there = 'FOLDER/kubeconfig';
const connection = { type: 'KubeConfigFile', kubeConfigFile: there };
const webhook = { timeout: '3s', subjectAccessReviewVersion: 'v1', failurePolicy: 'Deny', connectionInfo: connection };
const hook = (changes: object, name = 'w'): object => ({ type: 'Webhook', name, webhook: { ...webhook, ...changes } });

function authorizers(name: string, list: readonly object[], more: object = {}): OptionCase {
  const text = JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers: list, ...more });
  return { name: `authorizers: ${name}`, flags: { 'authorization-config': 'FOLDER/config' }, files: { config: text } };
}

const conditions = (...expressions: readonly string[]): object => ({
  matchConditionSubjectAccessReviewVersion: 'v1',
  matchConditions: expressions.map((expression) => ({ expression })),
});

function encryption(name: string, resources: readonly object[], more: object = {}): OptionCase {
  const text = JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources, ...more });
  return { name: `encryption: ${name}`, flags: { 'encryption-provider-config': 'FOLDER/config' }, files: { config: text } };
}

export const optionCases: readonly OptionCase[] = [
  { name: 'no file of encryption', flags: { 'encryption-provider-config': '/nope' } },
  { name: 'a reload of nothing', flags: { 'encryption-provider-config-automatic-reload': 'true' } },
  encryption('nothing', []),
  encryption('unknown field', [], { foo: 1 }),
  encryption('unknown version', [], { apiVersion: 'v1' }),
  encryption('resources that are wrong', [
    { resources: [], providers: [] },
    {
      resources: ['*', 'Foo', 'foo.*', 'events.events.k8s.io', 'x.extensions', 'apiserveripinfo', '*.', 'pods', 'pods', '*.*'],
      providers: [{ identity: {} }],
    },
  ]),
  encryption('keys that are wrong', [
    {
      resources: ['secrets'],
      providers: [
        {
          aescbc: {
            keys: [
              { name: '', secret: 'xx' },
              { name: 'a', secret: '' },
              { name: 'b', secret: 'YWJj' },
            ],
          },
        },
        { aesgcm: { keys: [] } },
        { secretbox: { keys: [{ name: 'a', secret: 'MTIzNDU2Nzg5MDEyMzQ1Ng==' }] } },
        {},
        { identity: {}, aesgcm: { keys: [] } },
      ],
    },
  ]),
  { name: 'no kubeconfig of the token webhook', flags: { 'authentication-token-webhook-config-file': '/nope' } },
  {
    name: 'version of the token webhook',
    flags: { 'authentication-token-webhook-config-file': there, 'authentication-token-webhook-version': 'v2' },
  },
  { name: 'Webhook without a kubeconfig', flags: { 'authorization-mode': 'Webhook' } },
  { name: 'a kubeconfig without Webhook', flags: { 'authorization-mode': 'RBAC', 'authorization-webhook-config-file': there } },
  { name: 'several modes that lack something', flags: { 'authorization-mode': 'Webhook,ABAC,Foo,ABAC' } },
  {
    name: 'version of the authorization webhook',
    flags: { 'authorization-mode': 'Webhook', 'authorization-webhook-config-file': there, 'authorization-webhook-version': 'v2' },
  },
  { ...authorizers('beside modes', [hook({})]), flags: { 'authorization-config': 'FOLDER/config', 'authorization-mode': 'RBAC' } },
  { name: 'no file of authorizers', flags: { 'authorization-config': '/nope' } },
  authorizers('none', []),
  authorizers('unknown field', [], { foo: 1 }),
  authorizers('unknown version', [], { apiVersion: 'apiserver.config.k8s.io/v2' }),
  authorizers('unknown kind', [], { kind: 'EncryptionConfiguration2' }),
  authorizers('no type, unknown type, twice', [{}, { type: 'Foo' }, { type: 'RBAC', name: 'rbac' }, { type: 'RBAC', name: 'rbac' }]),
  authorizers('names', [{ type: 'Node' }, { type: 'RBAC', name: 'node' }, hook({}, 'A_'), hook({}, 'b'), hook({}, 'b')]),
  authorizers('other names', [
    { type: 'Node', name: 'a' },
    { type: 'RBAC', name: 'rbac' },
    { type: 'AlwaysDeny', name: 'b' },
  ]),
  authorizers('webhook where none belongs', [
    { type: 'RBAC', name: 'rbac', webhook },
    { type: 'Webhook', name: 'x' },
  ]),
  authorizers('an empty webhook', [{ type: 'Webhook', name: 'w', webhook: {} }]),
  authorizers('times', [hook({ timeout: '31s', authorizedTTL: '-1s', unauthorizedTTL: '-1m' }), hook({ timeout: '-1s' }, 'v')]),
  authorizers('versions and policy', [
    hook({ subjectAccessReviewVersion: 'v3', failurePolicy: 'Maybe', matchConditionSubjectAccessReviewVersion: 'v1beta1' }),
  ]),
  authorizers('connection of no type', [hook({ connectionInfo: {} })]),
  authorizers('connection without a file', [hook({ connectionInfo: { type: 'KubeConfigFile' } })]),
  authorizers('connection relative', [hook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'kubeconfig' } })]),
  authorizers('connection to nothing', [hook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/nope' } })]),
  authorizers('connection to a folder', [hook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/' } })]),
  authorizers('connection in cluster with a file', [hook({ connectionInfo: { type: 'InClusterConfig', kubeConfigFile: there } })]),
  authorizers('conditions without version', [hook({ matchConditions: [{ expression: 'true' }] })]),
  authorizers('conditions that are wrong', [hook(conditions('', 'true', 'true', '1', 'request.foo', 'request.user ==', 'object.x'))]),
  authorizers('too many conditions', [hook(conditions(...Array.from({ length: 65 }, (_, index) => `request.user != '${index}'`)))]),
  authorizers('a condition about selectors', [hook(conditions('request.resourceAttributes.fieldSelector.requirements.exists(r, r.key == 1)'))]),
];
