/** Policies whose expressions do not fit the kinds that they match, and expressions that are refused when they are written. */
import type { JsonObject } from '../../../engine/base/json.ts';

const lines = (text: string): readonly string[] => text.trim().split('\n');

export interface TypedPolicy {
  readonly name: string;
  readonly rules: readonly JsonObject[];
  readonly paramKind?: JsonObject;
  readonly variables?: readonly JsonObject[];
  /** Validations; one with two bars in it has a message behind them. */
  readonly expressions: readonly string[];
}

const rule = (apiGroups: readonly string[], apiVersions: readonly string[], resources: readonly string[]): JsonObject => ({
  ...{ apiGroups, apiVersions, resources },
  operations: ['CREATE', 'UPDATE'],
});

const ofDeployments = lines(String.raw`
object.spec.replicas > 1
object.spec.replicas > '1'
object.spec.replica > 1
object.spec.replicas == 1.0
object.spec.replicas + object.metadata.name == 'a'
object.foo == 1
object.metadata.name == 1
object.metadata.name.startsWith(1)
object.metadata.labels['a'] == 1
object.metadata.labels.a == 'b'
object.metadata.labels.a.b == 'b'
has(object.metadata.labels.a.b)
has(object.spec.foo)
has(object.foo.bar)
object.metadata.annotations.all(k, k == 1)
object.metadata.annotations.all(k, k.startsWith('a'))
object.spec.template.spec.containers.all(c, c.image.contains('a'))
object.spec.template.spec.containers.all(c, c.images.contains('a'))
object.spec.template.spec.containers.all(c, c.image == 1)
object.spec.template.spec.containers[0].resources.limits['cpu'] == '1'
object.spec.template.spec.containers[0].resources.limits['cpu'] == 1
quantity(object.spec.template.spec.containers[0].resources.limits['cpu']).isLessThan(quantity('1'))
object.spec.template.spec.containers[0].ports.all(p, p.containerPort < 1024)
object.spec.template.spec.containers[0].ports.all(p, p.containerPort < 'a')
object.spec.template.spec.containers['a'].name == 'a'
object.spec.template.spec.containers.map(c, c.name).join(',') == 'a'
object.spec.template.spec.containers.map(c, c.ports).join(',') == 'a'
object.spec.template.spec.containers.exists(c, c.livenessProbe.httpGet.port == 80)
object.spec.template.spec.containers.exists(c, c.livenessProbe.httpGet.port == 'http')
object.spec.template.spec.containers.exists(c, c.livenessProbe.httpGet.port.foo)
object.spec.strategy.rollingUpdate.maxSurge == 1
object.spec.strategy.rollingUpdate.maxSurge == '25%'
object.spec.strategy.rollingUpdate.maxSurge.startsWith('2')
object.spec.paused && true
object.spec.paused == 'true'
object.spec.replicas
object.spec
object.metadata.creationTimestamp > timestamp('2020-01-01T00:00:00Z')
object.metadata.creationTimestamp > '2020'
object.metadata.generation > 1
object.metadata.generation > 1u
object.metadata.ownerReferences.all(o, o.controller)
object.metadata.ownerReferences.all(o, o.uid)
object.metadata.managedFields.all(m, m.fieldsV1.foo == 1)
object.metadata.managedFields.all(m, m.time > timestamp(0))
object.metadata.finalizers.exists(f, f == 1)
object.status.conditions.exists(c, c.type == 'Available')
object.status.conditions.exists(c, c.typ == 'Available')
object.apiVersion == 'apps/v1'
object.kind == 1
oldObject.spec.replicas < object.spec.replicas
oldObject.spec.foo < object.spec.foo
oldObject == null
oldObject == object
object == null || object.spec.replicas == 'a'
object == object.spec
object.spec == object.spec.template.spec
object in [object]
object.spec.template.metadata.labels == object.metadata.labels
object.spec.template.metadata.labels == object.metadata.name
object.spec.selector.matchLabels.exists(k, object.metadata.labels[k] == 1)
object.spec.selector.matchExpressions.all(e, e.values.all(v, v == 1))
object.spec.template.spec.volumes.all(v, has(v.hostPath) && v.hostPath.path == 1)
object.spec.template.spec.volumes.all(v, v.emptyDir.sizeLimit == '1Gi')
object.spec.template.spec.volumes.all(v, v.emptyDir.sizeLimit == 1)
object.spec.template.spec.securityContext.runAsUser == 'root'
object.spec.template.spec.securityContext.sysctls.size() == 'a'
object.spec.template.spec.nodeSelector.foo == 1
object.spec.template.spec.tolerations.all(t, t.tolerationSeconds == '1')
object.spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.all(t, t.foo)
object.spec.template.spec.overhead.cpu == 1
object.spec.template.spec.initContainers.all(c, c.env.all(e, e.valueFrom.fieldRef.fieldPath == 1))
object.spec.template.spec.containers.all(c, c.lifecycle.preStop.sleep.seconds == 'a')
object.spec.template.spec.containers.filter(c, c.name).size() == 0
object.spec.template.spec.containers.exists_one(c, c.name)
object.spec.template.spec.containers.map(c, c.name, c.image).size() == 0
dyn(object).foo == 1
dyn(object.spec).foo == 1
object.?spec.?replicas.orValue(1) == 1
object.?spec.?replicas.orValue('a') == 'a'
object.?foo.orValue('a') == 'a'
object[?'spec'].hasValue()
object['spec'].replicas == 1
object.spec.template.spec.containers[?0].?image.orValue('') == ''
object.spec.template.spec.containers[?'a'].hasValue()
optional.of(object.spec.replicas).orValue('a') == 'a'
type(object) == map
type(object.spec.replicas) == int
request.operation == 1
request.foo == 1
request.userInfo.groups.exists(g, g == 1)
request.userInfo.extra['a'].exists(g, g == 1)
request.options.foo == 1
request.object.spec.replicas == 1
request.dryRun == 'a'
request.kind.group == 1
namespaceObject.metadata.labels.a == 1
namespaceObject.metadata.foo == 1
namespaceObject.status.phase == 1
namespaceObject.spec.finalizers == 1
authorizer.group('').resource('pods').check('get').allowed()
authorizer.requestResource.check('get').allowed() == 'a'
authorizer.foo == 1
authorizer.path('/').allowed()
authorizer.group('').check('get')
authorizer.serviceAccount('a').path('/').check('get').allowed()
authorizer.path('/').check('get').allowed('a')
'a' in object.metadata.labels
1 in object.metadata.labels
'a' in object.spec
'a' in object.metadata.finalizers
size(object) == 1
object.size() == 1
object.spec.size() == 1
size(object.metadata.labels) == 'a'
object.all(k, k == 'a')
object.metadata.all(k, k == 1)
object.metadata.labels.map(k, v, k + v).size() == 1
object.metadata.labels.all(k, v, k == v)
object.metadata.labels.all(k, v, v == 1)
object.metadata.labels.transformList(k, v, v).join() == ''
object.metadata.labels.transformList(k, v, 1).join() == ''
object.metadata.labels.transformMap(k, v, v + 1).size() == 0
[object.metadata.name, object.spec.replicas].size() == 2
{'a': object.metadata.name, 'b': object.spec.replicas}.size() == 2
string(object.spec) == 'a'
int(object.metadata.name) == 'a'
object.metadata.name.matches(object.spec.replicas)
object.metadata.name.split('-')[0] == 1
object.metadata.name.lowerAscii() == 1
sets.contains(object.metadata.finalizers, [1])
sets.contains(object.metadata.finalizers, ['a'])
object.metadata.finalizers.sort() == ['a']
object.metadata.finalizers + [1] == []
object.metadata.finalizers + ['a'] == []
object.metadata.finalizers.min() == 1
object.spec.template.spec.containers.sum() == 1
object.spec.template.spec.containers.map(c, c.name).distinct() == [1]
url(object.spec.replicas).getHost() == ''
isURL(object.metadata.name) == 'a'
ip(object.metadata.name).family() == 'a'
'%s'.format([object.metadata.name]) == 1
'%d'.format([object.metadata.name]) == 'a'
object.spec.replicas > 1 && object.spec.replicas < 'a' || object.foo
object.spec.replicas > 1 ? object.metadata.name : object.spec.replicas
object.spec.replicas ? true : false
object.metadata.name ? object.foo : object.bar
!object.metadata.name
-object.metadata.name == 1
-object.spec.replicas == 1
params.foo == 1
true || 'message: ' + object.spec.replicas
true || 'message: ' + string(object.spec.replicas)
true || object.foo
`);

