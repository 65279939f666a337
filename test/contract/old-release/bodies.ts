/** Bodies that do not fit their kind, each put before a real 1.13.12 by record-bodies.ts and before ours by the test beside it. */

export interface Misfit {
  readonly name: string;
  readonly method?: 'POST' | 'PATCH';
  readonly path: string;
  readonly type?: string;
  readonly body: string;
}

const core = '/api/v1/namespaces/default';
const pod = (spec: string): string => `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":${spec}}`;
const containers = (container: string): string => pod(`{"containers":[{"name":"c","image":"i",${container}}]}`);
const map = (rest: string): string => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},${rest}}`;
const deployment = (spec: string): string => `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"x"},"spec":${spec}}`;

export const misfits: readonly Misfit[] = [
  {
    name: 'text for metadata, more behind it',
    path: `${core}/configmaps`,
    body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":"x","data":{"a":"b"}}',
  },
  { name: 'list for metadata', path: `${core}/configmaps`, body: '{"metadata":["x"],"apiVersion":"v1","kind":"ConfigMap","data":{"a":"b"}}' },
  {
    name: 'number among data, kind behind it',
    path: `${core}/configmaps`,
    body: '{"data":{"a":1,"b":"c"},"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}',
  },
  { name: 'true for data', path: `${core}/configmaps`, body: map('"data":true') },
  {
    name: 'list of labels',
    path: `${core}/configmaps`,
    body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"labels":[{"a":"b"}],"name":"x","annotations":{"a":"b"}}}',
  },
  { name: 'bytes that are none', path: `${core}/configmaps`, body: map('"binaryData":{"a":"!!","b":"YQ=="}') },
  { name: 'bytes as a number', path: `${core}/configmaps`, body: map('"binaryData":{"a":7}') },
  { name: 'bytes as a list', path: `${core}/configmaps`, body: map('"binaryData":{"a":["x"]}') },
  { name: 'letters beyond ASCII before the fault', path: `${core}/configmaps`, body: map('"data":{"äöü":"ßßßßßß","b":5}') },
  { name: 'escapes before the fault', path: `${core}/configmaps`, body: map('"data":{"a\\u0041":"\\"x\\"","b":{}}') },
  { name: 'fraction of an integer', path: '/apis/apps/v1/namespaces/default/deployments', body: deployment('{"replicas":1.5,"paused":false}') },
  { name: 'integer in text', path: '/apis/apps/v1/namespaces/default/deployments', body: deployment('{"replicas":"3","paused":false}') },
  { name: 'integer too great', path: '/apis/apps/v1/namespaces/default/deployments', body: deployment('{"replicas":3000000000}') },
  { name: 'integer far too great', path: '/apis/apps/v1/namespaces/default/deployments', body: deployment('{"replicas":30000000000}') },
  { name: 'integer too small', path: '/apis/apps/v1/namespaces/default/deployments', body: deployment('{"replicas":-3000000000}') },
  { name: 'list for a map of a struct', path: '/apis/apps/v1/namespaces/default/deployments', body: deployment('{"selector":[],"replicas":1}') },
  { name: 'text for a template', path: '/apis/apps/v1/namespaces/default/deployments', body: deployment('{"template":"x","replicas":1}') },
  { name: 'map for a list', path: `${core}/pods`, body: pod('{"containers":{"a":1},"nodeName":"n"}') },
  { name: 'text for a list', path: `${core}/pods`, body: pod('{"containers":"c"}') },
  { name: 'text among a list', path: `${core}/pods`, body: pod('{"containers":["c",{"name":"d"}]}') },
  { name: 'null among a list, then a number', path: `${core}/pods`, body: pod('{"containers":[null,5]}') },
  { name: 'number for a name in a list', path: `${core}/pods`, body: containers('"workingDir":5') },
  { name: 'number among arguments', path: `${core}/pods`, body: containers('"args":["a",1,"b"]') },
  { name: 'port in text', path: `${core}/pods`, body: containers('"ports":[{"containerPort":"80"}]') },
  { name: 'quantity that is none', path: `${core}/pods`, body: containers('"resources":{"limits":{"cpu":"x","memory":"1Gi"}}') },
  { name: 'quantity as a map', path: `${core}/pods`, body: containers('"resources":{"limits":{"cpu":{"a":[1,"}"]}}}') },
  { name: 'text for limits', path: `${core}/pods`, body: containers('"resources":{"limits":"x"}') },
  { name: 'truth in text', path: `${core}/pods`, body: containers('"stdin":"true"') },
  { name: 'truth as a number', path: `${core}/pods`, body: pod('{"hostNetwork":1,"containers":[]}') },
  { name: 'port of a probe as truth', path: `${core}/pods`, body: containers('"livenessProbe":{"httpGet":{"port":true}}') },
  { name: 'port of a probe as a fraction', path: `${core}/pods`, body: containers('"livenessProbe":{"tcpSocket":{"port":1.5}}') },
  { name: 'inlined handler', path: `${core}/pods`, body: containers('"livenessProbe":{"exec":{"command":"ls"},"periodSeconds":3}') },
  { name: 'inlined volume', path: `${core}/pods`, body: pod('{"volumes":[{"name":"v","configMap":{"name":1}}],"containers":[]}') },
  {
    name: 'time that is none',
    path: `${core}/pods`,
    body: '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","creationTimestamp":"yesterday","uid":"u"}}',
  },
  { name: 'time as a number', path: `${core}/pods`, body: '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","deletionTimestamp":5}}' },
  { name: 'finalizers as text', path: `${core}/pods`, body: '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","finalizers":"f"}}' },
  { name: 'owners as text', path: `${core}/pods`, body: '{"apiVersion":"v1","kind":"Pod","metadata":{"ownerReferences":["f"],"name":"x"}}' },
  {
    name: 'port of a service in text, type behind it',
    path: `${core}/services`,
    body: '{"apiVersion":"v1","kind":"Service","metadata":{"name":"x"},"spec":{"ports":[{"port":"x","name":"n"}],"type":"NodePort"}}',
  },
  {
    name: 'selector of a service as a list',
    path: `${core}/services`,
    body: '{"apiVersion":"v1","kind":"Service","metadata":{"name":"x"},"spec":{"selector":["a"]}}',
  },
  {
    name: 'quota of text',
    path: `${core}/resourcequotas`,
    body: '{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"x"},"spec":{"hard":{"pods":"-x"}}}',
  },
  {
    name: 'secret that is none',
    path: `${core}/secrets`,
    body: '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"x"},"data":{"a":"YQ","b":"YQ=="}}',
  },
  {
    name: 'rules as a map',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    body: '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"x"},"rules":{"verbs":[]}}',
  },
  {
    name: 'verbs as text',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    body: '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"x"},"rules":[{"verbs":"get","resources":["pods"]}]}',
  },
  {
    name: 'ingress rules as text',
    path: '/apis/extensions/v1beta1/namespaces/default/ingresses',
    body: '{"apiVersion":"extensions/v1beta1","kind":"Ingress","metadata":{"name":"x"},"spec":{"rules":"x"}}',
  },
  {
    name: 'schedule as a number',
    path: '/apis/batch/v1beta1/namespaces/default/cronjobs',
    body: '{"apiVersion":"batch/v1beta1","kind":"CronJob","metadata":{"name":"x"},"spec":{"schedule":5,"suspend":true}}',
  },
  {
    name: 'privilege in text',
    path: '/apis/policy/v1beta1/podsecuritypolicies',
    body: '{"apiVersion":"policy/v1beta1","kind":"PodSecurityPolicy","metadata":{"name":"x"},"spec":{"privileged":"yes"}}',
  },
  {
    name: 'names of a definition as text',
    path: '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions',
    body: '{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","metadata":{"name":"x"},"spec":{"names":"x","group":"g"}}',
  },
  { name: 'merged text for data', method: 'PATCH', type: 'application/merge-patch+json', path: `${core}/configmaps/there`, body: '{"data":"x"}' },
  {
    name: 'merged number among data',
    method: 'PATCH',
    type: 'application/merge-patch+json',
    path: `${core}/configmaps/there`,
    body: '{"data":{"b":1}}',
  },
  {
    name: 'merged list of labels',
    method: 'PATCH',
    type: 'application/merge-patch+json',
    path: `${core}/configmaps/there`,
    body: '{"metadata":{"labels":["a"]}}',
  },
  {
    name: 'replaced data',
    method: 'PATCH',
    type: 'application/json-patch+json',
    path: `${core}/configmaps/there`,
    body: '[{"op":"replace","path":"/data","value":5}]',
  },
  {
    name: 'strategic text for data',
    method: 'PATCH',
    type: 'application/strategic-merge-patch+json',
    path: `${core}/configmaps/there`,
    body: '{"data":"x"}',
  },
  {
    name: 'strategic number among data',
    method: 'PATCH',
    type: 'application/strategic-merge-patch+json',
    path: `${core}/configmaps/there`,
    body: '{"data":{"b":1}}',
  },
  {
    name: 'strategic list of labels',
    method: 'PATCH',
    type: 'application/strategic-merge-patch+json',
    path: `${core}/configmaps/there`,
    body: '{"metadata":{"labels":["a"]}}',
  },
];

/** The object that patches go to. */
export const there: Misfit = {
  name: 'there',
  path: `${core}/configmaps`,
  body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"there"},"data":{"a":"1"}}',
};
