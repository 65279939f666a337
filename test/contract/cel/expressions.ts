/** Expressions that the real CEL of Kubernetes was asked about; `record.ts` writes down what it said. */
export const expressions: readonly string[] = `
1 + 2 * 3 - 4 / 2 % 3
-7 / 2
-7 % 3
9223372036854775807 + 1
-(-9223372036854775808)
1u - 2u
2u * 3u + 1u
1 / 0
1 % 0
1.0 / 0.0
-1.0 / 0.0
1.5 + 2.25
0.1 + 0.2
1e100
1.0
100000000000000000000.0
1e21
0.00001
1 < 1.5
2u > 1
1 == 1.0
1 == 1u
[1] == [1.0]
'a' < 'b'
'a' == 1
b'abc' < b'abd'
true && false || true
true ? 1 : 2
true ? 1 : 'a'
null == null
null == 1
!true
!!false
'a' + 'b'
b'a' + b'\\xff'
[1] + [2, 3]
[1, 'a']
{'a': 1, 'b': 'x'}
{1: 'a', 1: 'b'}
{'a': 1}['b']
{'a': 1}.a
{'a': {'b': 2}}.a.b
has({'a': 1}.a)
has({'a': 1}.b)
[1, 2][2]
[1, 2][-1]
1 in [1, 2]
'a' in {'a': 1}
'a' in [1]
size('héllo')
size(b'héllo')
[1, 2].size()
size({1: 2})
int('12')
int('x')
int(3.99)
int(-3.99)
int(1e30)
int(5u)
int(true)
uint(-1)
uint('7')
double('1.5')
double('x')
double(3)
string(1.0)
string(1e21)
string(12345678.0)
string(123456.5)
string(0.000001)
'%s'.format([1234567.0])
string(1u)
string(true)
string(b'abc')
string(b'\\xff')
bytes('é')
bool('true')
bool('yes')
type(1)
type('a') == string
type(1) == type(2)
type(type(1))
type([1])
type({})
type(null)
type(duration('1s')) == google.protobuf.Duration
dyn(1) + dyn(2)
dyn('a') + 1
[1, 2, 3].all(x, x > 0)
[1, 2, 3].all(x, x > 1)
[1, 2, 3].exists(x, x == 2)
[1, 2, 3].exists_one(x, x > 2)
[1, 2, 3].existsOne(x, x > 1)
[1, 2, 3].map(x, x * 2)
[1, 2, 3].map(x, x > 1, x * 2)
[1, 2, 3].filter(x, x > 1)
{'a': 1, 'b': 2}.map(k, k).sort()
{'a': 1}.all(k, k == 'a')
[1, 0].exists(x, 1 / x == 1)
[0, 1].exists(x, 1 / x == 1)
[0, 1].all(x, 1 / x == 1)
[0, 2].all(x, 1 / x == 1)
[1, 2].all(i, v, v == i + 1)
{'a': 1}.exists(k, v, k == 'a' && v == 1)
[1, 2].existsOne(i, v, v > 1)
[1, 2].transformList(i, v, v * i)
[1, 2].transformList(i, v, i > 0, v * i)
{'a': 1}.transformMap(k, v, v + 1)
{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v + 1)
{'a': 'x'}.transformMapEntry(k, v, {v: k})
['a', 'b'].transformMapEntry(i, v, {v: i})
cel.bind(x, 1, x + x)
true || 1 / 0 == 1
1 / 0 == 1 || true
1 / 0 == 1 && false
duration('1h30m')
duration('1.5s') + duration('500ms')
duration('1h') - duration('1s')
-duration('1s')
duration('x')
duration('100us') < duration('1ms')
duration('90m').getHours()
duration('90m').getMinutes()
duration('90s').getSeconds()
duration('1.5s').getMilliseconds()
string(duration('1.000000001s'))
string(duration('1h'))
int(duration('1s'))
duration(1000)
timestamp('2026-11-22T10:20:30.123Z')
timestamp('2026-11-22T10:20:30+02:00')
timestamp('2026-11-22')
timestamp('2026-02-30T00:00:00Z')
timestamp(0)
timestamp(1700000000)
int(timestamp('2026-11-22T10:20:30.9Z'))
int(timestamp('1969-12-31T23:59:59.5Z'))
string(timestamp('2026-11-22T10:20:30.120Z'))
timestamp('2026-11-22T00:00:00Z') + duration('24h')
duration('24h') + timestamp('2026-11-22T00:00:00Z')
timestamp('2026-11-22T00:00:00Z') - duration('1ns')
timestamp('2026-11-22T00:00:00Z') - timestamp('2026-11-21T00:00:00Z')
timestamp('9999-12-31T23:59:59Z') + duration('1s')
timestamp('2026-11-22T00:00:00Z') < timestamp('2026-11-22T00:00:00.1Z')
timestamp('2026-11-22T00:00:00Z') == timestamp('2026-11-22T02:00:00+02:00')
timestamp('2026-11-22T10:20:30.456Z').getFullYear()
timestamp('2026-11-22T10:20:30.456Z').getMonth()
timestamp('2026-11-22T10:20:30.456Z').getDate()
timestamp('2026-11-22T10:20:30.456Z').getDayOfMonth()
timestamp('2026-11-22T10:20:30.456Z').getDayOfWeek()
timestamp('2026-11-22T10:20:30.456Z').getDayOfYear()
timestamp('2024-12-31T10:20:30Z').getDayOfYear()
timestamp('2024-02-29T10:20:30Z').getDayOfYear()
timestamp('2026-11-22T10:20:30.456Z').getHours()
timestamp('2026-11-22T10:20:30.456Z').getMinutes()
timestamp('2026-11-22T10:20:30.456Z').getSeconds()
timestamp('2026-11-22T10:20:30.456Z').getMilliseconds()
timestamp('2026-11-22T23:20:30Z').getHours('Europe/Berlin')
timestamp('2026-11-22T23:20:30Z').getDate('Europe/Berlin')
timestamp('2026-07-22T23:20:30Z').getHours('US/Central')
timestamp('2026-11-22T23:20:30Z').getHours('+05:30')
timestamp('2026-11-22T23:20:30Z').getMinutes('-02:30')
timestamp('2026-11-22T23:20:30Z').getHours('02:00')
timestamp('2026-11-22T23:20:30Z').getHours('Nowhere/City')
'hello'.matches('^h.*o$')
matches('hello', 'l{2}')
'hello'.matches('L')
'hello'.matches('(?i)L')
'a'.matches('(')
'abc'.contains('b') && 'abc'.startsWith('a') && 'abc'.endsWith('c')
'hello'.charAt(1)
'hello'.charAt(5)
'hello'.charAt(6)
'héllo'.indexOf('l')
'hello'.indexOf('l', 3)
'hello'.indexOf('l', 9)
'hello'.indexOf('l', -1)
'hello'.indexOf('')
'hello'.lastIndexOf('l')
'hello'.lastIndexOf('l', 2)
'hello'.lastIndexOf('')
'ABCé'.lowerAscii()
'abcé'.upperAscii()
'hello hello'.replace('he', 'we')
'hello hello'.replace('he', 'we', 1)
'abc'.replace('', '_')
'abc'.replace('', '_', 2)
'a,b,c'.split(',')
'a,b,c'.split(',', 2)
'a,b,c'.split(',', 0)
'abc'.split('')
''.split(',')
'tacocat'.substring(4)
'tacocat'.substring(0, 4)
'tacocat'.substring(40)
'tacocat'.substring(3, 2)
'  \\ttrim\\n '.trim()
['a', 'b'].join()
['a', 'b'].join('-')
strings.quote('a"b\\n')
'%d of %s'.format([3, 'x'])
'%s'.format([[1, 'a', 2.5, null, true]])
'%s'.format([{'b': 2, 'a': [1]}])
'%s %s'.format([timestamp(0), duration('1m')])
'%s'.format([[timestamp(0), duration('1m')]])
'%.2f'.format([3.14159])
'%f'.format([12345.678])
'%e'.format([1052.032911275])
'%.3e'.format([0.00012])
'%b %o %x %X'.format([5, 8, 255, 255])
'%b'.format([true])
'%x'.format(['hello'])
'%X'.format([b'hi'])
'%d'.format(['a'])
'%s'.format([])
'%%'.format([])
'%a'.format([1])
'%.f'.format([1.0])
'%s'.format([type(1)])
'%s %d'.format([b'abc', 12u])
[1, 2, 3].isSorted()
[3, 1].isSorted()
[1, 2, 3].sum()
[1.5, 2.5].sum()
[duration('1s'), duration('2s')].sum()
[].sum() == 0
[3, 1, 2].max()
['b', 'a'].min()
[duration('1s'), duration('2s')].max()
[1, 2, 1].indexOf(1)
[1, 2, 1].lastIndexOf(1)
[1, 2, 1].indexOf(5)
dyn([]).max()
[1, 2, 3, 4].slice(1, 3)
[1, 2].slice(1, 5)
[1, 2].slice(-1, 1)
[[1, 2], [3]].flatten()
[1, [2, [3, [4]]]].flatten(2)
[dyn(1), [2, [3]]].flatten(2)
[3, 1, 2].sort()
['b', 'a'].sort()
[{'n': 2}, {'n': 1}].sortBy(e, e.n)
['bb', 'a'].sortBy(e, size(e))
lists.range(4)
lists.range(0)
[1, 2, 3].reverse()
[1, 2, 1, 3, 2].distinct()
sets.contains([1, 2, 3], [2, 3])
sets.contains([1], [1.0, 1u])
sets.equivalent([1, 2], [2, 1, 1])
sets.intersects([1, 2], [2, 5])
sets.intersects([], [1])
'abc 123'.find('[0-9]+')
'abc'.find('[0-9]+')
'123 abc 456'.findAll('[0-9]+')
'123 abc 456'.findAll('[0-9]+', 1)
'123 abc 456'.findAll('[0-9]+', 0)
'aaa'.findAll('a*?')
url('https://user@example.com:8080/a/b?x=1&x=2&y=z#frag').getHost()
url('https://example.com:8080/a/b').getHostname()
url('https://example.com:8080/a/b').getPort()
url('https://example.com/a/b').getPort()
url('https://[::1]:80/').getHostname()
url('https://[::1]/').getHost()
url('HTTPS://example.com/').getScheme()
url('/path/with space').getEscapedPath()
url('https://example.com/a%20b/é').getEscapedPath()
url('https://example.com').getEscapedPath()
url('https://example.com/?k=a+b&k=%41&j').getQuery()
url('https://example.com/path?k=v').getQuery()
url('../relative')
url('not a url')
url('https://a b/')
url('https://example.com:port/')
url('https://a/%zz')
url(':nothing')
isURL('https://example.com')
isURL('/path')
isURL('path')
isURL('mailto:a@b')
isURL('')
ip('192.168.0.1').family()
ip('::1').family()
ip('192.168.0.1')
string(ip('2001:db8:0:0:0:0:0:1'))
ip('127.0.0.1').isLoopback()
ip('::1').isLoopback()
ip('0.0.0.0').isUnspecified()
ip('169.254.1.1').isLinkLocalUnicast()
ip('224.0.0.1').isLinkLocalMulticast()
ip('ff02::1').isLinkLocalMulticast()
ip('8.8.8.8').isGlobalUnicast()
ip('255.255.255.255').isGlobalUnicast()
ip('1.2.3')
ip('1.2.3.4.5')
ip('1.2.3.256')
ip('01.2.3.4')
ip('a.b.c.d')
ip('::ffff:1.2.3.4')
ip('fe80::1%eth0')
ip('nothing')
isIP('1.2.3.4')
isIP('1.2.3')
ip.isCanonical('2001:DB8::1')
ip.isCanonical('2001:db8::1')
ip('1.2.3.4') == ip('1.2.3.4')
cidr('192.168.0.0/24').containsIP('192.168.0.5')
cidr('192.168.0.0/24').containsIP(ip('192.168.1.5'))
cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24')
cidr('192.168.0.0/24').containsCIDR(cidr('192.168.0.0/16'))
cidr('192.168.0.5/24').masked()
cidr('192.168.0.5/24')
cidr('192.168.0.5/24').ip()
cidr('2001:db8::/32').prefixLength()
string(cidr('10.0.0.0/8'))
cidr('10.0.0.0')
cidr('10.0.0.0/33')
cidr('10.0.0/8')
cidr('10.0.0.0/a')
cidr('10.0.0.0/08')
cidr('::ffff:1.2.3.4/120')
isCIDR('10.0.0.0/8')
isCIDR('10.0.0.0')
quantity('1.5Gi').isGreaterThan(quantity('1Gi'))
quantity('50k').asInteger()
quantity('9999999999999999999999999').asInteger()
quantity('1.5').asInteger()
quantity('50k').add(quantity('20'))
quantity('50k').add(20)
quantity('50k').sub(quantity('20'))
quantity('50k').sub(20)
quantity('0').sign()
quantity('1Mi').compareTo(quantity('1024Ki'))
quantity('1Mi') == quantity('1024Ki')
quantity('1.1').asApproximateFloat()
quantity('much')
isQuantity('1G')
isQuantity('1x')
semver('1.2.3').major()
semver('1.2.3-rc.1').isLessThan(semver('1.2.3'))
semver('v1.2', true).patch()
semver('1.2')
semver('01.2.3')
isSemver('1.2.3')
isSemver('v1.2', true)
semver('1.2.3+a') == semver('1.2.3+b')
semver('1.0.0-alpha.1').compareTo(semver('1.0.0-alpha.beta'))
!format.dns1123Label().validate('my-label').hasValue()
format.dns1123Label().validate('My Label').value()
format.named('dns1123Label').value().validate('ok').hasValue()
format.named('nothing').hasValue()
format.dns1123LabelPrefix().validate('my-').hasValue()
format.qualifiedName().validate('a/b/c').value()
format.labelValue().validate('-x').value()
format.uri().validate('http://[')
format.uuid().validate('x').value()
format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue()
format.byte().validate('aGVsbG8=').hasValue()
format.byte().validate('a').value()
format.date().validate('2026-11-22').hasValue()
format.date().validate('2026-13-22').value()
format.datetime().validate('2026-11-22T00:00:00Z').hasValue()
format.datetime().validate('2026').value()
optional.of(1).hasValue()
optional.none().hasValue()
optional.of(1).value()
optional.none().value()
optional.none().orValue(3)
optional.of(1).or(optional.of(2)).value()
optional.ofNonZeroValue('').hasValue()
optional.ofNonZeroValue('a').value()
{'a': 1}.?a.orValue(2)
{'a': 1}.?b.orValue(2)
{'a': {'b': 3}}.?a.?b.value()
{'a': {'b': 3}}.?x.b.orValue(7)
{'a': {'b': 3}}.?x.?b.hasValue()
[1, 2][?0].value()
[1, 2][?5].hasValue()
{'a': 1}[?'b'].orValue(9)
[?optional.of(1), 2, ?optional.none()]
{?'a': optional.none(), 'b': 2}
{'a': 1}.?a.optMap(x, x + 1).value()
optional.none().optMap(x, x + 1).hasValue()
{'a': 1}.?a.optFlatMap(x, optional.of(x + 1)).value()
[1, 2].first().value()
[].last().hasValue()
optional.unwrap([optional.of(1), optional.none()])
[optional.of(1), optional.none()].unwrapOpt()
nope
nope.field == 1
1 + 'a'
'a' && true
[1].all(x, x)
size(1)
'a'.nothing()
nothing('a')
1 +
(1
1 ==== 2
has(1)
[1].map(1, 2)
a.b.c
"a" in 1
if
{'a': 1}.a.b
1.size()
0x10 + 0xFFu
0x7fffffffffffffff
9223372036854775808
-9223372036854775808
18446744073709551615u
18446744073709551616u
r'\\d' + '\\x41\\u00e9\\101'
'''multi
line'''
`
  .trim()
  .split('\n')
  .flatMap((line, i, lines) => (line === "line'''" ? [] : line === "'''multi" ? [`${line}\n${lines[i + 1] ?? ''}`] : [line]));

