/** Folders of manifests of admission that a real API server was started with, right ones and wrong ones. */

export type Files = { readonly [file: string]: string };

export interface ManifestCase {
  readonly name: string;
  readonly plugin: 'MutatingAdmissionPolicy' | 'MutatingAdmissionWebhook' | 'ValidatingAdmissionPolicy' | 'ValidatingAdmissionWebhook';
  readonly files: Files;
}

const group = 'admissionregistration.k8s.io/v1';
const configMaps = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] };

type Fields = { readonly [name: string]: unknown };

export function webhooks(kind: 'Mutating' | 'Validating', name: string, hook: Fields = {}): Fields {
  const whole = {
    name: 'a.example.com',
    clientConfig: { url: 'https://127.0.0.1:9/x' },
    rules: [configMaps],
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    ...hook,
  };
  return { apiVersion: group, kind: `${kind}WebhookConfiguration`, metadata: { name }, webhooks: [whole] };
}

export function policy(name: string, spec: Fields = {}): Fields {
  const validations = [{ expression: "!object.metadata.name.startsWith('bad')", message: 'no bad names' }];
  return {
    apiVersion: group,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [configMaps] }, validations, ...spec },
  };
}

export function binding(name: string, policyName: string, spec: Fields = {}): Fields {
  return {
    apiVersion: group,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName, validationActions: ['Deny'], ...spec },
  };
}

function mutatingPolicy(name: string, spec: Fields = {}): Fields {
  const expression = 'Object{metadata: Object.metadata{labels: {"on": "disk"}}}';
  const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
  return {
    apiVersion: group,
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [configMaps] }, mutations, reinvocationPolicy: 'Never', ...spec },
  };
}

function mutatingBinding(name: string, policyName: string, spec: Fields = {}): Fields {
  return { apiVersion: group, kind: 'MutatingAdmissionPolicyBinding', metadata: { name }, spec: { policyName, ...spec } };
}

export function file(...documents: readonly Fields[]): string {
  return documents.map((one) => JSON.stringify(one, null, 1)).join('\n---\n');
}

const listOf = (kind: string, apiVersion: string, ...items: readonly Fields[]): Fields => ({ kind, apiVersion, items });
const [p, b] = ['p.static.k8s.io', 'b.static.k8s.io'];
const validatingHooks = (name: string, files: Files): ManifestCase => ({ name, plugin: 'ValidatingAdmissionWebhook', files });
const mutatingHooks = (name: string, files: Files): ManifestCase => ({ name, plugin: 'MutatingAdmissionWebhook', files });
const validating = (name: string, files: Files): ManifestCase => ({ name, plugin: 'ValidatingAdmissionPolicy', files });
const mutating = (name: string, files: Files): ManifestCase => ({ name, plugin: 'MutatingAdmissionPolicy', files });