const named = (names: readonly string[]): readonly JsonObject[] => names.map((name) => JSON.parse(name) as JsonObject);

export const definition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.types.example.com' },
  spec: {
    group: 'types.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer' },
                  ratio: { type: 'number' },
                  names: { type: 'array', items: { type: 'string' } },
                  items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, on: { type: 'boolean' } } } },
                  map: { type: 'object', additionalProperties: { type: 'integer' } },
                  any: { 'x-kubernetes-preserve-unknown-fields': true },
                  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  port: { 'x-kubernetes-int-or-string': true },
                  when: { type: 'string', format: 'date-time' },
                  long: { type: 'string', format: 'duration' },
                  raw: { type: 'string', format: 'byte' },
                  namespace: { type: 'string' },
                  'a-b': { type: 'string' },
                  'a/b': { type: 'string' },
                  template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
            },
          },
        },
      },
    ],
  },
};

const ofWidgets = lines(String.raw`
object.spec.size > 1
object.spec.size > 'a'
object.spec.sizes > 1
object.spec.ratio > 1.0
object.spec.ratio == 1
object.spec.names.all(n, n == 1)
object.spec.items.all(i, i.on)
object.spec.items.all(i, i.name)
object.spec.items.all(i, i.off)
object.spec.map.all(k, object.spec.map[k] > 'a')
object.spec.map.a == 'b'
object.spec.any.foo == 1
object.spec.any == 1
object.spec.open.foo == 1
has(object.spec.open.foo)
object.spec.port == 1
object.spec.port == 'a'
object.spec.port + 'a' == 1
object.spec.when > timestamp(0)
object.spec.when > 1
object.spec.long > duration('1s')
object.spec.long == '1s'
object.spec.raw == b'a'
object.spec.raw == 'a'
object.spec.__namespace__ == 1
object.spec.namespace == 'a'
object.spec.a__dash__b == 1
object.spec.a__slash__b == 1
object.spec.template.kind == 1
object.spec.template.metadata.name == 1
object.spec.template.spec.foo == 1
object.metadata.name == 1
object.metadata.labels.a == 1
object.metadata.foo == 1
object.kind == 1
oldObject.spec.size == 'a'
`);

