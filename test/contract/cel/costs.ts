/** Expressions over variables, whose cost at run time the real CEL was asked about; `judge/main.go` has what the variables hold. */
export const costly: readonly string[] = `
s
o.s
o.m.a.b
o.m['a'].b
o['m']['a']['b']
has(o.m)
has(o.x)
has(o.m.a.b)
has(o.m.a.c)
o.l[0]
o.l[i]
o.l[i + 1]
o.l[o.l[0]]
l[l[1]]
m[o.x] == 1 || true
m['a']
m[s] == 1 || true
t ? i : 2
t ? o.s : 'x'
t ? o.m.a : o.m
(t ? o.m : o.m.a).a.b
t ? (t ? i : 2) : 3
t ? {'a': 1}.a : 2
t ? i + 1 : i
t ? has(o.m) : false
!t ? false : has(o.m.a)
t ? l : [1]
(t ? l : [1]).size()
o.t ? 1 : 2
o.t && t
!t || o.t
o.s == 'hello world, hello'
o.s != s
s == s
s < 'b'
o.s < 'b'
o.s < o.s
s + s
s + 'x'
o.s + o.s
o.s + 'x'
o.n + 1
o.n == 5
s in ['a', 'b', 'c']
i in [1, 2, 3]
i in [1, i, 3]
i in l
'one' in w
'a' in m
'a' in o.m
1 in o.l
o.n in [5, 6]
i in []
[1, 2] in [[1, 2], [3]]
[i, 2] == [1, 2]
l == [3, 1, 2]
w == ['one', 'two', 'three']
m == {'a': 1, 'b': 2}
s.size()
size(o.s)
s.contains('some')
s.startsWith('a text')
s.endsWith('length')
o.s.contains('world')
o.s.startsWith('hello')
s.matches('^a .*h$')
matches(s, '^a .*h$')
o.s.matches('h.*')
matches(o.s, 'hello.*hello')
s.find('[a-z]+')
s.findAll('[a-z]+').size()
o.s.findAll('[a-z]+', 2)
s.lowerAscii()
o.s.upperAscii()
s.replace('e', 'E')
o.s.replace('l', 'L', 2)
s.split(' ')
o.s.split(',')
s.substring(2, 6)
s.trim()
s.charAt(3)
s.indexOf('some')
o.s.indexOf('world')
s.lastIndexOf('t', 9)
w.join(', ')
w.join()
s.split(' ').join('-').upperAscii()
strings.quote(s)
'%s and %d'.format([s, i])
s.format([])
string(i)
string(s)
string(bytes(s))
bytes(s).size()
b'0123456789ab' == bytes(s)
int(string(i))
double(i)
dyn(s) == s
type(s) == string
type(o.n) == int
l.all(x, x > 0)
l.all(x, x > 1)
l.all(x, x > 2)
l.exists(x, x == 2)
l.exists(x, x == 3)
l.exists_one(x, x == 1)
l.map(x, x)
l.map(x, x * i)
l.map(x, 1)
l.map(x, x > 1, x + 1)
l.map(x, [x])
l.filter(x, x > 1)
l.filter(x, true)
l.filter(x, false)
w.filter(x, x.startsWith('t'))
w.all(x, x.size() > 2)
w.map(x, x + s)
m.all(k, m[k] > 0)
m.exists(k, k == 'z')
m.map(k, k).size()
o.l.all(x, x > 0)
o.l.filter(x, x > 1).size()
o.m.all(k, k == 'a')
l.all(x, l.exists(y, y == x))
l.map(x, l.map(y, x * y))
l.filter(x, l.all(y, y <= x)).size() == 1
l.exists(x, 1 / (x - 3) == 0)
l.all(x, 1 / (x - 3) < 1 || true)
[1, 2].exists(x, x == i)
[i, 2].exists(x, x == i)
m.all(k, v, v > 0)
m.exists(k, v, k == 'b' && v == 2)
l.all(i, v, v > i - 5)
l.existsOne(i, v, v == i)
l.transformList(i, v, v + i)
l.transformList(i, v, v > 1, v)
m.transformList(k, v, k)
m.transformMap(k, v, v + 1)
m.transformMap(k, v, v > 1, k)
m.transformMap(k, v, 1)
m.transformMapEntry(k, v, {k + k: v})
m.transformMapEntry(k, v, v > 1, {k: v})
l.sort()
w.sort()
o.l.sort()
l.sortBy(x, -x)
w.sortBy(x, x.size())
l.reverse()
l.distinct()
w.distinct()
l.slice(0, 2)
[l, l].flatten()
[[l], [l]].flatten(2)
lists.range(i + 4)
l.sum()
l.min()
w.max()
l.isSorted()
w.isSorted()
l.indexOf(2)
w.indexOf('two')
o.l.sum()
o.l.indexOf(2)
sets.contains(l, [1])
sets.equivalent(l, [1, 2, 3])
sets.intersects(w, ['x', 'y'])
[l, [i]]
[]
{'a': s, 'b': s}
1 / (i - 1) == 1 || true
[1 / (i - 1)].size() == 1 || true
{'a': o.x}.size() == 1 || true
o.x == s || true
o.x.y.z == s || true
l[7] > 1 || true
(o.x + s).size() > 1 || true
{s: 1}
{'a': [s]}
o.?s.orValue('x')
o.?x.orValue('x')
o.?x.?y.orValue(s)
o.?m.a.b.orValue('y')
o.?m.?a.?b.hasValue()
o[?'s'].hasValue()
l[?1].value()
l[?i].orValue(0)
l[?9].orValue(i)
optional.of(s).or(optional.of('x')).value()
optional.none().or(optional.of(s)).value()
optional.of(s) == optional.of(s)
o.?s.optMap(x, x.size()).orValue(0)
o.?x.optMap(x, x.size()).orValue(0)
o.?m.?a.?b.optMap(x, x + x).value()
o.?m.optFlatMap(x, x.?a).hasValue()
has(o.?m.a)
has(o.?x.a)
[?o.?s, ?o.?x]
{?'a': o.?s, ?'b': o.?x}
cel.bind(x, s + s, x + x)
cel.bind(x, l, x.all(y, y in x))
cel.bind(x, i, cel.bind(y, x + 1, y * y))
cel.bind(x, o.m, x.a.b)
url('https://example.com/some/path').getHost()
url('https://example.com/' + s.replace(' ', '')).getEscapedPath()
isURL(s)
ip('2001:db8::1') != ip('2001:db8::2')
cidr('10.0.0.0/8') == cidr('10.0.0.0/8')
cidr('2001:db8::/64').containsIP('2001:db8::1')
cidr('2001:db8::/64').containsIP(ip('2001:db8::1'))
cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')
cidr('10.0.0.0/8').ip().family()
quantity('1Gi').isGreaterThan(quantity('1Mi'))
quantity('1Gi') != quantity('1Mi')
isQuantity(s)
semver('1.2.3').major() == i
format.dns1123Label().validate(s.replace(' ', '')).hasValue()
format.uri().validate(s).hasValue()
format.date().validate(s).hasValue()
timestamp('2026-01-01T00:00:00Z') < timestamp('2027-01-01T00:00:00Z')
duration('1h') == duration(string(i) + 'h')
timestamp('2026-01-01T00:00:00Z').getHours()
!(!t)
-i
--i
t && (i == 1 || o.n == 7) && !(s == 'x')
i > 0 ? l.all(x, x > 0) : w.all(x, x == '')
o.m == {'a': {'b': 'x'}}
`
  .trim()
  .split('\n');
