/** Requests about widgets of three versions, and the moods of the webhook that converts them meanwhile. */
export interface Step {
  /** Leads the definition to another mood of its webhook before the request. */
  readonly mood?: string;
  /** Changes of `spec.conversion.webhook` before the request. */
  readonly webhook?: object;
  readonly method?: string;
  /** Below `/apis/GROUP/`. */
  readonly path?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** What it is answered is not kept: a cache may not be there yet. */
  readonly isUntold?: true;
}

export interface ConversionCase {
  readonly name: string;
  readonly steps: readonly Step[];
}

const at = (version: string, name = ''): string => `${version}/namespaces/default/widgets${name === '' ? '' : `/${name}`}`;
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

function widget(version: string, name: string, spec: object, more: object = {}): object {
  return { apiVersion: `GROUP/${version}`, kind: 'Widget', metadata: { name, ...more }, spec };
}

const first: Step = { method: 'POST', path: at('v1'), body: widget('v1', 'one', { host: 'a', port: 1 }, { labels: { l: 'x' } }) };
const get = (version: string, name: string): Step => ({ method: 'GET', path: at(version, name) });

const life: ConversionCase = {
  name: 'life',
  steps: [
    first,
    get('v1', 'one'),
    get('v2', 'one'),
    get('v3', 'one'),
    { method: 'POST', path: at('v2'), body: widget('v2', 'two', { address: 'b:2', size: 3 }) },
    get('v1', 'two'),
    { method: 'GET', path: at('v1') },
    { method: 'GET', path: at('v2') },
    { method: 'GET', path: 'v3/widgets' },
    { method: 'PATCH', path: at('v2', 'one'), contentType: merge, body: { spec: { address: 'c:3' } } },
    { method: 'PATCH', path: at('v2', 'one'), contentType: merge, body: { spec: { address: 'c:3' } } },
    {
      method: 'PATCH',
      path: at('v3', 'one'),
      contentType: 'application/json-patch+json',
      body: [{ op: 'replace', path: '/spec/at/port', value: 4 }],
    },
    { method: 'PATCH', path: `${at('v2', 'one')}?fieldManager=m`, contentType: apply, body: widget('v2', 'one', { size: 5 }) },
    { method: 'PATCH', path: `${at('v2', 'new')}?fieldManager=m`, contentType: apply, body: widget('v2', 'new', { address: 'n:1' }) },
    get('v1', 'new'),
    { method: 'PUT', path: `${at('v2', 'two')}/status`, body: { ...widget('v2', 'two', { address: 'ignored:9' }), status: { phase: 'Good' } } },
    { method: 'PATCH', path: `${at('v3', 'two')}/status`, contentType: merge, body: { status: { phase: 'Better' } } },
    { method: 'GET', path: `${at('v2', 'two')}/scale` },
    { method: 'PATCH', path: `${at('v2', 'two')}/scale`, contentType: merge, body: { spec: { replicas: 9 } } },
    { method: 'POST', path: at('v2'), body: widget('v2', 'bad', { address: 5 }) },
    { method: 'POST', path: at('v2'), body: widget('v2', 'big', { address: 'x:1', size: 500 }) },
    { method: 'POST', path: at('v3'), body: widget('v3', 'big', { at: { host: 'x', port: 1 }, size: 500 }) },
    { method: 'PATCH', path: at('v2', 'big'), contentType: merge, body: { metadata: { labels: { touched: 'yes' } } } },
    { method: 'POST', path: `${at('v2')}?dryRun=All`, body: widget('v2', 'dry', { address: 'd:1' }) },
    { method: 'DELETE', path: at('v2', 'new') },
    { method: 'POST', path: at('v2'), body: widget('v2', 'held', { address: 'h:1' }, { finalizers: ['example.com/f'] }) },
    { method: 'DELETE', path: at('v3', 'held') },
    { method: 'PATCH', path: at('v2', 'held'), contentType: merge, body: { metadata: { finalizers: null } } },
    { method: 'DELETE', path: at('v2') },
    { method: 'GET', path: at('v2') },
  ],
};

const moods: readonly string[] = [
  'version-kept',
  'other-kind',
  'other-name',
  'other-namespace',
  'other-uid',
  'no-metadata',
  'name-alone',
  'labels-text',
  'label-number',
  'label-bad',
  'annotation-bad',
  'labelled',
  'finalizers',
  'unknown-field',
  'wrong-type',
  'status-too',
  'null-object',
  'text-object',
  'no-version',
  'failed',
  'failed-mute',
  'no-result',
  'strange-result',
  'wrong-uid',
  'no-uid',
  'no-objects',
  'one-too-many',
  'no-response',
  'other-review',
  'other-version',
  'bare',
  'bad-type',
  'empty',
  'garbage',
  '500',
  '500-status',
  '404',
  'reset',
  'nowhere',
];

