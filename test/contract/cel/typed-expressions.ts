/** Expressions whose types do not fit, before they run and while they do; `record.ts` writes down what the real CEL of Kubernetes said. */
export const typedExpressions: readonly string[] = String.raw`
0.0/0.0 < 1.0
dyn(0.0/0.0) < 1
0.0/0.0 == 0.0/0.0
[7,8][dyn(0.0)]
[7,8][dyn(1u)]
[7,8][dyn(true)]
{1:2}[dyn(b"")]
{1:2}[dyn(null)]
[1][dyn(null)]
lists.range(3)[dyn(1.0)]
double("inf")
double("nan")
double(".")
double("1e400")
int(9223372036854775807.0)
uint(-0.5)
uint(18446744073709551615.0)
-0.0
-(0.0)
0.0 == -0.0
1.0/-(0.0)
'%.0f'.format([2.5])
'%.0f %.1f'.format([3.5, 0.25])
'%s'.format([{1:null}])
{'a':null}.a == null
has({'a':null}.a)
{'a':null}.?a.hasValue()
{'a':dyn(null)}[?'a'].orValue(3)
optional.of(1).?foo
dyn(optional.of(1)).?foo
{}.transformMap(k, v, k + v)
[].map(x, x+x)
[].map(x, x == 1)
null < null
dyn(null) < null
null + null
dyn(1) + null
[1] == [dyn(1.0)]
[1,2].exists_one(x, "a")
[1].filter(x, x)
[1].all(x, x)
[1].map(x, "a", x)
1.optMap(x, x)
y.optMap(x, x)
y.optFlatMap(x, x+z)
[1].transformMapEntry(i, x, x)
[1].transformMap(i, x, "a", x)
string(timestamp("9999-12-31T23:59:59.999999999Z"))
timestamp("0000-01-01T00:00:00Z")
[{1:2},{"a":2}]
type(type(1))
[int, string]
int == string
[1, null]
[timestamp(0), null]
[optional.of(1), optional.none()]
[[], [1]]
[{}, {1:2}]
true ? [] : [1]
true ? null : 1
true ? timestamp(0) : null
b"a" < "a"
x.y.z
foo(1)
a.foo(bar)
1 +
(1
1 1
"a
has(a)
has(a[0])
[1].all(1, true)
[1].map(x.y, 1)
[1].exists(i, i, true)
1 in 2
1 in {'a':1}
!1
-'a'
1 ? 2 : 3
true ? 1 : 'a'
true && 1
1 || 'a'
optional.of(1) == 1
string(1, 2)
'a'.size(1)
size(1)
'a'.foo
1.0.foo
duration('x')
timestamp('x')
'a'.matches('(')
matches('a', '(')
cidr(1)
'a'.format(1)
'a'.format([1])
quantity('a')
quantity(1)
dyn([1]) == [1.0]
[1, 2].map(x, y)
[1].map(x, x.y)
a || b || c
a && 1
(a + b).c(d)
[a, b]
{a: b}
a ? b : c
a[b]
a.?b
a[?b]
has(a.b)
has('a'.b)
optional.of({'a':1}).a
optional.of({'a':1})['a']
optional.of([1])[0]
optional.of(1)[0]
[?optional.of(1), ?2]
{?'a': 1}
sets.contains([1], ['a'])
sets.contains(1)
sets.foo([1])
'a'.join()
['a'].join(1)
[1].join()
[1].sum()
['a'].sum()
[dyn(1)].sum()
[timestamp(0)].max()
isSorted([1])
[1].isSorted(1)
url(1)
url('a').foo()
ip('1.1.1.1').foo
ip('1.1.1.1') == '1.1.1.1'
quantity('1') < quantity('2')
quantity('1').isLessThan('2')
semver('1.0.0') == '1.0.0'
format.dns1123Label().validate(1)
authorizer.path('/')
[[1], ['a']]
[1, 'a', 2.0]
{1: 'a', 'b': 2}
[1].map(x, [x].map(y, x + 'a'))
[1].exists(x, x == 'a' || x == b'a')
timestamp(0) + 1
duration('1s') + timestamp(0)
duration('1s') * 2
'a' * 2
1 + 1.0
1 / 'a'
5 % 2.0
[1] + ['a']
[1] + 1
1u + 1
1 < 'a'
1 == 'a'
'a' in 'abc'
'a'.contains(1)
'a'.startsWith()
startsWith('a', 'b')
'a'.charAt('b')
'a'.substring(1,2,3)
'a'.replace('a')
'a'.split()
'a'.find(1)
string({})
int([])
int('a', 1)
bool(1)
bytes(1)
type()
dyn()
size()
[].first().foo
[1, 2, 3].slice(1, 'a')
[1].flatten('a')
[1].distinct().foo()
[1].sort(1)
[dyn('a')].sort()
[{}].sort()
[{'a':1}].sortBy(x, x.a)
[{'a':1}].sortBy(x, x)
[{'a':1}].sortBy(x.y, x)
lists.range('a')
[1].reverse(1)
foo.bar.baz('a')
foo.bar
.foo
.foo.bar(1)
Foo{}
foo.Bar{a: 1}
int{}
dyn(1).contains('a')
dyn(1).startsWith('a')
'a'.startsWith(dyn(1))
'a'.contains(dyn(1))
size(dyn(1))
dyn(1).size()
dyn(null).size()
dyn(1).matches('a')
'a'.matches(dyn(1))
int(dyn([]))
int(dyn(null))
int(dyn(true))
uint(dyn(true))
double(dyn(true))
string(dyn({}))
string(dyn([]))
string(dyn(null))
bool(dyn(1))
bool(dyn(2))
bytes(dyn(1))
timestamp(dyn(true))
duration(dyn(true))
dyn('a').getHours()
dyn(1).getFullYear()
dyn({}) + 1
dyn([]) + 1
[1] + dyn(1)
dyn(true) + true
dyn('a') - 'b'
dyn({}) - 1
dyn(1) - 'a'
dyn(1) * 'a'
dyn('a') * 2
dyn('a') / 2
dyn('a') % 2
dyn(1.5) % 2
-dyn('a')
-dyn(1u)
!dyn('a')
!dyn(1)
dyn([]) < 1
dyn({}) < 1
dyn(1) < 'a'
dyn('a') < 1
dyn(true) < 1
dyn(null) >= 1
dyn(1)[0]
dyn('abc')[0]
dyn(true).a
dyn(1).a
dyn('a').b
dyn(null).a
has(dyn(1).a)
has(dyn(null).a)
has(dyn([]).a)
dyn([]).a
1 in dyn(1)
1 in dyn('a')
'a' in dyn(null)
dyn(1).all(x, true)
dyn('a').map(x, x)
dyn(null).exists(x, x)
dyn(1) ? 1 : 2
dyn(1) && true
true && dyn(1)
dyn(1) || false
dyn('a') && dyn('b')
dyn(1) && dyn('b')
[1].all(x, dyn(x))
[1].filter(x, dyn(x))
[1].exists_one(x, dyn(x))
[1].map(x, dyn(x), x)
dyn(1).lowerAscii()
'a'.charAt(dyn('b'))
'a'.indexOf(dyn(1))
dyn('a').join()
[dyn(1)].join()
dyn(1).split(',')
'a,b'.split(dyn(1))
'a'.replace(dyn(1), 'b')
dyn(1).substring(0)
'%s'.format(dyn(1))
dyn(1).format([])
dyn(1).sum()
[dyn('a')].sum()
[dyn('a'), dyn(1)].sum()
[dyn('a'), dyn(1)].max()
[dyn({})].max()
dyn(1).isSorted()
[dyn(1), dyn('a')].isSorted()
sets.contains(dyn(1), [1])
sets.intersects([1], dyn('a'))
lists.range(dyn('a'))
dyn(1).reverse()
dyn(1).slice(0, 1)
[dyn('a'), dyn(1)].sort()
[[1]].sort()
url(dyn(1))
isURL(dyn(1))
dyn(1).getHost()
quantity(dyn(1))
dyn(1).isGreaterThan(quantity('1'))
quantity('1').add(dyn('a'))
ip(dyn(1))
dyn(1).family()
cidr(dyn(1))
semver(dyn(1))
dyn(1).major()
optional.of(1).or(dyn(2))
dyn(1).value()
dyn(1).hasValue()
dyn(1).orValue(2)
dyn(1).or(optional.of(1))
'a'.find(dyn(1))
dyn(1).first()
[dyn(1)].unwrapOpt()
type(dyn(1))
string(type(1))
dyn(int)
[1, 2][dyn(5)]
[1, 2][-1]
{'a': 1}['b']
{'a': 1}[dyn(1)]
{1: 'a'}[dyn(1.0)]
{1: 'a'}[dyn(1u)]
{1: 'a'}[dyn(1.5)]
1.5 in {1: 'a'}
dyn(1.0) in {1: 'a'}
dyn(1.0) in [1]
{'a': 1}.a.b
{'a': 1, 'a': 2}
{1: 1}.foo
dyn({1: 1}).foo
dyn(true) - 1
dyn(b'a') - b'a'
dyn(type(1)) + 1
dyn(timestamp(0)) * 2
dyn(timestamp(0)) + 2
dyn(duration('1s')) * 2
-dyn(true)
-dyn(timestamp(0))
dyn(optional.of(1)) + 1
dyn(optional.of(1)) < 1
dyn(quantity('1')) + 1
dyn(quantity('1')) < 1
dyn(type(1)) < 1
dyn([1]) - 1
dyn(1u) % 2
dyn(1)[0].b
dyn(1).a.b
dyn(1)[?0]
dyn(1).?a
dyn('a').?a
dyn(null).?a
dyn([1]).?a
dyn([1])[?'a']
dyn(quantity('1')).a
dyn(timestamp(0)).a
has(dyn('a').b)
has(dyn(true).b.c)
has(dyn(quantity('1')).a)
dyn(null)[0]
dyn(timestamp(0))[0]
dyn(1)['a']
dyn(1)[dyn(null)]
[1][dyn(1.5)]
[1][dyn(-1.0)]
[1].exists(x, dyn(x).foo == 1)
{'a': 1}.all(k, v, v.foo)
dyn(timestamp(0)).all(x, true)
dyn(true).all(x, true)
dyn(1.5).all(x, true)
dyn(quantity('1')).all(x, true)
dyn(b'a').all(x, true)
dyn(1u).map(x, x)
dyn(1).exists(i, v, true)
dyn(null).exists(i, v, true)
1 in dyn({1: 2})
1 in dyn(null)
dyn(1) == 'a'
dyn(1) != 'a'
dyn(1) == 1.0
dyn([1]) == ['a']
type(dyn(1)) == type(1u)
google.protobuf.Timestamp == type(timestamp(0))
dyn(1) == null
dyn(0.0/0.0) == 0.0/0.0
[0.0/0.0] == [0.0/0.0]
dyn({'a':1}) == {'a':1.0}
1 == dyn('1')
[1, 2, 3].indexOf(dyn('a'))
[1, 2, 3].min() < dyn('a')
dyn('a') in ['a']
`
  .trim()
  .split('\n');
