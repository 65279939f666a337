/** What upstream says of policy files; asked of kube-apiserver 1.36. */
import { expect, test } from 'vitest';
import { AuditPolicyError, readPolicy } from './policy-file.ts';
import { decide } from './policy-rules.ts';
import { parseRequestInfo } from '../request-info.ts';

const head = '"apiVersion": "audit.k8s.io/v1", "kind": "Policy"';

const faults: readonly [name: string, text: string, message: string][] = [
  ['empty', '', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
  ['without rules', `{${head}, "omitStages": []}`, 'loaded illegal policy with 0 rules'],
  [
    'another kind',
    '{"apiVersion": "audit.k8s.io/v1", "kind": "Polcy"}',
    'failed decoding: no kind "Polcy" is registered for version "audit.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  ['an event', '{"apiVersion": "audit.k8s.io/v1", "kind": "Event"}', 'failed decoding: converting (v1.Event) to (audit.Policy): unknown conversion'],
  [
    'an older version',
    '{"apiVersion": "audit.k8s.io/v1beta1", "kind": "Policy"}',
    'failed decoding: no kind "Policy" is registered for version "audit.k8s.io/v1beta1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    'a list as level',
    `{${head}, "rules": [{"level": ["None"]}]}`,
    'failed decoding: json: cannot unmarshal array into Go struct field PolicyRule.rules.level of type v1.Level',
  ],
  [
    'a number as level',
    `{${head}, "rules": [{"level": 1}]}`,
    'failed decoding: json: cannot unmarshal number into Go struct field PolicyRule.rules.level of type v1.Level',
  ],
  [
    'all that can be wrong',
    `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [Nope, Panic]
rules:
- level: Foo
  omitStages: [Bar]
- level: ""
  nonResourceURLs: ["a*b", "/x*/y", "*", "noslash", "/fine*", "/bad**"]
  resources: [{group: "", resources: [pods]}]
- level: None
  resources: [{group: "apps/v1", resources: [pods]}, {group: "x", resourceNames: [a]}, {group: "", resources: ["a/*/b"], resourceNames: []}]
- level: None
  nonResourceURLs: ["/a"]
  namespaces: ["x"]
- level: None
  users: [""]
  verbs: [nope]
`,
    String.raw`[omitStages[0]: Invalid value: "Nope": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic, rules[0].level: Unsupported value: "Foo": supported values: "None", "Metadata", "Request", "RequestResponse", rules[0].omitStages[0]: Invalid value: "Bar": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic, rules[1].level: Required value, rules[1].nonResourceURLs[0]: Invalid value: "a*b": non-resource URL rules must begin with a '/' character, rules[1].nonResourceURLs[0]: Invalid value: "a*b": non-resource URL wildcards '*' must be the final character of the rule, rules[1].nonResourceURLs[1]: Invalid value: "/x*/y": non-resource URL wildcards '*' must be the final character of the rule, rules[1].nonResourceURLs[3]: Invalid value: "noslash": non-resource URL rules must begin with a '/' character, rules[1].nonResourceURLs[5]: Invalid value: "/bad**": non-resource URL wildcards '*' must be the final character of the rule, rules[1].nonResourceURLs: Invalid value: ["a*b","/x*/y","*","noslash","/fine*","/bad**"]: rules cannot apply to both regular resources and non-resource URLs, rules[2].resources.group: Invalid value: "apps/v1": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), rules[2].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource, rules[3].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs]`,
  ],
];

test.each(faults)('a policy file is refused in upstream’s words: %s', (_name, text, message) => {
  expect(() => readPolicy(text, '/p.yaml')).toThrow(new AuditPolicyError(`loading audit policy file: ${message}: from file /p.yaml`));
});

test('unknown and duplicate fields are passed over with a warning', () => {
  const unknown = readPolicy(`{${head}, "rules": [{"level": "None", "foo": 1}]}`, 'p');
  expect(unknown.policy.rules).toEqual([{ level: 'None' }]);
  expect(unknown.warning).toBe('Audit policy contains errors, falling back to lenient decoding: strict decoding error: unknown field "rules[0].foo"');
});

const info = parseRequestInfo;
const alice = { name: 'alice', groups: ['devs'] };
const matches: readonly [rule: object, path: string, matched: boolean][] = [
  [{}, '/api/v1/pods', true],
  [{ users: ['bob'] }, '/api/v1/pods', false],
  [{ userGroups: ['ops', 'devs'] }, '/api/v1/pods', true],
  [{ verbs: ['watch'] }, '/api/v1/pods', false],
  [{ verbs: ['list'] }, '/api/v1/pods', true],
  [{ namespaces: [''] }, '/api/v1/nodes', true],
  [{ namespaces: ['a'] }, '/api/v1/namespaces/b/pods', false],
  [{ namespaces: ['a'] }, '/version', false],
  [{ resources: [{ group: 'apps' }] }, '/apis/apps/v1/deployments', true],
  [{ resources: [{ group: 'apps' }] }, '/api/v1/pods', false],
  [{ resources: [{ resources: ['pods'] }] }, '/api/v1/namespaces/a/pods/p/log', false],
  [{ resources: [{ resources: ['pods/log'] }] }, '/api/v1/namespaces/a/pods/p/log', true],
  [{ resources: [{ resources: ['pods/*'] }] }, '/api/v1/namespaces/a/pods/p/log', true],
  [{ resources: [{ resources: ['pods/*'] }] }, '/api/v1/namespaces/a/pods/p', true],
  [{ resources: [{ resources: ['*/log'] }] }, '/api/v1/namespaces/a/pods/p/log', true],
  [{ resources: [{ resources: ['*/log'] }] }, '/api/v1/namespaces/a/pods/p', false],
  [{ resources: [{ resources: ['*'] }] }, '/api/v1/namespaces/a/pods/p/log', true],
  [{ resources: [{ resources: ['pods'], resourceNames: ['q'] }] }, '/api/v1/namespaces/a/pods/p', false],
  [{ nonResourceURLs: ['/healthz*'] }, '/healthz/ping', true],
  [{ nonResourceURLs: ['/healthz'] }, '/healthz/ping', false],
  [{ nonResourceURLs: ['*'] }, '/version', true],
  [{ nonResourceURLs: ['*'] }, '/api/v1/pods', false],
];

test.each(matches)('the rule %j meets %s: %s', (rule, path, matched) => {
  const subject = { identity: alice, path, info: info('GET', path, false, undefined) };
  expect(decide({ rules: [{ level: 'Metadata', ...rule }] }, subject).level).toBe(matched ? 'Metadata' : 'None');
});

test('nobody meets no rule that names users, and a rule’s own word on managed fields counts', () => {
  const subject = { identity: undefined, path: '/version', info: info('GET', '/version', false, undefined) };
  expect(decide({ rules: [{ level: 'Metadata', userGroups: ['devs'] }] }, subject).level).toBe('None');
  const rules = [{ level: 'Request', omitManagedFields: false, omitStages: ['Panic'] } as const];
  const decision = decide({ rules, omitManagedFields: true, omitStages: ['RequestReceived'] }, subject);
  expect([decision.omitManagedFields, [...decision.omitStages]]).toEqual([false, ['RequestReceived', 'Panic']]);
});