const asked: readonly Step[] = [
  get('v2', 'one'),
  { method: 'POST', path: at('v2'), body: widget('v2', 'two', { address: 'b:2' }) },
  { method: 'PATCH', path: at('v2', 'one'), contentType: merge, body: { spec: { size: 7 } } },
  { method: 'GET', path: `${at('v2', 'one')}/status` },
  { method: 'DELETE', path: at('v2', 'one') },
  get('v1', 'one'),
];

function inMood(name: string, change: Step, more: readonly Step[] = []): ConversionCase {
  const [before, ...after] = asked;
  return { name, steps: [first, { ...before, ...change }, ...after, ...more] };
}

const second: Step = { method: 'POST', path: at('v1'), body: widget('v1', 'two', { host: 'b', port: 2 }) };
const warming: Step = { method: 'GET', path: at('v2'), isUntold: true };

/** Every verb over several objects, in which the mood may see more than one. */
const many: readonly Step[] = [
  { method: 'GET', path: 'v2/widgets?limit=1' },
  { method: 'GET', path: at('v2', 'one') },
  { method: 'GET', path: `${at('v2')}?labelSelector=l%3Dx` },
  { method: 'PUT', path: at('v2', 'absent'), body: widget('v2', 'absent', { address: 'z:9' }) },
  { method: 'PATCH', path: `${at('v2', 'fresh')}?fieldManager=m`, contentType: apply, body: widget('v2', 'fresh', { address: 'f:5' }) },
  { method: 'PATCH', path: at('v2', 'one'), contentType: 'application/json-patch+json', body: [{ op: 'add', path: '/spec/size', value: 8 }] },
  { method: 'PATCH', path: `${at('v2', 'two')}/status`, contentType: merge, body: { status: { phase: 'Q' } } },
  { method: 'GET', path: `${at('v2', 'two')}/scale` },
  { method: 'PATCH', path: `${at('v2', 'two')}/scale`, contentType: merge, body: { spec: { replicas: 3 } } },
  { method: 'POST', path: `${at('v2')}?dryRun=All`, body: widget('v2', 'dry', { address: 'd:1' }) },
  { method: 'GET', path: at('v1') },
  { method: 'DELETE', path: `${at('v2')}?labelSelector=l%3Dx` },
  { method: 'DELETE', path: at('v3', 'two'), body: { preconditions: { uid: 'none' } } },
  { method: 'DELETE', path: at('v1') },
];

const manyMoods: readonly string[] = [
  ...['convert', 'version-kept', 'other-kind', 'labelled', 'null-object', 'failed', 'one-too-many', '500', 'reset'],
  ...['one-too-few', 'failed-reason', 'failed-details', 'version-elsewhere', 'no-kind', 'list-kind', 'null-metadata', 'text-metadata'],
  ...['other-generate-name', 'other-revision', 'other-times', 'no-managers', 'odd-managers', 'null-labels', 'annotation-number'],
  ...['annotation-large', 'label-long', 'unknown-metadata', 'null-spec', 'text-spec', 'too-large', 'fraction', 'list-object', 'empty-object'],
];

export const conversionCases: readonly ConversionCase[] = [
  life,
  ...moods.map((mood) => inMood(mood, { mood: `/${mood}` })),
  ...manyMoods.map((mood): ConversionCase => ({ name: `many-${mood}`, steps: [first, second, { ...warming, mood: `/${mood}` }, ...many] })),
  inMood('beta', { webhook: { conversionReviewVersions: ['v1beta1'] } }),
  inMood('beta-wrong-uid', { mood: '/wrong-uid', webhook: { conversionReviewVersions: ['v1beta1'] } }),
  inMood('beta-failed', { mood: '/failed', webhook: { conversionReviewVersions: ['v1beta1', 'v1'] } }),
  inMood('beta-first', { webhook: { conversionReviewVersions: ['v7', 'v1beta1', 'v1'] } }),
  inMood('other-authority', { webhook: { clientConfig: { caBundle: 'OTHERCA' } } }),
  inMood('refused', { webhook: { clientConfig: { url: 'https://127.0.0.1:1/convert' } } }),
  inMood('no-service', {
    webhook: { clientConfig: { url: null, service: { namespace: 'default', name: 'converter', path: '/convert', port: 443 } } },
  }),
  inMood('no-path', { webhook: { clientConfig: { url: 'HOOK' } } }),
];
