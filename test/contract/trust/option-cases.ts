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

const server = 'https://127.0.0.1:1';
const somebody = { name: 'u', user: {} };
/** A kubeconfig with a context, a cluster and a user, of which some are otherwise. */
function kubeconfigOf(cluster: object | undefined, more: object = {}, user: object = {}): string {
  const clusters = cluster === undefined ? [] : [{ name: 'c', cluster }];
  const contexts = [{ name: 'x', context: { cluster: 'c', user: 'u' } }];
  return JSON.stringify({ apiVersion: 'v1', kind: 'Config', 'current-context': 'x', clusters, contexts, users: [{ name: 'u', user }], ...more });
}

/** Kubeconfigs that no server starts with. */
const brokenKubeconfigs: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['no YAML', 'kind: ['],
  ['a text', '"a"'],
  ['of another kind', JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } })],
  ['of another version', kubeconfigOf({ server }, { apiVersion: 'v7' })],
  ['without a present context', kubeconfigOf({ server }, { 'current-context': '' })],
  ['with no context of that name', kubeconfigOf({ server }, { 'current-context': 'y' })],
  ['with no cluster of that name', kubeconfigOf(undefined)],
  ['with no server', kubeconfigOf({})],
  ['with an authority that is nowhere', kubeconfigOf({ server, 'certificate-authority': '/nowhere/ca' })],
  ['with an authority that is none', kubeconfigOf({ server, 'certificate-authority-data': 'eA==' })],
  ['with an authority and none', kubeconfigOf({ server, 'certificate-authority-data': 'eA==', 'insecure-skip-tls-verify': true })],
  ['with a certificate that is nowhere', kubeconfigOf({ server }, {}, { 'client-certificate': '/nowhere/c', 'client-key': '/nowhere/k' })],
  ['with a certificate and no key', kubeconfigOf({ server }, {}, { 'client-certificate-data': 'eA==' })],
  ['with a certificate and a key that are none', kubeconfigOf({ server }, {}, { 'client-certificate-data': 'eA==', 'client-key-data': 'eA==' })],
  ['with a token and a password', kubeconfigOf({ server }, {}, { token: 't', username: 'u', password: 'p' })],
  ['with a token file that is nowhere', kubeconfigOf({ server }, {}, { tokenFile: '/nowhere/t' })],
  ['with a list for an address', kubeconfigOf({ server: [] })],
  ['with a number for a list', kubeconfigOf({ server }, { users: 1 })],
  ['with a proxy of another scheme', kubeconfigOf({ server, 'proxy-url': 'ftp://x' })],
  ['with an address that is none', kubeconfigOf({ server: 'https://a b' })],
  ['with a plugin that says nothing', kubeconfigOf({ server }, {}, { exec: {} })],
  [
    'with a plugin and a token',
    kubeconfigOf({ server }, {}, { token: 't', exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'x', interactiveMode: 'Never' } }),
  ],
  ['with an auth provider that nobody knows', kubeconfigOf({ server }, {}, { 'auth-provider': { name: 'gcp' } })],
  ['with two users of one name', kubeconfigOf({ server }, { users: [somebody, { name: 'u', user: { tokenFile: '/nowhere/t' } }] })],
];
const broken = 'FOLDER/broken';
const named = (who: string, flags: OptionCase['flags'], files: OptionCase['files'] = {}): readonly OptionCase[] =>
  brokenKubeconfigs.map(([name, text]) => ({ name: `${who}: a kubeconfig ${name}`, flags, files: { ...files, broken: text } }));
const auditPolicy = JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] });
const toBroken = authorizers('', [hook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: broken } })]);
/** Whole texts, of which none can be read. */
const unread: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['no YAML', 'kind: ['],
  ['a list', '[]'],
  ['a text for the list', JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers: 'x' })],
  ['a number for a time', String(authorizers('', [hook({ timeout: 3 })]).files?.['config'])],
  ['no duration', String(authorizers('', [hook({ timeout: '3 s' })]).files?.['config'])],
  ['a text for a boolean', String(authorizers('', [hook({ cacheAuthorizedRequests: 'yes' })]).files?.['config'])],
  ['a field that nobody knows', String(authorizers('', [hook({ foo: 1 })]).files?.['config'])],
  ['a field twice', 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers: []\nauthorizers: []\n'],
  ['no version', JSON.stringify({ kind: 'AuthorizationConfiguration', authorizers: [] })],
  ['no kind', JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', authorizers: [] })],
];

/** What a file says that leads to a webhook, and a configuration that nobody can read. */
const fileCases: readonly OptionCase[] = [
  ...named('authorization webhook', { 'authorization-mode': 'Webhook', 'authorization-webhook-config-file': broken }),
  ...named('authorizers', toBroken.flags, toBroken.files),
  ...named('token webhook', { 'authentication-token-webhook-config-file': broken }),
  ...named('audit webhook', { 'audit-webhook-config-file': broken, 'audit-policy-file': 'FOLDER/policy' }, { policy: auditPolicy }),
  { name: 'authorization webhook: a folder', flags: { 'authorization-mode': 'Webhook', 'authorization-webhook-config-file': '/proc' } },
  { name: 'authorization webhook: nowhere', flags: { 'authorization-mode': 'Webhook', 'authorization-webhook-config-file': '/nope' } },
  {
    name: 'audit webhook: nowhere',
    flags: { 'audit-webhook-config-file': '/nope', 'audit-policy-file': 'FOLDER/policy' },
    files: { policy: auditPolicy },
  },
  {
    name: 'audit webhook: a folder',
    flags: { 'audit-webhook-config-file': '/proc', 'audit-policy-file': 'FOLDER/policy' },
    files: { policy: auditPolicy },
  },
  ...unread.map(([name, text]) => ({ ...authorizers(`a file: ${name}`, []), files: { config: text } })),
];

/** Each option that names a file, which cannot be read. */
function unreadable(what: string, file: string): readonly OptionCase[] {
  const issuer = { 'oidc-issuer-url': 'https://issuer', 'oidc-client-id': 'client' };
  const beside: readonly (readonly [string, OptionCase['flags']])[] = [
    ['token-auth-file', {}],
    ['oidc-ca-file', issuer],
    ['requestheader-client-ca-file', { 'requestheader-username-headers': 'X-Remote-User' }],
    ['authentication-config', {}],
    ['authorization-policy-file', { 'authorization-mode': 'ABAC' }],
    ['authorization-config', {}],
    ['audit-policy-file', { 'audit-log-path': '-' }],
    ['encryption-provider-config', {}],
  ];
  return beside.map(([option, flags]) => ({ name: `${option}: ${what}`, flags: { ...flags, [option]: file } }));
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
  ...fileCases,
  ...unreadable('nothing', '/nowhere/at/all'),
  ...unreadable('a folder', '/'),
];
