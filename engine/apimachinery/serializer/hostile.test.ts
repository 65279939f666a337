/** Documents made to hurt: what they may cost is bounded before anything walks them, and what is accepted can be written again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson, encodeJson, jsonDepthMax } from './json.ts';
import { indentJson } from './json-indent.ts';
import { decodeFirstYaml, decodeYaml, encodeYaml } from './yaml.ts';

const many = 200_000;
const nested = (open: string, close: string, depth: number, inner = ''): string => open.repeat(depth) + inner + close.repeat(depth);

describe('hostile JSON', () => {
  it('is read and written at the deepest level allowed, and refused a level deeper', () => {
    for (const [open, close, inner] of [
      ['[', ']', '1'],
      ['{"a":', '}', '1'],
      ['{"1":', '}', '12345678901234567890'],
    ] as const) {
      const text = nested(open, close, jsonDepthMax, inner);
      const { value } = decodeJson(text);
      expect(encodeJson(value)).toBe(text);
      expect(decodeJson(indentJson(text)).value).toEqual(value);
      expect(decodeYaml(encodeYaml(value)).value).toEqual(value);
      expect(() => decodeJson(nested(open, close, jsonDepthMax + 1, inner))).toThrow(`invalid character '${open[0]}' exceeded max depth`);
    }
    expect(() => decodeJson('['.repeat(1_000_000))).toThrow('exceeded max depth');
  });

  it('names a hundred duplicates of many, each once', () => {
    const deep = nested('{"a":', '}', jsonDepthMax - 1, `{${Array.from({ length: many }, () => '"k":1').join(',')}}`);
    expect(decodeJson(deep).duplicates).toHaveLength(1);
    const wide = `[${Array.from({ length: many }, () => '{"k":1,"k":2}').join(',')}]`;
    expect(decodeJson(wide).duplicates).toHaveLength(100);
  });

  it('refuses numbers that no double holds, and reads endless digits in no more time than their length', () => {
    expect(() => decodeJson('{"a":1e400}')).toThrow('json: cannot unmarshal number 1e400 into Go value of type float64');
    expect(() => decodeJson(`{"a":${'1'.repeat(3_000_000)}}`)).toThrow('into Go value of type float64');
    expect(decodeJson(`{"a":${'1'.repeat(300)}}`).value).toEqual({ a: 1.1111111111111112e299 });
  });

  it('finds the end of a text of escapes', () => {
    const text = JSON.stringify({ a: '"\\'.repeat(500_000), n: 1 });
    expect(encodeJson(decodeJson(text).value)).toBe(text);
    expect(encodeJson(decodeJson(text.replace('"n":1', '"n":12345678901234567890')).value)).toContain('12345678901234567890');
  });
});

describe('hostile YAML', () => {
  // Put to a real server of release 1.36.
  it.each([
    ['a: 1\n---\nb: 2\n', { a: 1 }],
    ['---\na: 1\n---\nb: [\n', { a: 1 }],
    ['# c\n\n---\na: 1\n', { a: 1 }],
    ['%YAML 1.1\n---\na: 1\n', { a: 1 }],
    ['--- {a: 1}\n---\nx', { a: 1 }],
    ['---\n---\na: 1\n', null],
    ['a: 1\n...\nrubbish: [\n', { a: 1 }],
    ['a: 1\n--- x: y\n', { a: 1 }],
    ['a: |\n  x\n---\n  b: y\n', { a: 'x\n' }],
    ['a: {b: c}\n---a: b\n', { a: { b: 'c' }, '---a': 'b' }],
    ['a: "b\n ---\n c"\n', { a: 'b --- c' }],
    ['a: 1\r\n---\r\nb: [', { a: 1 }],
  ])('of several documents the first is read: %j', (text, value) => {
    expect(decodeFirstYaml(text).value).toEqual(value);
  });

  it('a text in quotes does not go on behind the end of its document', () => {
    expect(() => decodeFirstYaml('a: "x\n---\ny"\n')).toThrow('yaml: line 2: ');
  });

  it('costs what its first document costs, however many stand behind it, each with aliases', () => {
    const heavy = `---\na: &a [${'x,'.repeat(9)}x]\nb: &b [${'*a,'.repeat(9)}*a]\nc: &c [${'*b,'.repeat(9)}*b]\nd: [${'*c,'.repeat(9)}*c]\n`;
    expect(decodeFirstYaml(`a: 1\n${heavy.repeat(25_000)}`).value).toEqual({ a: 1 });
    expect(decodeFirstYaml(`${'# comment\n'.repeat(200_000)}---\na: 1\n${'---\n'.repeat(200_000)}`).value).toEqual({ a: 1 });
    expect(() => decodeYaml(heavy.repeat(2_000))).toThrow('expected a single document');
  });

  it('answers aliases of aliases as go-yaml does, whatever they would unfold to', () => {
    const names = 'abcdefghijklmnop';
    const lines = [...names].map((name, i) =>
      i === 0
        ? `a: &a ["lol"${',"lol"'.repeat(8)}]`
        : `${name}: &${name} [${Array(9)
            .fill(`*${names[i - 1]}`)
            .join(',')}]`,
    );
    expect(() => decodeYaml(lines.join('\n'))).toThrow('document contains excessive aliasing');
    expect(() => decodeYaml(`a: &a "${'x'.repeat(100_000)}"\nb: [${Array(99).fill('*a').join(',')}]`)).toThrow('excessive aliasing');
    expect(decodeYaml('a: &a {k: v}\nb: [*a, *a]').value).toEqual({ a: { k: 'v' }, b: [{ k: 'v' }, { k: 'v' }] });
  });

  it('refuses anchors that contain themselves, and nesting without end', () => {
    expect(() => decodeYaml('a: &a [*a]')).toThrow('contains itself');
    for (const open of ['[', '{a: ', '- ', '? ']) expect(() => decodeYaml(open.repeat(many))).toThrow('nesting exceeded maxDepth');
    expect(() => decodeYaml(Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'))).toThrow('nesting exceeded maxDepth');
  });

  it('takes keys for what they are', () => {
    const { value } = decodeYaml('__proto__: 1\nconstructor: 2\ntoString: {a: 1}\n');
    expect(Object.entries(value as object)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
      ['toString', { a: 1 }],
    ]);
    expect(encodeYaml(value)).toBe('__proto__: 1\nconstructor: 2\ntoString:\n  a: 1\n');
  });

  it('is read as it was written, whatever a value holds', () => {
    const words = [
      'a\nb',
      ' a\nb\n',
      'a\n\n',
      '\n',
      '',
      '~',
      'yes',
      '1:30',
      '2020-01-01',
      'a: b',
      '- a',
      '1e3',
      '0x10',
      '#',
      '\ta',
      'x'.repeat(1_100),
    ];
    const text = fc.oneof(fc.string(), fc.constantFrom(...words, 'null', '.5', '=', '<<', '!', '1_000', '%', '@a', '? a', '\r\n', '\u2028'));
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constantFrom(null, 12345678901234567890n, 0.5),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(text, tie('node'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(node, (value) => {
        expect(decodeYaml(encodeYaml(value)).value).toEqual(value);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

describe('YAML that is none', () => {
  it.each([
    ['quotation marks without end', `[a${'"\\'.repeat(200_000)}`],
    ['anchors that nobody refers to', `${Array.from({ length: 50_000 }, (_, i) => `k${i}: &x${i} 1`).join('\n')}\na: &a [*a]`],
    [
      'a key of nothing before aliases of aliases',
      `${['a: &a [1,1]', ...'bcdefghijklmnopqrstuvwxyz'].map((name, i, all) => (i === 0 ? name : `${name}: &${name} [*${i === 1 ? 'a' : all[i - 1]},*${i === 1 ? 'a' : all[i - 1]}]`)).join('\n')}\n~: *z`,
    ],
    [
      'lists as keys, of aliases of aliases',
      `${['a: &a [1,1]', ...'bcdefghijklmnopqrstuvwxyz'].map((name, i, all) => (i === 0 ? name : `${name}: &${name} [*${i === 1 ? 'a' : all[i - 1]},*${i === 1 ? 'a' : all[i - 1]}]`)).join('\n')}\n? *z\n: 1`,
    ],
    ['keys given twice, each of which is told', 'a: 1\n'.repeat(100_000)],
  ])('costs no more than its length: %s', (_, text) => {
    const told = (): string => {
      try {
        return decodeYaml(text).duplicates.join('');
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(told().length).toBeLessThan(20_000);
  });
});