/** A pattern and a text, for Go's regexp. */
export const patterns: readonly (readonly [pattern: string, text: string])[] = [
  ['a+', 'baaa aa'],
  ['(a|ab)(c|bcd)', 'abcd'],
  ['^[0-9]{1,3}$', '12'],
  ['x*', 'axb'],
  ['(?i)HeL+o', 'hello hELLO'],
  ['(a*)*b', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ['(a*)+', 'aaab'],
  ['(a|b)*?c', 'abac'],
  ['[[:alpha:]-]+', 'a-b 1'],
  ['[^[:space:]]+', 'a b'],
  ['a{2,1}', ''],
  ['a{,2}', 'a{,2}'],
  ['a{2}{3}', ''],
  ['a{1001}', ''],
  ['(a{100}){100}', ''],
  ['(', 'a'],
  [')', 'a'],
  ['a**', 'a'],
  ['a+?b', 'aab'],
  ['\\bfoo\\b', 'a foo food'],
  ['\\Boo', 'foo oo'],
  ['(?=a)', 'a'],
  ['(?<=a)', 'a'],
  ['[z-a]', 'a'],
  ['\\pL+', 'été 1'],
  ['\\p{Greek}+', 'abγδ'],
  ['\\PL+', 'a12b'],
  ['\\p{Nope}', 'x'],
  ['\\', 'x'],
  ['a)', 'x'],
  ['[a', 'x'],
  ['[]a]+', ']a'],
  ['[^]a]+', 'b]a'],
  ['[a-]+', 'a-'],
  ['[a-c-e]', 'x'],
  ['[\\d\\s]+', '1 2a'],
  ['*', 'x'],
  ['+a', 'x'],
  ['|a', 'xa'],
  ['a||b', 'ab'],
  ['\\y', 'x'],
  ['\\8', 'x'],
  ['\\1', 'x'],
  ['\\x41\\x{1F600}', 'A😀'],
  ['\\Qa.b\\E+', 'a.bbb'],
  ['(?P<n', 'x'],
  ['(?P<n>a)(?P<n>b)', 'ab'],
  ['(?P<n>a)(?<m>b)', 'ab'],
  ['(?P<1a>b)', 'b'],
  ['a.*?b', 'axxbxb'],
  ['a.*b', 'axxb\nxb'],
  ['(?s)a.*b', 'axxb\nxb'],
  ['(?m)^b$', 'a\nb\nc'],
  ['(?U)a+', 'aaa'],
  ['(?i:a)B', 'AB Ab'],
  ['(?z)', 'x'],
  ['(?i', 'x'],
  ['^$', ''],
  ['$^', ''],
  ['\\Aab\\z', 'ab'],
  ['\\Z', 'ab'],
  ['😀+', 'a😀😀'],
  ['[😀-😂]', '😁'],
  ['a|b|', 'cab'],
  ['(?:a|b)+c?', 'abcba'],
  ['k', '\u212a'],
  ['(?i)k', '\u212a'],
  ['\\d{3}-\\d{4}', '555-1234 and 12-3'],
  ['([a-z]+)@([a-z]+)\\.com', 'x@y.com z@w.org'],
];