/** Each is refused when a server starts. */
export const badManifests: readonly ManifestCase[] = [
  validatingHooks('a name without the suffix', { 'a.yaml': file(webhooks('Validating', 'a.example.com')) }),
  validatingHooks('no name', { 'a.yaml': file(webhooks('Validating', '')) }),
  validatingHooks('a name twice in a file', { 'a.yaml': file(webhooks('Validating', p), webhooks('Validating', p)) }),
  validatingHooks('a name twice in two files', { 'b.json': file(webhooks('Validating', p)), 'a.yml': file(webhooks('Validating', p)) }),
  validatingHooks('the other kind of webhooks', { 'a.yaml': file(webhooks('Mutating', p)) }),
  mutatingHooks('the other kind of webhooks', { 'a.yaml': file(webhooks('Validating', p)) }),
  validatingHooks('a policy', { 'a.yaml': file(policy(p)) }),
  validatingHooks('a Service', {
    'a.yaml': file(webhooks('Validating', p, { clientConfig: { service: { name: 's', namespace: 'n' } } })),
  }),
  mutatingHooks('a Service', { 'a.yaml': file(webhooks('Mutating', p, { clientConfig: { service: { name: 's', namespace: 'n' } } })) }),
  validatingHooks('neither URL nor Service', { 'a.yaml': file(webhooks('Validating', p, { clientConfig: {} })) }),
  validatingHooks('a URL that is not https', { 'a.yaml': file(webhooks('Validating', p, { clientConfig: { url: 'http://x/' } })) }),
  validatingHooks('several things wrong', {
    'a.yaml': file(webhooks('Validating', p, { name: 'short', sideEffects: 'Some', admissionReviewVersions: [], timeoutSeconds: 40 })),
  }),
  validatingHooks('a condition that does not compile', {
    'a.yaml': file(webhooks('Validating', p, { matchConditions: [{ name: 'c', expression: 'object.' }] })),
  }),
  mutatingHooks('several things wrong', { 'a.yaml': file(webhooks('Mutating', p, { name: 'short', reinvocationPolicy: 'Always' })) }),
  validatingHooks('a field that nobody knows', { 'a.yaml': file(webhooks('Validating', p, { extra: 1 })) }),
  validatingHooks('two fields that nobody knows', { 'a.yaml': file({ ...webhooks('Validating', p, { extra: 1 }), more: {} }) }),
  validatingHooks('a field twice', { 'a.yaml': `${file(webhooks('Validating', p)).slice(0, -2)},\n "kind": "ValidatingWebhookConfiguration"\n}` }),
  validatingHooks('a field twice in YAML', {
    'a.yaml': `kind: ValidatingWebhookConfiguration\nkind: List\napiVersion: ${group}\nmetadata: {name: ${p}}\n`,
  }),
  validatingHooks('a wrong type', { 'a.yaml': file(webhooks('Validating', p, { timeoutSeconds: 'ten' })) }),
  validatingHooks('no YAML', { 'a.yaml': 'kind: [\n' }),
  validatingHooks('no JSON', { 'a.json': '{"kind": "ValidatingWebhookConfiguration",\n' }),
  validatingHooks('a text', { 'a.yaml': 'hello\n' }),
  validatingHooks('no kind', { 'a.yaml': 'apiVersion: v1\n' }),
  validatingHooks('no version', { 'a.yaml': 'kind: ValidatingWebhookConfiguration\n' }),
  validatingHooks('a ConfigMap', { 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n' }),
  validatingHooks('a Status', { 'a.yaml': 'apiVersion: v1\nkind: Status\n' }),
  validatingHooks('an older version', { 'a.yaml': file({ ...webhooks('Validating', p), apiVersion: 'admissionregistration.k8s.io/v1beta1' }) }),
  validatingHooks('a version that never was', { 'a.yaml': file({ ...webhooks('Validating', p), apiVersion: 'admissionregistration.k8s.io/v7' }) }),
  validatingHooks('a List with another kind', { 'a.yaml': file(listOf('List', 'v1', webhooks('Validating', p), webhooks('Mutating', b))) }),
  validatingHooks('a List with what has no kind', { 'a.yaml': file(listOf('List', 'v1', {})) }),
  validatingHooks('a typed list with a bad name', {
    'a.yaml': file(listOf('ValidatingWebhookConfigurationList', group, webhooks('Validating', 'x'))),
  }),
  validating('a name without the suffix', { 'a.yaml': file(policy('p')) }),
  validating('a binding without the suffix', { 'a.yaml': file(policy(p), binding('b', p)) }),
  validating('a binding of a policy of the API', { 'a.yaml': file(policy(p), binding(b, 'p')) }),
  validating('a binding of a policy that is not there', { 'a.yaml': file(policy(p), binding(b, 'q.static.k8s.io')) }),
  validating('a binding of no policy', { 'a.yaml': file(binding(b, '')) }),
  validating('params', { 'a.yaml': file(policy(p, { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } })) }),
  validating('a reference to params', {
    'a.yaml': file(policy(p), binding(b, p, { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } })),
  }),
  validating('a policy twice', { 'a.yaml': file(policy(p)), 'b.yaml': file(policy(p)) }),
  validating('a binding twice', { 'a.yaml': file(policy(p), binding(b, p)), 'b.yaml': file(binding(b, p)) }),
  validating('an expression that does not compile', { 'a.yaml': file(policy(p, { validations: [{ expression: 'object.x ==' }] })) }),
  validating('a variable that nobody knows', { 'a.yaml': file(policy(p, { validations: [{ expression: 'variables.x' }] })) }),
  validating('several things wrong', { 'a.yaml': file(policy(p, { failurePolicy: 'Maybe', validations: [] })) }),
  validating('an action that is none', { 'a.yaml': file(policy(p), binding(b, p, { validationActions: ['Shout'] })) }),
  validating('no actions', { 'a.yaml': file(policy(p), binding(b, p, { validationActions: [] })) }),
  validating('a policy that mutates', { 'a.yaml': file(mutatingPolicy(p)) }),
  validating('webhooks', { 'a.yaml': file(webhooks('Validating', p)) }),
  validating('a field that nobody knows', { 'a.yaml': file(policy(p, { extra: true })) }),
  validating('an older version', { 'a.yaml': file({ ...policy(p), apiVersion: 'admissionregistration.k8s.io/v1beta1' }) }),
  mutating('a name without the suffix', { 'a.yaml': file(mutatingPolicy('p')) }),
  mutating('a binding of a policy of the API', { 'a.yaml': file(mutatingBinding(b, 'p')) }),
  mutating('a binding of a policy that is not there', { 'a.yaml': file(mutatingBinding(b, p)) }),
  mutating('params', { 'a.yaml': file(mutatingPolicy(p, { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } })) }),
  mutating('a reference to params', {
    'a.yaml': file(mutatingPolicy(p), mutatingBinding(b, p, { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } })),
  }),
  mutating('an expression that does not compile', {
    'a.yaml': file(mutatingPolicy(p, { mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: 'true' } }] })),
  }),
  mutating('several things wrong', { 'a.yaml': file(mutatingPolicy(p, { mutations: [], reinvocationPolicy: 'Often' })) }),
  mutating('a policy that validates', { 'a.yaml': file(policy(p)) }),
];