const simple = lines(String.raw`
object.spec.replicas == 'a'
object.spec.foo == 1
object.data.a == 1
object.metadata.foo == 1
object.metadata.name == 1
has(object.spec)
`);

export const policies: readonly TypedPolicy[] = [
  { name: 'deployments', rules: [rule(['apps'], ['v1'], ['deployments'])], expressions: ofDeployments.filter((one) => !one.includes('params.')) },
  { name: 'widgets', rules: [rule(['types.example.com'], ['v1'], ['widgets'])], expressions: ofWidgets },
  { name: 'several', rules: [rule(['', 'apps'], ['v1', 'v1beta1'], ['deployments', 'pods', 'configmaps', 'replicasets'])], expressions: simple },
  { name: 'two-rules', rules: [rule(['apps'], ['v1'], ['statefulsets']), rule([''], ['v1'], ['secrets', 'services/status'])], expressions: simple },
  { name: 'any-group', rules: [rule(['*'], ['v1'], ['deployments'])], expressions: simple },
  { name: 'any-version', rules: [rule(['apps'], ['*'], ['deployments'])], expressions: simple },
  { name: 'any-resource', rules: [rule(['apps'], ['v1'], ['*'])], expressions: simple },
  { name: 'subresource', rules: [rule(['apps'], ['v1'], ['deployments/scale'])], expressions: simple },
  { name: 'unknown', rules: [rule(['nothing.example.com'], ['v1'], ['nothings'])], expressions: simple },
  {
    name: 'many',
    rules: [
      rule(
        ['', 'apps', 'batch'],
        ['v1'],
        [
          'pods',
          'services',
          'nodes',
          'secrets',
          'configmaps',
          'deployments',
          'statefulsets',
          'daemonsets',
          'jobs',
          'cronjobs',
          'endpoints',
          'replicasets',
        ],
      ),
    ],
    expressions: simple.slice(0, 3),
  },
  {
    name: 'params',
    rules: [rule([''], ['v1'], ['pods'])],
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    expressions: lines(String.raw`
params.data.a == 'b'
params.data.a == 1
params.foo == 1
params.metadata.name == object.spec.nodeName
params.data.size() > object.spec.priority
params.data == object.spec
params == null`),
  },
  {
    name: 'custom-params',
    rules: [rule([''], ['v1'], ['pods'])],
    paramKind: { apiVersion: 'types.example.com/v1', kind: 'Widget' },
    expressions: lines(String.raw`
params.spec.size == 'a'
params.spec.foo == 1
params.spec.names.exists(n, n == object.metadata.name)
params.spec.names.exists(n, n == object.spec.priority)`),
  },
  {
    name: 'unknown-params',
    rules: [rule([''], ['v1'], ['pods'])],
    paramKind: { apiVersion: 'nothing.example.com/v1', kind: 'Nothing' },
    expressions: lines(String.raw`
params.spec.size == 'a'
object.foo == params.foo`),
  },
  {
    name: 'variables',
    rules: [rule(['apps'], ['v1'], ['deployments'])],
    variables: named([
      '{"name": "count", "expression": "object.spec.replicas"}',
      '{"name": "wrong", "expression": "object.spec.foo"}',
      '{"name": "images", "expression": "object.spec.template.spec.containers.map(c, c.image)"}',
      '{"name": "after", "expression": "variables.count + 1"}',
      '{"name": "mixed", "expression": "dyn(variables.count == object.metadata.name)"}',
    ]),
    expressions: lines(String.raw`
variables.count > 1
variables.count > 'a'
variables.wrong == 1
variables.images.all(i, i == 1)
variables.images.all(i, i.startsWith('a'))
variables.after == 'a'
variables.mixed
variables.mixed == 1
variables == 1`),
  },
  {
    name: 'messages',
    rules: [rule(['apps'], ['v1'], ['deployments'])],
    expressions: lines(String.raw`
true || object.foo || 'told: ' + object.spec.replicas
true
object.spec.replicas > 1 || 'at least ' + object.metadata.name
object.bar == 1 || string(object.metadata.name) + object.spec.bar`),
  },
];

