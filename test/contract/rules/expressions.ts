/** Rules of a `spec` that has something of everything. */
export const expressions: readonly string[] = `
self.n > 3
self.n < 3
self.n == 5 && self.m == 3
self.n + self.m == 8
self.n / 0 == 1
self.x > 1.0
self.x == 1.5
self.x > self.n
self.x > double(self.n)
self.b
!self.b
self.b == true || self.n == 0
self.s == 'a text'
self.s == self.t
self.s != self.t
self.s < self.t
self.s + self.t == 'a textother'
(self.s + self.t + self.s).size() < 3
self.s.size() < 3
size(self.s) > 3
self.s.contains('x')
self.s.contains(self.t)
self.s.startsWith('b')
self.s.endsWith(self.t)
self.s.matches('^[a-z]+$')
self.s.matches('(')
self.s.matches(self.t)
self.s.find('[0-9]+') == ''
self.s.findAll('[a-z]').size() < 2
self.s.replace('a', 'bbb') == self.t
self.s.replace('', 'bbb').size() == 3
self.s.replace('abc', 'b').size() == 3
self.s.split(' ').size() == 1
self.s.split(' ').all(x, x == 'a')
self.s.split('').exists(x, x == 'a')
self.s.split(' ', 2)[0] == 'b'
self.s.lowerAscii() == self.s.upperAscii()
self.s.substring(1) == 'x'
self.s.substring(1, 3).size() == 9
self.s.trim() == ''
self.s.charAt(0) == 'b'
self.s.indexOf('t') == 1
self.s.lastIndexOf('t', 2) == 1
self.s.format(['a']) == 'b'
'%s is %d'.format([self.s, self.n]) == 'x'
strings.quote(self.s) == 'a'
self.e == 'one'
self.e in ['one', 'eleven']
self.e in ['one', self.s]
self.e.size() > 5
self.o.inner == 'j'
self.o.deep.er == 'x'
self.o.nothing == 'x'
self.o == self.p
self.o != self.o
self.p == self.p
has(self.o)
has(self.o.inner) && self.o.count == 3
has(self.o.deep.er)
has(self.nothing)
has(self.n)
!has(self.n)
has(self.unknown)
self.unknown == 1
self.n == '5'
self.n
self
self.n > 
self.n ==== 5
self. n > 3
nothing == 1
self.l.size() == 2
self.l[0] == 'b'
self.l[9] == 'b'
self.l[self.n] == 'a'
self.l == ['a', 'b', 'c']
self.l == self.set
self.l + self.l == self.l
(self.l + ['x']).size() == 3
self.l.all(x, x == 'a')
self.l.exists(x, x == 'z')
self.l.exists_one(x, x == 'z')
self.l.filter(x, x == 'a').size() == 2
self.l.filter(x, x.size() > 1).all(y, y.contains('a'))
self.l.map(x, x + 'y') == ['ay']
self.l.map(x, x + self.s).all(y, y == 'a')
self.l.map(x, x.size() > 0, x).exists(y, y.contains(self.s))
self.l.map(x, self.n).sum() == 3
self.l.all(x, self.l.all(y, x == y))
self.l.all(x, self.l.all(y, self.l.all(z, x + y == z)))
self.l.exists(x, self.set.exists(y, x == y && x.matches('a+')))
self.l.join('') == 'x'
self.l.join(self.s) == 'x'
self.l.indexOf('b') == 0
self.l.isSorted() && self.l.max() == 'b'
self.l.min() == 'b'
self.l.sort() == self.l && false
self.l.distinct().size() == 2
self.l.reverse() == self.l
self.l.slice(0, 1) == ['b']
self.l.slice(1, 9) == ['b']
self.l.sortBy(x, x.size())[0] == 'b'
self.l.first().hasValue() && false
self.l.transformList(i, v, v + string(i)) == ['a']
self.l.transformMap(i, v, v)[0] == 'b'
self.l.transformMapEntry(i, v, {v: i})['a'] == 1
self.l.all(i, v, i < 2 && v == 'a')
self.l.exists(i, v, v == 'q')
self.l.existsOne(i, v, v == 'q')
'z' in self.l
self.s in self.l
sets.contains(self.l, ['z'])
sets.equivalent(self.l, self.set)
sets.intersects(self.l, self.set2)
self.k.sum() == 5
self.k.all(x, x > 1)
self.k.isSorted()
self.k.max() > 3
self.k.map(x, x * 2).sum() == 1
self.k.filter(x, x > 1).size() == 1
lists.range(3) == self.k
lists.range(self.n).size() == 3
self.ll.all(x, x.all(y, y > 1))
self.ll.flatten().sum() == 3
self.ll[0][0] == 2
self.ll.map(x, x.size()).sum() == 1
self.parts == self.others && false
self.parts == self.others
self.parts + self.others == self.parts
self.parts + [self.parts[0]] == []
self.parts.all(x, x.port > 1)
self.parts.exists(x, x.name == 'z')
self.parts.filter(x, x.port > 0).all(x, x.name == 'a')
self.parts.map(x, x.name).join(',') == ''
self.parts.map(x, x.port) == [1]
self.parts[0].name == 'b'
self.parts.all(x, has(x.port) && x.port == oldSelf.parts[0].port)
self.plain == self.parts
self.plain[0] in self.parts
self.set == self.set2
self.set != self.set2
self.set + self.set2 == self.set
self.set.all(x, self.set2.exists(y, x == y)) && false
'a' in self.set && false
self.map.a == 'y'
self.map['a'] == 'y'
self.map['q'] == 'y'
self.map.size() == 1
'q' in self.map
has(self.map.a)
has(self.map.q)
self.map.all(k, k == 'a')
self.map.all(k, self.map[k] == 'x')
self.map.all(k, v, k == v)
self.map.exists(k, k.startsWith('z'))
self.map.map(k, self.map[k]).join('') == ''
self.map.transformList(k, v, v).size() == 1
self.map.transformMap(k, v, v.size()) == {'a': 1}
self.map == {'a': 'x', 'b': 'y'}
self.map == self.map && false
self.counts.all(k, self.counts[k] > 1)
self.counts == {'a': 1}
self.objects.all(k, self.objects[k].port > 1)
self.objects.one.name == 'b'
self.objects.exists(k, self.objects[k].name == k)
type(self.either) == int
type(self.either) == string && self.either.endsWith('%')
self.either == 50
self.either > 3
self.either.size() > 3
self.either + 1 == 3
self.either.contains(self.s)
dyn(self.s) == 5
dyn(self.l).all(x, x == 'a')
self.since < timestamp('2020-01-01T00:00:00Z')
self.since == timestamp('2024-01-02T03:04:05Z') && false
self.since.getFullYear() == 2020
self.since + self.span < self.since
self.since - self.since == self.span
self.day == timestamp('2024-01-02T00:00:00Z')
self.day > self.since
self.day.getDayOfWeek() == 1
self.span > duration('2h')
self.span == duration('90m') && false
self.span.getMinutes() == 10
self.span == 'x'
duration('x') == self.span
duration(self.s) == self.span
timestamp('x') == self.since
self.raw == b'hello'
self.raw == b'x'
self.raw.size() == 4
string(self.raw) == 'x'
self.nothing == null
self.nothing == 'x'
self.any == self.any
self.any.a == 1
has(self.any.a)
self.anything == 7
has(self.anything)
self.embedded.metadata.name == 'x'
self.embedded.kind == 'x'
self.embedded.spec.n == 2
self.embedded.metadata.generateName == 'y'
self.embedded.metadata.labels == {}
has(self.embedded.metadata)
self.with__dash__dash == 'x'
self.with__dot__dot == 'x'
self.with__slash__slash == 'x'
self.with__underscores__two == 'x'
self.__namespace__ == 'x'
self.namespace == 'x'
self.int == 'x'
self.__int__ == 'x'
self.with__two == 'x'
has(self.with__dash__dash) && false
self['with-dash'] == 'x'
self.oldSelf == 1
self == oldSelf
self.n == oldSelf.n
self.n >= oldSelf.n && self.s == oldSelf.s
self.l.all(x, x in oldSelf.l)
!has(oldSelf.n) || self.n > oldSelf.n
oldSelf.hasValue()
self.?n.orValue(0) == 0
self.?o.?inner.hasValue() && false
self.?o.inner.orValue('') == 'x'
self.o.?count.value() == 3
self.?unknown.hasValue()
self.?s.optMap(v, v.size()).orValue(0) == 1
self.?s.optFlatMap(v, optional.ofNonZeroValue(v)).orValue('') == self.t
optional.of(self.n).value() == 3
optional.none().hasValue()
self.map[?'a'].orValue('') == self.s
self.l[?0].orValue('') == self.s
self.l[?9].hasValue()
[?self.?s].size() == 2
self.n > 3 ? self.s == 'b' : self.b
self.n > 3 ? 'x' : true
(self.b ? self.l : self.set).size() == 1
(self.b ? self.s : self.t).contains('x')
(self.b ? self.l : [self.s]).all(x, x == 'y')
[self.s, self.t].all(x, x == 'a text')
[self.s, self.t].exists(x, x.contains(self.e))
[self.n, self.m].sum() == 1
[1, 'a'].size() == 2
{'a': self.s, 'b': self.t}.all(k, k.size() == 1) && false
{'a': self.s}['a'] == self.t
{'a': self.l}.a.size() == 1
{'a': 1, 'b': 'c'}.size() == 2
cel.bind(x, self.n, x + x) == 3
url('https://a.b/c').getHost() == self.s
isURL(self.s)
url(self.s).getPort() == ''
url(self.s) == url(self.t)
quantity('1k').isGreaterThan(quantity(self.s))
quantity('1k') == quantity('2k')
isQuantity(self.s)
ip('127.0.0.1').isLoopback() && self.b && false
ip(self.s) == ip(self.t)
isIP(self.s)
ip.isCanonical(self.s)
cidr('10.0.0.0/8').containsIP(self.s)
cidr('10.0.0.0/8').containsIP(ip('10.1.1.1')) && false
cidr('10.0.0.0/8').containsCIDR(self.s)
cidr('10.0.0.0/8').ip().family() == 6
isCIDR(self.s)
semver('1.2.3').major() == self.n
isSemver(self.s)
format.dns1123Label().validate(self.s).hasValue()
format.named('uuid').value().validate(self.s).hasValue() && false
authorizer.group('').resource('pods').check('get').allowed()
self.s.check('get')
self.namespace.size() > 9
int(self.s) == 1
string(self.n) == '6'
string(self.x) == '2'
double(self.n) == 1.0
uint(self.n) == 5u && false
bytes(self.s).size() == 1
bool(self.s)
type(self.s) == int
type(self.o) == map && false
type(self.l) == list && false
type(self.since) == google.protobuf.Timestamp && false
self.s == null
self.o == null
null == self.nothing
1 == 2
true
false
self.all(x, true)
self.n.all(x, true)
self.l.all(self.n, true)
self.l.map(x)
has(self)
has(self.l[0])
self.s.nothing()
self.s.size(1) == 1
nothing(self.s)
self.n in self.l
self.l == 5
self.k == self.l
-self.n == -5 && false
self.n % 2 == 0
9223372036854775807 + self.n == 0
self.n * 9223372036854775807 == 0
'\\u00e4öü€😀' == self.s
self.s == "a\\"b"
self.s == r'\\d'
// only a comment
self.n == 4 // a comment
Object{a: 1} == null
self.n == 1u
self.x == 1
self.x < self.n && self.n < 10u
[1, 2, 3].exists(x, x > self.n)
[[1, 2], [3]].all(x, x.size() > self.n)
self.s.matches('a' + self.t)
self.l.exists(x, x.matches(self.s))
self.plain.all(x, self.parts.exists(y, x.name == y.name)) && false
self.plain.all(x, self.plain.exists_one(y, x.name == y.name)) && false
self.map.all(k, k.matches('^[a-z]$') && self.map[k].size() > 1)
self.objects.all(k, self.parts.exists(p, p.name == self.objects[k].name)) && false
self.parts.all(p, self.parts.all(q, self.parts.all(r, p.name + q.name != r.name)))
`
  .trim()
  .split('\n');

