/**
 * Expressions of MutatingAdmissionPolicies that lead astray: to other objects, to values that Go cannot hold, to patches that cannot be;
 * `mutating-policy-odd-facts.json` has what the real server answered.
 */
import type { CaseRequest, WebhookCase } from './cases.ts';

type Json = { readonly [key: string]: unknown };

const group = '/apis/admissionregistration.k8s.io/v1';
const maps = '/api/v1/namespaces/default/configmaps';
const rule: Json = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] };
const matchConstraints: Json = { resourceRules: [rule], namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } };

const configurations: readonly string[] = [
  'Object{metadata: Object.metadata{name: "other"}}',
  'Object{metadata: Object.metadata{namespace: "other"}}',
  'Object{metadata: Object.metadata{labels: {"bad key!": "x"}}}',
  'Object{metadata: Object.metadata{generateName: "x"}}',
  'Object{metadata: Object.metadata{finalizers: ["x/y"]}}',
  'Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{apiVersion:"v1",kind:"P",name:"n",uid:"u"}]}}',
  'Object{metadata: Object.metadata{annotations: {}}}',
  'Object{}',
  'Object{data: {}}',
  'Object{data: {"a": "2"}}',
  'Object{immutable: true}',
  'Object{kind: "Secret"}',
  'Object{apiVersion: "v2"}',
  'Object{binaryData: {"b": b"xyz"}}',
  'Object{data: {"b": 1}}',
  'Object{data: {1: "x"}}',
  'Object{data: {"b": null}}',
  'object.data.a == "1" ? Object{data: {"c": "d"}} : Object{}',
  'Object{data: object.data.transformMap(k, v, v + v)}',
  'Object{data: {"x": string(size(object.data))}}',
  'Object{metadata: Object.metadata{labels: {"x": object.metadata.?labels.?q.orValue("none")}}}',
  'Object{metadata: Object.metadata{creationTimestamp: timestamp("2020-01-01T00:00:00Z")}}',
  'Object{metadata: Object.metadata{generation: 7}}',
  'Object{metadata: Object.metadata{managedFields: []}}',
  'Object{metadata: Object.metadata{uid: "x"}}',
  'Object{metadata: Object.metadata{resourceVersion: "1"}}',
  'Object{metadata: Object.metadata{deletionTimestamp: timestamp("2020-01-01T00:00:00Z")}}',
  'Object{metadata: Object.metadata{zz: 1}}',
];

const patches: readonly string[] = [
  '[JSONPatch{op: "add", path: "", value: {}}]',
  '[JSONPatch{op: "add", path: "/", value: 1}]',
  '[JSONPatch{op: "add", path: "bad", value: "x"}]',
  '[JSONPatch{op: "add", path: "/data/x/y", value: "x"}]',
  '[JSONPatch{op: "replace", path: "/data/x", value: "x"}]',
  '[JSONPatch{op: "replace", path: "/data/a"}]',
  '[JSONPatch{op: "add", path: "/data/a"}]',
  '[JSONPatch{op: "add", path: "/data/a", value: null}]',
  '[JSONPatch{op: "test", path: "/data/a", value: "2"}]',
  '[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "replace", path: "/data/a", value: "3"}]',
  '[JSONPatch{op: "move", from: "/data/a", path: "/data/b"}]',
  '[JSONPatch{op: "move", from: "/data/z", path: "/data/b"}]',
  '[JSONPatch{op: "copy", from: "/data/a", path: "/metadata/labels"}]',
  '[JSONPatch{op: "copy", path: "/metadata/labels"}]',
  '[JSONPatch{op: "move", path: "/metadata/labels"}]',
  '[JSONPatch{path: "/data/a"}]',
  '[JSONPatch{op: "add"}]',
  '[JSONPatch{op: "", path: "/data"}]',
  '[JSONPatch{op: "remove", path: "/data"}]',
  '[JSONPatch{op: "remove", path: "/metadata"}]',
  '[JSONPatch{op: "remove", path: "/metadata/name"}]',
  '[JSONPatch{op: "replace", path: "/metadata/name", value: "other"}]',
  '[JSONPatch{op: "replace", path: "/kind", value: "Secret"}]',
  '[JSONPatch{op: "remove", path: "/kind"}]',
  '[JSONPatch{op: "replace", path: "/apiVersion", value: "v2"}]',
  '[JSONPatch{op: "add", path: "/data/b", value: 5}]',
  '[JSONPatch{op: "add", path: "/data", value: []}]',
  '[JSONPatch{op: "add", path: "/metadata/labels/x", value: "y"}]',
  '[JSONPatch{op: "add", path: "/metadata/finalizers", value: ["bad"]}]',
  '[JSONPatch{op: "add", path: "/metadata/finalizers/-", value: "x/y"}]',
  '[JSONPatch{op: "add", path: "/immutable", value: "x"}]',
  '[JSONPatch{op: "add", path: "/binaryData", value: {"b": b"xyz"}}]',
  '[JSONPatch{op: "add", path: "/data/t", value: timestamp("2020-01-01T00:00:00Z")}]',
  '[JSONPatch{op: "add", path: "/data/t", value: duration("1h")}]',
  '[JSONPatch{op: "add", path: "/data/t", value: 1.5}]',
  '[JSONPatch{op: "add", path: "/data/t", value: type(1)}]',
  '[JSONPatch{op: "add", path: "/data/t", value: quantity("1")}]',
  '[JSONPatch{op: "add", path: "/data/t", value: {1: 2}}]',
  '[JSONPatch{op: "add", path: "/data/t", value: optional.of("x")}]',
  '[JSONPatch{op: "add", path: "/data/t", value: Object.data{x: "y"}}]',
  '[JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("a~b/c"), value: "x"}]',
  '[JSONPatch{op: "add", path: object.data.missing, value: "x"}]',
  '[JSONPatch{op: "add", path: "/data/b", value: object.data.missing}]',
  'object.data.map(k, JSONPatch{op: "remove", path: "/data/" + k})',
];

/** Each writes a map of its own: finalizers may keep it. */
function oddCase(expression: string, index: number, mutation: Json): WebhookCase {
  const name = `${String(mutation['patchType'])} ${index}: ${expression}`;
  const spec = { matchConstraints, reinvocationPolicy: 'Never', mutations: [mutation] };
  const kind = 'MutatingAdmissionPolicy';
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const map = `${String(mutation['patchType']).toLowerCase()}-${index}`;
  return {
    name,
    objects: [
      { path: `${group}/mutatingadmissionpolicies`, body: { apiVersion, kind, metadata: { name: 'p' }, spec } },
      {
        path: `${group}/mutatingadmissionpolicybindings`,
        body: { apiVersion, kind: `${kind}Binding`, metadata: { name: 'b' }, spec: { policyName: 'p' } },
      },
    ],
    requests: [
      { method: 'POST', path: maps, body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: map }, data: { a: '1' } } } satisfies CaseRequest,
    ],
  };
}

export const oddMutatingCases: readonly WebhookCase[] = [
  ...configurations.map((expression, index) => oddCase(expression, index, { patchType: 'ApplyConfiguration', applyConfiguration: { expression } })),
  ...patches.map((expression, index) => oddCase(expression, index, { patchType: 'JSONPatch', jsonPatch: { expression } })),
];