/** Refused when they are written, or not: as a validation of a policy with params and a variable `v`. */
export const written: readonly string[] = lines(String.raw`
object.foo
object.foo == 1
object.foo + 1
'a'
1
1u
1.5
null
b'a'
[true]
{'a': true}
object
params
request
namespaceObject
authorizer
variables
variables.v
variables.w
variables.v == 'a'
timestamp(0)
duration('1s')
optional.of(true)
optional.none()
type(true)
bool
quantity('1')
quantity('x')
url('/a')
ip('1.1.1.1')
ip('x')
cidr('1.1.1.0/24')
semver('1.0.0')
format.dns1123Label()
format.named('dns1123Label')
[1, 'a'] == []
[] == [1]
{}
[]
object.all(k, true)
request.all(k, true)
request.operation
request.operation == 'CREATE'
request.operation == 1
request.foo
request.kind.foo == ''
request.kind == request.resource
request.kind == request.requestKind
request.namespace.foo
request.name + request.namespace
request.name == request.namespace
request.userInfo.username == 1
request.userInfo.groups == ['a']
request.userInfo.groups == 'a'
request.userInfo.extra['a'] == ['b']
request.userInfo.extra['a'] == 'b'
request.options.a.b.c
request.dryRun
request.dryRun == 1
request.object
namespaceObject.metadata.name == 'a'
namespaceObject.metadata.name == 1
namespaceObject.metadata.foo
namespaceObject.metadata.labels.a == 1
namespaceObject.metadata.creationTimestamp == 1
namespaceObject.status.conditions.all(c, c.type == 1)
namespaceObject.spec.finalizers.all(f, f)
authorizer.group('a')
authorizer.group(1)
authorizer.group('').resource('pods').check('get')
authorizer.group('').resource('pods').check('get').allowed()
authorizer.group('').resource('pods').namespace('a').name('b').subresource('c').check('get').reason() == ''
authorizer.group('').resource('pods').fieldSelector('a=b').labelSelector('c').check('list').errored()
authorizer.group('').namespace('a')
authorizer.path('/healthz').check('get').allowed()
authorizer.path('/healthz').resource('a')
authorizer.requestResource
authorizer.requestResource.check('get').allowed()
authorizer.requestResource.foo
authorizer.requestResource.check(1).allowed()
authorizer.foo
authorizer.check('get')
authorizer == authorizer
has(authorizer.requestResource)
serviceAccount('a', 'b')
authorizer.serviceAccount('a', 'b').requestResource.check('get').allowed()
authorizer.serviceAccount('a', 'b').group('').resource('pods').check('get').allowed()
self
oldSelf
device
foo
foo()
foo.bar()
foo.bar.baz
object.foo()
object.startsWith('a')
object.startsWith(1)
object.startsWith('a', 'b')
object[0]
object['a']['b'] == 1
object.a.exists(x, x.b)
object.a.exists(x, 'b')
object.a.filter(x, x)
object.a.filter(x, 'a')
object.a.map(x, x)
object.a.exists_one(x, 1)
object.a.all(1, true)
object.a.all(x)
object.a.map(x)
object.a.optMap(x, x)
object.?a
object.?a.orValue(true)
object.?a.orValue('a')
object[?'a'].hasValue()
has(object)
has(object.a)
has(object['a'])
has(object.a())
object.a == 1 ||
object.a == 1 &&
object.a ==
object.
object.a..b
object.a b
object.a, 1
(object.a
object.a)
[1, 2
{1: 2
{1, 2}
'a
"a
'''a
'\q'
'\x1'
'\u12'
'\400'
1.
.5
0x
0xg
1e
1e+
9223372036854775808
-9223372036854775809
18446744073709551616u
1 = 1
1 === 1
1 <> 1
a & b
a | b
a ^ b
~a
a ? b
a ? b :
? a : b
!
-
#
$
@
;
a; b
// comment
true // comment
/* comment */ true
in
as
let
true.foo
null.foo
if (true) true
function
object.in
object.let == 1
object.__proto__ == 1
object.constructor == 1
__proto__
constructor
toString
hasOwnProperty()
variables.__proto__
variables.constructor
request.__proto__
request.constructor
namespaceObject.toString()
true ? 1 : 'a'
true ? true : 1
1 ? true : false
object ? true : false
true && 1
1 && 1 && 1
'a' || object
!1
!object
!'a'
-true
1 + 'a'
1 + 1.0 == 2
1 < 1u
1 == 1u
'a' < 1
'a' == 1
'a' in 'b'
1 in ['a']
'a' in object
[1] + ['a'] == []
size(1) == 1
size('a') == 'a'
'a'.size() == 'a'
string(1) == 1
int('a') == 'a'
duration('x') == duration('1s')
timestamp('x') == timestamp(0)
'a'.matches('(')
'a'.matches('a{1001}')
'a'.find('(') == ''
'%d'.format(['a']) == ''
'%z'.format([1]) == ''
'%s'.format([]) == ''
'%s'.format([1, 2]) == ''
cel.bind(x, 1, x == 1)
cel.block([1], true)
math.greatest(1, 2) == 2
base64.encode(b'a') == ''
strings.quote('a') == ''
proto.hasExt(object, a)
google.protobuf.Duration{seconds: 1} == duration('1s')
Object{}
Object.spec{}
JSONPatch{}
jsonpatch.escapeKey('a') == 'a'
int{}
dyn(1) == 'a'
dyn(object) == 1
dyn(1) + 'a' == 'b'
lists.range(3).all(i, i == 'a')
[1, 2].sum() == 'a'
['a'].sum() == 1
[1].indexOf('a') == 0
isSorted([1])
sets.intersects([1], [2])
sets.intersects([1], ['a'])
[[1]].flatten() == ['a']
[1].slice(0, 'a') == [1]
[{'a': 1}].sortBy(x, x.a) == []
[{'a': 1}].sortBy(x, x) == []
{'a': 1}.transformMap(k, v, v == 1) == {'a': 1}
{'a': 1}.transformMapEntry(k, v, v)
{'a': 1}.all(k, k, true)
x.all(y, z)
`).filter((one) => one !== '');