export interface ConfigurationCase {
  readonly name: string;
  readonly plugin: ManifestCase['plugin'];
  /** FOLDER is one with a file `a.yaml` that is right. */
  readonly configuration: Fields;
  readonly gate: boolean;
}

const configurations = 'apiserver.config.k8s.io/v1';
const configured = (kind: string, staticManifestsDir: string, more: Fields = {}): Fields => ({
  apiVersion: configurations,
  kind,
  staticManifestsDir,
  ...more,
});

/** What `plugins[].configuration` may be, right and wrong. */
export const configurationCases: readonly ConfigurationCase[] = [
  ...(['Validating', 'Mutating'] as const).flatMap((what): readonly ConfigurationCase[] => [
    {
      name: `${what} webhooks, the gate is off`,
      plugin: `${what}AdmissionWebhook`,
      configuration: configured('WebhookAdmissionConfiguration', 'FOLDER'),
      gate: false,
    },
    {
      name: `${what} policies, the gate is off`,
      plugin: `${what}AdmissionPolicy`,
      configuration: configured(`${what}AdmissionPolicyConfiguration`, 'FOLDER'),
      gate: false,
    },
  ]),
  ...(
    [
      ['a folder that is not there', 'FOLDER/nope'],
      ['a path that is not absolute', 'manifests'],
      ['a file', 'FOLDER/a.yaml'],
    ] as const
  ).flatMap(([name, folder]): readonly ConfigurationCase[] => [
    {
      name: `webhooks: ${name}`,
      plugin: 'ValidatingAdmissionWebhook',
      configuration: configured('WebhookAdmissionConfiguration', folder),
      gate: true,
    },
    {
      name: `policies: ${name}`,
      plugin: 'MutatingAdmissionPolicy',
      configuration: configured('MutatingAdmissionPolicyConfiguration', folder),
      gate: true,
    },
  ]),
  {
    name: 'policies: an unknown field',
    plugin: 'ValidatingAdmissionPolicy',
    configuration: configured('ValidatingAdmissionPolicyConfiguration', 'FOLDER', { more: 1 }),
    gate: true,
  },
  {
    name: 'policies: the other kind',
    plugin: 'ValidatingAdmissionPolicy',
    configuration: configured('MutatingAdmissionPolicyConfiguration', 'FOLDER'),
    gate: true,
  },
  {
    name: 'policies: a kind that nobody knows',
    plugin: 'ValidatingAdmissionPolicy',
    configuration: configured('WebhookAdmissionConfiguration', 'FOLDER'),
    gate: true,
  },
  {
    name: 'webhooks: a kubeconfig at a path that is not absolute',
    plugin: 'ValidatingAdmissionWebhook',
    configuration: configured('WebhookAdmissionConfiguration', 'FOLDER', { kubeConfigFile: 'k' }),
    gate: true,
  },
];

