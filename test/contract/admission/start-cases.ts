/** Configurations of plugins of admission with which a real API server does not start, and some with which it does. */

export interface StartCase {
  readonly name: string;
  /** What is switched on. */
  readonly plugins: string;
  /** The file of `--admission-control-config-file`; none where absent. */
  readonly text?: string;
  /** What stands in the file that it names as `FOLDER/kubeconfig`. */
  readonly kubeconfig?: string;
}

type Document = { readonly [field: string]: unknown };

const apiVersion = 'apiserver.k8s.io/v1alpha1';

function configured(name: string, plugin: string, ...configurations: readonly Document[]): StartCase {
  const plugins = configurations.map((configuration) => ({ name: plugin, configuration }));
  return { name, plugins: plugin, text: JSON.stringify({ apiVersion, kind: 'AdmissionConfiguration', plugins }) };
}

function whole(name: string, text: string | Document, plugins = 'EventRateLimit'): StartCase {
  return { name, plugins, text: typeof text === 'string' ? text : JSON.stringify(text) };
}

const events = (name: string, more: Document, head: Document = { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration' }) =>
  configured(`events: ${name}`, 'EventRateLimit', { ...head, ...more });
const limit = { type: 'Server', qps: 1, burst: 1 };
const images = (name: string, imagePolicy: unknown) => configured(`images: ${name}`, 'ImagePolicyWebhook', { imagePolicy });
const kubeConfigFile = '/nowhere/kubeconfig';
/** A kubeconfig with a context, a cluster and a user, of which some are otherwise. */
function kubeconfigOf(cluster: Document | undefined, more: Document = {}, user: Document = {}): string {
  const clusters = cluster === undefined ? [] : [{ name: 'c', cluster }];
  const contexts = [{ name: 'x', context: { cluster: 'c', user: 'u' } }];
  const users = [{ name: 'u', user }];
  return JSON.stringify({ apiVersion: 'v1', kind: 'Config', 'current-context': 'x', clusters, contexts, users, ...more });
}
const kubeconfig = (name: string, text: string): StartCase => ({
  ...images(`a kubeconfig ${name}`, { kubeConfigFile: 'FOLDER/kubeconfig' }),
  kubeconfig: text,
});
const server = 'https://127.0.0.1:1';
const tolerations = (name: string, more: Document, kind = 'Configuration') =>
  configured(`tolerations: ${name}`, 'PodTolerationRestriction', {
    ...{ apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1', kind },
    ...more,
  });
const quota = (name: string, more: Document, kind = 'Configuration') =>
  configured(`quota: ${name}`, 'ResourceQuota', { apiVersion: 'resourcequota.admission.k8s.io/v1beta1', kind, ...more });
const security = (name: string, more: Document, kind = 'PodSecurityConfiguration') =>
  configured(`security: ${name}`, 'PodSecurity', { apiVersion: 'pod-security.admission.config.k8s.io/v1', kind, ...more });
const admission = { apiVersion, kind: 'AdmissionConfiguration' };

/** What the webhook's kubeconfig lacks. */
const kubeconfigCases: readonly StartCase[] = [
  images('a kubeconfig that is a folder', { kubeConfigFile: '/proc' }),
  images('a kubeconfig that is nowhere beside the server', { kubeConfigFile: 'nowhere/kubeconfig' }),
  { ...whole('only the images of old, and no kubeconfig', { imagePolicy: { kubeConfigFile } }, 'ImagePolicyWebhook') },
  kubeconfig('that is right', kubeconfigOf({ server })),
  kubeconfig('that is empty', ''),
  kubeconfig('that is no YAML', 'kind: ['),
  kubeconfig('of another kind', JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } })),
  kubeconfig('of another version', kubeconfigOf({ server }, { apiVersion: 'v7' })),
  kubeconfig('without a present context', kubeconfigOf({ server }, { 'current-context': '' })),
  kubeconfig('with no context of that name', kubeconfigOf({ server }, { 'current-context': 'y' })),
  kubeconfig('with no cluster of that name', kubeconfigOf(undefined)),
  kubeconfig('with no user of that name', kubeconfigOf({ server }, { users: [] })),
  kubeconfig('with no server', kubeconfigOf({})),
  kubeconfig('with an address that has no scheme', kubeconfigOf({ server: '127.0.0.1:1' })),
  kubeconfig('with an authority that is nowhere', kubeconfigOf({ server, 'certificate-authority': '/nowhere/ca' })),
  kubeconfig('with an authority and none', kubeconfigOf({ server, 'certificate-authority-data': 'eA==', 'insecure-skip-tls-verify': true })),
  kubeconfig('with a certificate that is nowhere', kubeconfigOf({ server }, {}, { 'client-certificate': '/nowhere/c', 'client-key': '/nowhere/k' })),
  kubeconfig('with a certificate and no key', kubeconfigOf({ server }, {}, { 'client-certificate-data': 'eA==' })),
  kubeconfig('with a token and a password', kubeconfigOf({ server }, {}, { token: 't', username: 'u', password: 'p' })),
  kubeconfig('with a list for a text', kubeconfigOf({ server: [] })),
];

