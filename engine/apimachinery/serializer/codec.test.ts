import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSchemaRegistry } from '../../api/schemas.ts';
import { createCodec, unwrapEnvelope } from './codec.ts';
import { Compiler } from './compile.ts';
import { decodeJson, encodeJson } from './json.ts';
import { DecodeError } from './scalars.ts';
import { decodeFirstYaml, decodeYaml, encodeYaml, unmarshalYaml } from './yaml.ts';

const schemas = createSchemaRegistry();
const codec = createCodec(schemas);
const podSchema = schemas.mustGet('io.k8s.api.core.v1.Pod');
const configMapSchema = schemas.mustGet('io.k8s.api.core.v1.ConfigMap');
const pod = (spec: object): object => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec });

describe('canonical form', () => {
  it('puts keys into schema order, canonicalises quantities and names unknown fields', () => {
    const given = pod({ nope: 1, containers: [{ image: 'i', name: 'c', resources: { requests: { memory: '1024Mi', cpu: '1000m' } }, extra: {} }] });
    const { object, unknownFields } = codec.decodeInto<object>(given, podSchema);
    expect(encodeJson(object)).toBe(
      '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1","memory":"1Gi"}}}]},"status":{}}',
    );
    expect(unknownFields).toEqual(['unknown field "spec.nope"', 'unknown field "spec.containers[0].extra"']);
  });

  it('gives back the same reference for what is canonical', () => {
    const once = codec.canonicalize(pod({ containers: [{ name: 'c', image: 'i', resources: {} }] }), podSchema) as { spec: object };
    expect(codec.canonicalize(once, podSchema)).toBe(once);
    const again = codec.canonicalize({ ...(pod({}) as object), spec: once.spec }, podSchema) as { spec: object };
    expect(again.spec).toBe(once.spec);
  });

  it('knows as what a value is canonical', () => {
    const whole = codec.canonicalize(pod({ containers: [] }), podSchema);
    const partial = codec.canonicalize(whole, schemas.mustGet('io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata'));
    expect(encodeJson(partial)).toBe('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}');
    expect(codec.canonicalize(whole, podSchema)).toBe(whole);
  });

  it('sorts a map, and makes another only where an entry changes', () => {
    const requests = (text: string): string => {
      const given = { containers: [{ name: 'c', image: 'i', resources: { requests: decodeJson(text).value } }] };
      const { spec } = codec.canonicalize(pod(given), podSchema) as { spec: { containers: { resources: { requests: object } }[] } };
      return encodeJson(spec.containers[0]?.resources.requests);
    };
    expect(requests('{"memory":"1Mi","cpu":"100m"}')).toBe('{"cpu":"100m","memory":"1Mi"}');
    expect(requests('{"__proto__":"1","a":"2","cpu":"1000m","z":"3"}')).toBe('{"__proto__":"1","a":"2","cpu":"1","z":"3"}');
    expect(requests('{"b":1024,"a":"1000m"}')).toBe('{"a":"1","b":"1024"}');
    expect(() => requests('{"cpu":"1000m","memory":"much"}')).toThrow('quantities must match');
    const once = codec.canonicalize({ kind: 'ConfigMap', metadata: {}, data: { a: '1', b: '2' } } as object, configMapSchema) as { data: object };
    expect((codec.canonicalize({ ...once, metadata: {} }, configMapSchema) as { data: object }).data).toBe(once.data);
  });

  it('keeps a map key named __proto__ in every form', () => {
    const object = codec.canonicalize(
      decodeJson('{"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"__proto__":"x"}}').value as { kind: string },
      configMapSchema,
    );
    const envelope = unwrapEnvelope(codec.encodeProtobuf(object, configMapSchema));
    const read = codec.decodeProtobuf(envelope.raw, configMapSchema, envelope);
    expect(encodeJson(read)).toBe('{"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"__proto__":"x"}}');
  });

  it.each([
    [
      'text for a number',
      pod({ terminationGracePeriodSeconds: 'x', containers: [] }),
      'json: cannot unmarshal string into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64',
    ],
    ['number for text', pod({ nodeName: 3 }), 'json: cannot unmarshal number into Go struct field PodSpec.spec.nodeName of type string'],
    [
      'object for a list',
      pod({ containers: {} }),
      'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    ['text for a message', { kind: 'Pod', spec: 'x' }, 'json: cannot unmarshal string into Go struct field Pod.spec of type v1.PodSpec'],
    [
      'number for text in a list, without its place',
      pod({ containers: [{ image: 1.5 }] }),
      'json: cannot unmarshal number into Go struct field Container.spec.containers.image of type string',
    ],
    ['fraction for an integer', pod({ priority: 1.5 }), 'json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32'],
  ])('refuses %s as Go does', (_name, given, text) => {
    expect(() => codec.canonicalize(given, podSchema)).toThrow(text);
  });
});

describe('JSON', () => {
  it('keeps 64-bit integers exact and integer-like keys in byte order', () => {
    const { value } = decodeJson('{"n":9007199254740993,"m":{"b":1,"10":2,"9":3}}');
    expect(value).toEqual({ n: 9007199254740993n, m: { b: 1, 10: 2, 9: 3 } });
    expect(encodeJson(value)).toBe('{"n":9007199254740993,"m":{"10":2,"9":3,"b":1}}');
  });

  it('tells keys that begin with a digit from texts that only look so', () => {
    const keys = { b: ['x', '1a', '2'], 'a.b': '{"1":2},"3":', '10': 1, '9': 2, a: '1' };
    expect(encodeJson({ keys })).toBe('{"keys":{"10":1,"9":2,"a":"1","a.b":"{\\"1\\":2},\\"3\\":","b":["x","1a","2"]}}');
    expect(encodeJson({ b: ['x', '1a'], a: 'z' })).toBe('{"b":["x","1a"],"a":"z"}');
  });

  it('reports keys given twice, and escapes markup as Go does', () => {
    expect(decodeJson('{"a":{"b":1,"b":2}}')).toEqual({ value: { a: { b: 2 } }, duplicates: ['duplicate field "a.b"'], met: ['a', 'a.b', 'a.b'] });
    expect(encodeJson({ a: '<&>' })).toBe('{"a":"\\u003c\\u0026\\u003e"}');
  });

  it.each([
    ['{"a":', 'unexpected end of JSON input'],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['[1,2', 'unexpected end of JSON input'],
    ['010', "invalid character '1' after top-level value"],
    ['[-00]', "invalid character '0' after array element"],
    ['{"a":"\u0001"}', String.raw`invalid character '\x01' in string literal`],
    ['{"a":"\t', String.raw`invalid character '\t' in string literal`],
    [String.raw`{"a":"\x"}`, "invalid character 'x' in string escape code"],
    [String.raw`{"a":"\u12g4"}`, String.raw`invalid character 'g' in \u hexadecimal character escape`],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ['{"a":"b', 'unexpected end of JSON input'],
    ['nope', "invalid character 'o' in literal null (expecting 'u')"],
    ['{"a":fals}', "invalid character '}' in literal false (expecting 'e')"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['{"a":-}', "invalid character '}' in numeric literal"],
    ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
    ['[1e+]', "invalid character ']' in exponent of numeric literal"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['{"a":12a}', "invalid character 'a' after object key:value pair"],
    ['[1.5.6]', "invalid character '.' after array element"],
    ['{"a":.5}', "invalid character '.' looking for beginning of value"],
  ])('refuses %s', (text, message) => expect(() => decodeJson(text)).toThrow(new DecodeError(message)));

  it('never pollutes a prototype', () => {
    const { value } = decodeJson('{"__proto__":{"polluted":true},"x":12345678901234567890}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.keys(value as object)).toContain('__proto__');
  });
});

describe('JSON that is read into a struct', () => {
  const struct = new Compiler(schemas).get(podSchema);

  it('has what is given twice read into what is there', () => {
    const text =
      '{"metadata":{"name":"a","labels":{"a":"1"}},"metadata":{"labels":{"b":"2"}},"metadata":null,"spec":{"containers":[{"name":"c","image":"i"},{"name":"d"}]},"spec":{"containers":[{"name":"e"}]}}';
    const { value, duplicates } = decodeJson(text, struct);
    expect(value).toEqual({ metadata: { name: 'a', labels: { a: '1', b: '2' } }, spec: { containers: [{ name: 'e', image: 'i' }] } });
    expect(duplicates).toEqual(['duplicate field "metadata"', 'duplicate field "spec"']);
    expect(decodeJson(text).value).toEqual({ metadata: null, spec: { containers: [{ name: 'e' }] } });
  });

  it('takes no fraction for an integer, whatever it is worth', () => {
    const told = 'json: cannot unmarshal number 1.0 into Go struct field ObjectMeta.metadata.generation of type int64';
    expect(() => decodeJson('{"metadata":{"generation":1.0}}', struct)).toThrow(new DecodeError(told));
    expect(() => decodeJson('{"spec":{"containers":[{"ports":[{"containerPort":8e1}]}]}}', struct)).toThrow(
      'number 8e1 into Go struct field ContainerPort',
    );
    expect(decodeJson('{"metadata":{"generation":1.0}}').value).toEqual({ metadata: { generation: 1 } });
  });

  it('has no halves of characters', () => {
    expect(decodeJson(String.raw`{"a":"\ud800","\udc00":"\ud83d\ude00"}`).value).toEqual({ a: '\ufffd', '\ufffd': '😀' });
  });
});

describe('YAML', () => {
  it('reads booleans of YAML 1.1 and leaves timestamps text', () => {
    expect(decodeYaml('a: yes\nb: off\nc: 2001-01-01\nd: "on"\n').value).toEqual({ a: true, b: false, c: '2001-01-01', d: 'on' });
  });

  it('says what is wrong', () => {
    expect(() => decodeYaml('a: [1')).toThrow(new DecodeError("yaml: line 1: did not find expected ',' or ']'"));
    expect(() => unmarshalYaml('a: [1')).toThrow(/^error converting YAML to JSON: yaml: line 1: /);
    expect(decodeYaml('a: 1\na: 2\n').duplicates).toEqual(['yaml: unmarshal errors:\n  line 2: key "a" already set in map']);
    expect(() => decodeYaml('a: .inf')).toThrow(new DecodeError('json: unsupported value: +Inf'));
  });

  it.each([
    ['a: *b', "yaml: unknown anchor 'b' referenced"],
    ['x: 1\na:\n\tb: c', 'yaml: line 3: found character that cannot start any token'],
    ['x: 1\na: "\\x"', 'yaml: line 2: did not find expected hexdecimal number'],
    ['a: "b', 'yaml: found unexpected end of stream'],
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['a: -', 'yaml: block sequence entries are not allowed in this context'],
    ['x: 1\na: @b', 'yaml: line 2: found character that cannot start any token'],
    ['? [a]\n: b', 'yaml: invalid map key: []interface {}{"a"}'],
    ['~: b', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "b"'],
    ['a: &x [*x]', "yaml: anchor 'x' value contains itself"],
    ['a: \0', 'yaml: control characters are not allowed'],
    ['%YAML 1.2\n---\na: b', 'yaml: found incompatible YAML document'],
    ['%FOO\n---\na: b', 'yaml: found unknown directive name'],
    ['a: !!binary "%"', 'yaml: !!binary value contains invalid base64 data'],
  ])('says of %j what go-yaml does', (text, told) => {
    expect(() => decodeFirstYaml(text)).toThrow(new DecodeError(told));
  });

  it.each([
    ['', null],
    ['a: !foo 1\nb: !bar [x]\nc: !baz {d: e}', { a: '1', b: ['x'], c: { d: 'e' } }],
    ['a: !!binary aGk=', { a: 'hi' }],
    [' a: 1\nb: 2', { a: 1 }],
    ['%YAML 1.1\n---\na: b', { a: 'b' }],
    ['{"a": 1, "b": "\\ud83d\\ude00"}\n---\n{"a": [', { a: 1, b: '😀' }],
    ['1: a\ntrue: b\n1.5: c', { 1: 'a', true: 'b', '1.5': 'c' }],
  ])('reads %j as go-yaml does', (text, value) => {
    expect(decodeFirstYaml(text).value).toEqual(value);
  });

  it('names each key that is given twice with the line in which its value begins', () => {
    const { value, duplicates } = decodeYaml('a:\n  b: 1\n  b: 2\na:\n  c: 3\nd: &x [1]\nd: *x\n');
    expect(value).toEqual({ a: { c: 3 }, d: [1] });
    expect(duplicates.join('').split('\n')).toEqual([
      'yaml: unmarshal errors:',
      '  line 3: key "b" already set in map',
      '  line 5: key "a" already set in map',
      '  line 7: key "d" already set in map',
    ]);
  });

  it('reads numbers as Go does: exact, octal with a leading zero, none of base 60', () => {
    const text = 'a: 1:30\nb: 9223372036854775807\nc: 010\nd: 0x10\ne: 0o17\nf: 1e3\ng: 1_000\nh: 08\n';
    expect(decodeYaml(text).value).toEqual({ a: '1:30', b: 9223372036854775807n, c: 8, d: 16, e: 15, f: 1000, g: 1000, h: 8 });
    expect(decodeYaml('a: 017\nb: 0o17\nc: -0O7\nd: 0b11\n', 'old').value).toEqual({ a: 15, b: '0o17', c: '-0O7', d: 3 });
    expect(encodeYaml({ v: 9223372036854775807n, t: '1e3', d: '2001-01-01', s: '1:30' })).toBe(
      'd: "2001-01-01"\ns: "1:30"\nt: "1e3"\nv: 9223372036854775807\n',
    );
  });
});

describe('protobuf', () => {
  const text = fc.string({ maxLength: 12 });
  const configMap = fc.record({
    kind: fc.constant('ConfigMap'),
    apiVersion: fc.constant('v1'),
    metadata: fc.record({ name: text, generation: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), labels: fc.dictionary(text, text) }),
    data: fc.dictionary(text, text),
    binaryData: fc.dictionary(
      text,
      fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    ),
  });

  it('carries any second of four-digit years', () => {
    const seconds = fc.integer({ min: Date.parse('0001-01-02T00:00:00Z') / 1000, max: Date.parse('9999-12-31T00:00:00Z') / 1000 });
    fc.assert(
      fc.property(seconds, (second) => {
        const creationTimestamp = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
        const object = codec.canonicalize({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { creationTimestamp } }, configMapSchema);
        const envelope = unwrapEnvelope(codec.encodeProtobuf(object, configMapSchema));
        expect(codec.decodeProtobuf(envelope.raw, configMapSchema, envelope)).toEqual(object);
      }),
    );
  });

  it('carries any object to bytes and back', () => {
    fc.assert(
      fc.property(configMap, (given) => {
        const object = codec.canonicalize(given as never, configMapSchema) as { kind: string; apiVersion: string };
        const envelope = unwrapEnvelope(codec.encodeProtobuf(object, configMapSchema));
        // Numbers beyond the safe range are exact; those within come back as numbers.
        expect(encodeJson(codec.decodeProtobuf(envelope.raw, configMapSchema, envelope))).toBe(encodeJson(object));
      }),
    );
  });

  it('answers bytes that were cut short or are nonsense with an error, never with a half-read object or a hang', () => {
    const bytes = codec.encodeProtobuf(codec.canonicalize(pod({ containers: [{ name: 'c', image: 'i' }] }) as never, podSchema), podSchema);
    // Cut between two fields of the envelope, what is left is a shorter message in its own right; its tail is two empty texts.
    const { raw } = unwrapEnvelope(bytes);
    const wholeFields = new Set([bytes.length - 2, bytes.length - 4, bytes.length - 4 - raw.length - (raw.length < 128 ? 2 : 3)]);
    for (let length = 5; length < bytes.length; length++) {
      if (!wholeFields.has(length)) expect(() => unwrapEnvelope(bytes.slice(0, length)), `${length} bytes`).toThrow(DecodeError);
    }
    // A message cut inside its last field, and one shorter than its length says.
    expect(() => codec.decodeProtobuf(raw.slice(0, raw.length - 1), podSchema, { apiVersion: 'v1', kind: 'Pod' })).toThrow('unexpected EOF');
    expect(() => codec.decodeProtobuf(new Uint8Array([0x0a, 0x05, 0x0a]), podSchema, { apiVersion: 'v1', kind: 'Pod' })).toThrow('unexpected EOF');
    // `metadata.name` (field 1 of field 1) as a varint.
    expect(() => codec.decodeProtobuf(new Uint8Array([0x0a, 0x02, 0x08, 0x01]), podSchema, { apiVersion: 'v1', kind: 'Pod' })).toThrow(
      'proto: wrong wireType = 0',
    );
    expect(() => unwrapEnvelope(new Uint8Array([1, 2, 3, 4]))).toThrow('does not appear to be a protobuf message');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (random) => {
        try {
          codec.decodeProtobuf(random, podSchema, { apiVersion: 'v1', kind: 'Pod' });
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
    );
  });
});
