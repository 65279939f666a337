import { describe, expect, it } from 'vitest';
import { checkText } from './check-text.ts';
import { cursorField, keysBeside } from './cursor-path.ts';
import { KindSchema, type Schema } from './schema.ts';
import { readYaml, valueOf } from './yaml-text.ts';
import { writeYaml } from './yaml-write.ts';

const container: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, image: { type: 'string' }, imagePullPolicy: { type: 'string', enum: ['Always', 'Never'] } },
};
const deployment: Schema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object', properties: { name: { type: 'string' }, labels: { type: 'object', additionalProperties: { type: 'string' } } } },
    spec: {
      allOf: [{ $ref: '#/components/schemas/Spec' }],
    },
  },
};
const spec: Schema = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    port: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
    containers: { type: 'array', items: { allOf: [{ $ref: '#/components/schemas/Container' }] } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const kind = new KindSchema(
  new Map([
    ['Spec', spec],
    ['Container', container],
  ]),
  deployment,
);
const schemas = new Map([['apps/v1/Deployment', kind]]);
const head = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n';
const said = (text: string): string[] => checkText(text, schemas).findings.map(({ line, level, text: words }) => `${line} ${level} ${words}`);

describe('a text is checked before anybody is asked', () => {
  it.each([
    ['spec:\n  replicas: 2\n  port: http\n  containers:\n  - name: c\n    image: nginx\n  free: {any: thing}\n', []],
    ['spec:\n  replica: 2\n', ['5 error There is no field spec.replica; replicas is one.']],
    ['spec:\n  replicas: two\n', ['5 error spec.replicas takes integer.']],
    ['spec:\n  containers:\n  - image: 5\n', ['6 warning spec.containers[0] lacks name.', '6 error spec.containers[0].image takes string.']],
    ['spec:\n  containers: [{name: c, imagePullPolicy: Sometimes}]\n', ['5 error spec.containers[0].imagePullPolicy is one of Always, Never.']],
    ['spec:\n  replicas: 12345678901234567890\n', ['5 error This number is too large to be kept exactly.']],
    ['spec: [1]\n', ['4 error spec takes object.']],
    ['spec: null\nconstructor: 1\n', ['5 error There is no field constructor.']],
  ] as const)('%j', (text, findings) => expect(said(head + text)).toEqual([...said(head), ...findings].toSorted()));

  it('bad YAML says its line, in the document that has it', () => {
    const checked = checkText(`${head}---\nkind: [\n---\n${head}`, schemas);
    expect(checked.findings.map(({ line }) => line)).toEqual(expect.arrayContaining([6]));
    expect(checked.manifests.map(({ name, line }) => [name, line])).toEqual([
      ['web', 1],
      ['', expect.any(Number)],
      ['web', expect.any(Number)],
    ]);
  });

  it('no object, no kind, and aliases that stand for millions are told', () => {
    expect(said('- a\n')).toEqual(['1 error A document is an object with apiVersion, kind and metadata.']);
    expect(said('metadata: {}\n')).toEqual(['1 error apiVersion is missing.', '1 error kind is missing.']);
    expect(said('')).toEqual([]);
    const bomb = Array.from(
      { length: 12 },
      (_, index) =>
        `a${index}: &a${index} [${Array(9)
          .fill(index === 0 ? 'x' : `*a${index - 1}`)
          .join(',')}]`,
    ).join('\n');
    expect(said(bomb)).toEqual(['1 error Its aliases stand for more than can be meant.']);
  });

  it('values mean what they mean to an API server', () => {
    const value = (text: string) => valueOf(readYaml(`v: ${text}`).documents[0] as never);
    for (const [text, v] of [
      ['12:30:45', '12:30:45'],
      ['2026-01-05', '2026-01-05'],
      ['yes', true],
      ['0644', 420],
      ['"yes"', 'yes'],
    ] as const)
      expect(value(text)).toEqual({ v });
    for (const v of ['yes', 'off', '0644', '12:30', '~', 'null', '1e3', '2026-01-05', '- a', 'a: b', '#x', ' x', '\u202ex\u0000'])
      expect(valueOf(readYaml(writeYaml({ v })).documents[0] as never)).toEqual({ v });
  });
});

it('fields that stand beside a place already are not offered again; those of other elements and maps are', () => {
  const lines = 'spec:\n  a: 1\n  list:\n  - name: x\n    image: y\n    \n    env:\n      deep: 1\n  - other: z\n  b: 2\n---\nkind: X'.split('\n');
  expect([...keysBeside(lines, 5, 4)].toSorted()).toEqual(['env', 'image', 'name']);
  expect([...keysBeside(lines, 1, 2)].toSorted()).toEqual(['b', 'list']);
  expect([...keysBeside(lines, 0, 0)]).toEqual([]);
});

describe('the field at a place', () => {
  const text =
    'kind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n      - name: c\n        ima\n      - env:\n          - name: A\n            value: x\n  args: |\n    like: this\n\n  ';
  const lines = text.split('\n');
  const at = (row: number, column = lines[row]?.length ?? 0) => cursorField(lines, row, column);
  it.each([
    [0, { parent: [], key: 'kind', inValue: true, value: 'Deployment' }],
    [2, { parent: ['spec'], key: 'template', inValue: true, value: '' }],
    [5, { parent: ['spec', 'template', 'spec', 'containers', 0], key: 'name', inValue: true, value: 'c' }],
    [6, { parent: ['spec', 'template', 'spec', 'containers', 0], key: 'ima', inValue: false, value: '' }],
    [9, { parent: ['spec', 'template', 'spec', 'containers', 0, 'env', 0], key: 'value', inValue: true, value: 'x' }],
    [11, undefined],
    [13, { parent: ['spec'], key: '', inValue: false, value: '' }],
  ] as const)('row %i', (row, field) => {
    if (field === undefined) expect(at(row)).toBeUndefined();
    else expect(at(row)).toMatchObject(field);
  });
});