/** Rules with more than a rule. */
export const messages: readonly { readonly [member: string]: unknown }[] = [
  { rule: 'self.n == 1', message: 'must be one' },
  { rule: 'self.n == 1', message: '  must be one  ' },
  { rule: 'self.n == 1', messageExpression: '"n is " + string(self.n)' },
  { rule: 'self.n == 1', message: 'plain', messageExpression: '"n is " + string(self.n)' },
  { rule: 'self.n == 1', messageExpression: 'self.n' },
  { rule: 'self.n == 1', messageExpression: 'self.nothing' },
  { rule: 'self.n == 1', messageExpression: '"a" +' },
  { rule: 'self.n == 1', messageExpression: '""' },
  { rule: 'self.n == 1', messageExpression: '" "', message: 'fallback' },
  { rule: 'self.n == 1', messageExpression: '"a\\nb"', message: 'fallback' },
  { rule: 'self.n == 1', messageExpression: 'self.l[9]', message: 'fallback' },
  { rule: 'self.n == 1', messageExpression: 'self.l[9]' },
  {
    rule: 'self.n == 1',
    messageExpression: 'self.l.map(x, self.l.map(y, x + y + self.s + "0123456789012345678901234567890123456789")).map(z, z.join("")).join("")',
  },
  { rule: 'self.n == oldSelf.n', messageExpression: '"was " + string(oldSelf.n)' },
  { rule: 'oldSelf.hasValue()', optionalOldSelf: true, messageExpression: '"old " + string(oldSelf.hasValue())' },
  { rule: 'self.n == 1', reason: 'FieldValueForbidden' },
  { rule: 'self.n == 1', reason: 'FieldValueRequired', message: 'needed' },
  { rule: 'self.n == 1', reason: 'FieldValueDuplicate', message: 'again' },
  { rule: 'self.n == 1', reason: 'FieldValueInvalid' },
  { rule: 'self.n == 1', reason: 'FieldValueOther' },
  { rule: 'self.n == 1', fieldPath: '.n' },
  { rule: 'self.n == 1', fieldPath: '.o.inner', reason: 'FieldValueRequired' },
  { rule: 'self.n == 1', fieldPath: '.o.deep.er' },
  { rule: 'self.n == 1', fieldPath: '.map.a' },
  { rule: 'self.n == 1', fieldPath: ".map['a.b']" },
  { rule: 'self.n == 1', fieldPath: ".objects['a'].name" },
  { rule: 'self.n == 1', fieldPath: '.nothing.there' },
  { rule: 'self.n == 1', fieldPath: 'n' },
  { rule: 'self.n == 1', fieldPath: '.l[0]' },
  { rule: 'self.n == 1', fieldPath: '.with-dash' },
  { rule: ' ' },
  { rule: 'self.n\n== 1' },
  { rule: 'self.n\n== 1', message: 'over lines' },
  { rule: 'self.n\n== "x"', message: 'over lines' },
];