const every = { apiGroups: ['admissionregistration.k8s.io'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['*'] };
const both = { matchConstraints: { resourceRules: [configMaps, every] } };
const only = (name: string): Fields => ({
  rules: [configMaps, every],
  matchConditions: [{ name: 'named', expression: `object.metadata.name == '${name}'` }],
});
/** Nobody reads these. */
const besides = { 'notes.txt': 'kind: [', 'empty.yaml': '', 'blank.yml': '\n---\n\n---\n' };

/** Folders that a server starts with. */
export const goodManifests: { readonly [plugin in ManifestCase['plugin']]: Files } = {
  ValidatingAdmissionPolicy: {
    ...besides,
    'b.YAML': file(listOf('List', 'v1', binding(b, p), policy(p, both))),
    'a.json': file(
      listOf('ValidatingAdmissionPolicyList', group, policy('o.static.k8s.io', { validations: [{ expression: "object.metadata.name != 'bad-o'" }] })),
    ),
  },
  MutatingAdmissionPolicy: { ...besides, 'a.yaml': file(mutatingPolicy(p, both), mutatingBinding(b, p)) },
  ValidatingAdmissionWebhook: { ...besides, 'a.yaml': file(webhooks('Validating', p, only('hooked'))) },
  MutatingAdmissionWebhook: {
    ...besides,
    'a.yaml': file(listOf('MutatingWebhookConfigurationList', group, webhooks('Mutating', p, only('mutated')))),
  },
};

export interface ManifestStep {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

const api = '/apis/admissionregistration.k8s.io/v1';
const make = (plural: string, body: object): ManifestStep => ({ method: 'POST', path: `${api}/${plural}`, body });
const configMap = (name: string): ManifestStep => ({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body: { metadata: { name } } });
const of = (name: string): readonly ManifestStep[] => [
  make('validatingadmissionpolicies', policy(name, { matchConstraints: { resourceRules: [{ ...configMaps, resources: ['secrets'] }] } })),
  make('validatingadmissionpolicybindings', binding(name, 'x')),
  make('mutatingadmissionpolicies', mutatingPolicy(name, { matchConstraints: { resourceRules: [{ ...configMaps, resources: ['secrets'] }] } })),
  make('mutatingadmissionpolicybindings', mutatingBinding(name, 'x')),
  make('validatingwebhookconfigurations', webhooks('Validating', name, { rules: [] })),
  make('mutatingwebhookconfigurations', webhooks('Mutating', name, { rules: [] })),
];
const worse = {
  validations: [{ expression: "!object.metadata.name.startsWith('worse') && !object.metadata.name.startsWith('bad')", message: 'said by the API' }],
};

/** What is asked of a server that began with `goodManifests`. */
export const manifestSteps: readonly ManifestStep[] = [
  ...['good', 'bad', 'bad-o', 'hooked', 'mutated'].map(configMap),
  ...['fine', 'bad', 'hooked', 'mutated', 'y.static.k8s.io'].flatMap(of),
  { method: 'GET', path: `${api}/validatingadmissionpolicies/${p}` },
  make('validatingadmissionpolicies', policy('a', { ...both, ...worse })),
  make('validatingadmissionpolicybindings', binding('a', 'a')),
];

/** The API's own policies beside those on disk: asked once the policy `a` counts. */
export const laterSteps: readonly ManifestStep[] = [...['worse', 'bad-later'].map(configMap), ...of('worse')];

/** Folders of validating policies one after the other, and what is asked once each has been looked at. */
export const manifestReloads: readonly { readonly files: Files; readonly ask: ManifestStep }[] = [
  {
    files: { 'a.yaml': file(policy(p, { validations: [{ expression: "object.metadata.name != 'second'" }] }), binding(b, p)) },
    ask: configMap('second'),
  },
  { files: { 'a.yaml': 'kind: [' }, ask: configMap('second') },
  { files: {}, ask: configMap('second') },
];

export interface Told {
  readonly code: number;
  readonly message?: string;
  readonly reason?: string;
  readonly causes?: unknown;
  readonly labels?: unknown;
}

/** Of an answer what matters here. */
export function toldOf({ code, text }: { readonly code: number; readonly text: string }): Told {
  const { message, reason, details, metadata } = JSON.parse(text) as Fields & { readonly [name: string]: Fields | undefined };
  const shown = { code, message, reason, causes: details?.['causes'], labels: metadata?.['labels'] };
  return JSON.parse(JSON.stringify(shown)) as Told;
}

/** The configuration that names a folder for each plugin. */
export function admissionOf(plugins: readonly { readonly name: string; readonly configuration: Fields; readonly manifests?: unknown }[]): string {
  return JSON.stringify({ apiVersion: configurations, kind: 'AdmissionConfiguration', plugins });
}

export function configurationOf(plugin: ManifestCase['plugin'], folder: string): Fields {
  return configured(plugin.endsWith('Webhook') ? 'WebhookAdmissionConfiguration' : `${plugin}Configuration`, folder);
}
