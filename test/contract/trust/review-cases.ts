/** What webhooks that are asked about tokens and access answer, by the name in the token or of the user; and what is asked because of it. */
interface Reply {
  readonly code: number;
  readonly text: string;
}

type Review = { readonly apiVersion: string; readonly kind: string; readonly spec: { readonly token?: string; readonly user?: string } };

const statuses: { readonly [key: string]: object } = {
  't-jane': { authenticated: true, user: { username: 'jane', groups: ['a'] } },
  't-extra': { authenticated: true, user: { username: 'ex', uid: 'u1', groups: ['a', 'b'], extra: { k: ['v', 'w'] } } },
  't-nouser': { authenticated: true },
  't-err': { authenticated: false, error: 'bad token' },
  't-no': { authenticated: false },
  't-aud': { authenticated: true, audiences: ['other'], user: { username: 'x' } },
  'u-yes': { allowed: true, reason: 'sure' },
  'u-no': { allowed: false, reason: 'not <me>' },
  'u-both': { allowed: true, denied: true, reason: 'hm' },
  'u-deny': { allowed: false, denied: true, reason: 'never' },
};

const failure = JSON.stringify({ apiVersion: 'v1', kind: 'Status', status: 'Failure', message: 'said so', reason: 'Forbidden', code: 403 });

const replies: { readonly [key: string]: (review: Review) => Reply } = {
  null: () => ({ code: 200, text: 'null' }),
  list: () => ({ code: 200, text: '[]' }),
  empty: () => ({ code: 200, text: '' }),
  wrongkind: () => ({ code: 200, text: '{"apiVersion":"v1","kind":"Pod"}' }),
  nokind: () => ({ code: 200, text: '{"status":{"allowed":true,"authenticated":true}}' }),
  wrongtype: ({ apiVersion, kind }) => ({ code: 200, text: JSON.stringify({ apiVersion, kind, status: { allowed: 'yes', authenticated: 'yes' } }) }),
  statusnull: ({ apiVersion, kind }) => ({ code: 200, text: JSON.stringify({ apiVersion, kind, status: null }) }),
  statuslist: ({ apiVersion, kind }) => ({ code: 200, text: JSON.stringify({ apiVersion, kind, status: [] }) }),
  http403: () => ({ code: 403, text: 'no' }),
  statusobj: () => ({ code: 403, text: failure }),
  status200: () => ({ code: 200, text: failure }),
  otherversion: ({ apiVersion, kind }) => ({
    code: 200,
    text: JSON.stringify({
      apiVersion: apiVersion.replace('v1', 'v1beta1').replace('beta1beta1', ''),
      kind,
      status: { allowed: true, authenticated: true },
    }),
  }),
};

export function replyTo(text: string): Reply {
  const review = JSON.parse(text) as Review;
  const key = review.spec.token ?? review.spec.user ?? '';
  const special = replies[key.slice(2)];
  if (special !== undefined) return special(review);
  const { apiVersion, kind } = review;
  return { code: 200, text: JSON.stringify({ apiVersion, kind, status: statuses[key] ?? { allowed: false } }) };
}

const odd = Object.keys(replies);

export interface ReviewCase {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly as?: string;
}

const sar = (user: string): object => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  spec: { user, resourceAttributes: { verb: 'get', resource: 'pods' } },
});

export const reviewCases: readonly ReviewCase[] = [
  ...['jane', 'extra', 'nouser', 'err', 'no', 'aud', ...odd].map((key) => ({
    name: `token ${key}`,
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: `t-${key}` } },
  })),
  ...['u-yes', 'u-no', 'u-both', 'u-deny', ...odd.map((key) => `u-${key}`), 'v-x', ...odd.map((key) => `v-${key}`), 'w'].flatMap((as) => [
    { name: `get as ${as}`, method: 'GET', path: '/api/v1/namespaces/default', as },
    { name: `path as ${as}`, method: 'GET', path: '/metrics?x=<y>', as },
    { name: `review of ${as}`, method: 'POST', path: '/apis/authorization.k8s.io/v1/subjectaccessreviews', body: sar(as) },
  ]),
  { name: 'a condition that is false', method: 'GET', path: '/api/v1/secrets', as: 'u-yes' },
  {
    name: 'rules of somebody',
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: 'default' } },
    as: 'w',
  },
];

export const authorizers = (kubeconfig: string): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [
      webhook('first', 'v1', 'NoOpinion', kubeconfig, [
        "request.user.startsWith('u-')",
        "!(has(request.resourceAttributes) && request.resourceAttributes.resource == 'secrets')",
      ]),
      { type: 'Node', name: 'node' },
      { type: 'RBAC', name: 'rbac' },
      webhook('last', 'v1beta1', 'Deny', kubeconfig, ["request.user.startsWith('v-')", "request.resourceAttributes.namespace != 'x'"]),
    ],
  });

function webhook(name: string, version: string, failurePolicy: string, kubeConfigFile: string, expressions: readonly string[]): object {
  const webhook = {
    timeout: '2s',
    subjectAccessReviewVersion: version,
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy,
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
    matchConditions: expressions.map((expression) => ({ expression })),
  };
  return { type: 'Webhook', name, webhook };
}

export interface ReviewFact {
  readonly code: number;
  /** The message of a Status, the status of a review, the text of what is neither. */
  readonly said: unknown;
}

/** Issuers have names of their own. */
export function factOf(code: number, text: string): ReviewFact {
  const own = text.replaceAll('https://kubernetes.default.svc.cluster.local', 'ISSUER').replaceAll('https://kubernetes.default.svc', 'ISSUER');
  try {
    const value = JSON.parse(own) as { readonly kind?: string; readonly message?: string; readonly status?: object };
    if (value.kind === 'Status') return { code, said: value.message };
    if (value.kind === 'SelfSubjectRulesReview') return { code, said: { ...value.status, resourceRules: [], nonResourceRules: [] } };
    return { code, said: value.kind?.endsWith('Review') === true ? value.status : value.kind };
  } catch {
    return { code, said: code === 200 ? '' : own };
  }
}