/** Of plugins that both releases have. */
export const startCases: readonly StartCase[] = [
  { name: 'events: no file', plugins: 'EventRateLimit' },
  { name: 'images: no file', plugins: 'ImagePolicyWebhook' },
  { name: 'both, no file', plugins: 'EventRateLimit,ImagePolicyWebhook' },
  whole('of no plugin', admission),
  whole('of another plugin', { ...admission, plugins: [{ name: 'Other', configuration: { a: 1 } }] }),
  events('no limits', {}),
  events('an empty list', { limits: [] }),
  events('numbers that are none', { limits: [{ type: 'Server', qps: 0, burst: -1 }] }),
  events('another type', { limits: [{ type: 'Node', qps: 1, burst: 1 }] }),
  events('no type', { limits: [{ qps: 1, burst: 1 }] }),
  events('a cache of less than nothing', { limits: [{ ...limit, type: 'User', cacheSize: -1 }] }),
  events('several', { limits: [{ type: 'User', qps: 0, burst: -1, cacheSize: -1 }, {}] }),
  events('fields that nobody knows', { limits: [], more: 1 }),
  events('a text for a number', { limits: [{ ...limit, qps: 'x' }] }),
  events('a list that is none', { limits: 3 }),
  events('another kind', { limits: [limit] }, { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Other' }),
  events('another version', { limits: [limit] }, { apiVersion: 'eventratelimit.admission.k8s.io/v7', kind: 'Configuration' }),
  events('no kind', { limits: [limit] }, { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1' }),
  events('no version', { limits: [limit] }, { kind: 'Configuration' }),
  images('nothing', undefined),
  images('an empty policy', {}),
  images('no kubeconfig', { allowTTL: 10 }),
  images('a kubeconfig that is nowhere', { kubeConfigFile }),
  images('too long a yes', { kubeConfigFile, allowTTL: 99_999 }),
  images('too short a no', { kubeConfigFile, denyTTL: -5 }),
  images('too long a pause', { kubeConfigFile, retryBackoff: 300_001 }),
  images('several', { kubeConfigFile, allowTTL: 99_999, denyTTL: 99_999, retryBackoff: 300_001 }),
  images('a text for a number', { kubeConfigFile, allowTTL: 'x' }),
  images('a policy that is none', 3),
  configured('selectors: a list', 'PodNodeSelector', { podNodeSelectorPluginConfig: ['a'] }),
  configured('selectors: a number', 'PodNodeSelector', { podNodeSelectorPluginConfig: { a: 1 } }),
  tolerations('another kind', {}, 'Other'),
  tolerations('a list that is none', { default: 3 }),
  tolerations('an operator that nobody knows', { default: [{ key: 'a', operator: 'Like' }] }),
  tolerations('a key that is none', { whitelist: [{ key: 'a b', operator: 'Exists' }] }),
  quota('another kind', {}, 'Other'),
  quota('a list that is none', { limitedResources: 3 }),
  quota('no resource', { limitedResources: [{ matchContains: ['pods'] }] }),
  whole('no YAML', 'kind: [', 'EventRateLimit'),
  whole('the newer group', { ...admission, apiVersion: 'apiserver.config.k8s.io/v1' }),
  whole('an older version of the newer group', { ...admission, apiVersion: 'apiserver.config.k8s.io/v1alpha1' }),
  whole('another kind', { ...admission, kind: 'Other' }),
  whole('no kind', { plugins: [] }),
  whole('plugins that are no list', { ...admission, plugins: 3 }),
  whole('a name that is a number', { ...admission, plugins: [{ name: 3 }] }),
  whole('only the selectors of old', { podNodeSelectorPluginConfig: { a: 1 } }, 'PodNodeSelector'),
  whole('only the images of old', { imagePolicy: { kubeConfigFile, allowTTL: -7 } }, 'ImagePolicyWebhook'),
  configured(
    'twice',
    'EventRateLimit',
    { limits: [limit] },
    { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration', limits: [limit] },
  ),
  ...kubeconfigCases,
];

/** Of 1.36 alone: its plugins, and that it knows all fields. */
export const laterStartCases: readonly StartCase[] = [
  security('another kind', {}, 'Other'),
  security('another level', { defaults: { enforce: 'strict' } }),
  security('another version', { defaults: { enforce: 'baseline', 'enforce-version': '1.30' } }),
  security('fields that nobody knows', { default: {} }),
  security('exempt twice', { exemptions: { namespaces: ['a', 'a', 'A b'] } }),
  security('a list that is none', { exemptions: { namespaces: 'a' } }),
  quota('fields that nobody knows', { limits: [] }),
  tolerations('fields that nobody knows', { defaults: [] }),
  whole('fields that nobody knows', { ...admission, plugin: [] }),
  kubeconfig('with an authority that is none', kubeconfigOf({ server, 'certificate-authority-data': 'eA==' })),
  kubeconfig('with a proxy of another scheme', kubeconfigOf({ server, 'proxy-url': 'ftp://x' })),
  whole('fields of a plugin that nobody knows', { ...admission, plugins: [{ name: 'EventRateLimit', configurations: {} }] }),
];
