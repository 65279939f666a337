import { expect, test } from 'vitest';
import type { MessageSchema } from '../../apimachinery/schema.ts';
import { makeCustomDefinition } from './custom-definitions.ts';
import { makeDefinition } from './definitions.ts';
import { readTypes } from '../../host/type-files.ts';
import { describedIn, Descriptions, TypesFile } from './descriptions.ts';
import { dialectV3 } from './dialect.ts';

const source = `import { X } from "../x";
/** A thing. */
export interface Thing {
    /** What it is called. */
    name?: string;
    plain: number;
    /**
     * Two lines:
     *  * of text
     */
    readonly "odd-name"?: {
        [name: string]: string;
    };
}
/** Points in time. */
export type Time = string;
export interface Bare {
    __proto__?: string;
}
`;

test('types and fields have the comments that stand before them', () => {
  const types = describedIn(source);
  expect(types.get('Thing')?.text).toBe('A thing.');
  expect([...(types.get('Thing')?.fields ?? [])]).toEqual([
    ['name', 'What it is called.'],
    ['odd-name', 'Two lines:\n * of text'],
  ]);
  expect(types.get('Time')).toEqual({ text: 'Points in time.', fields: new Map() });
  expect(types.get('Bare')).toEqual({ text: '', fields: new Map() });
});

test('a type that is read alone has the comments that it has among all of its file', () => {
  for (const text of [source, ...['core', 'apps', 'batch'].map((group) => readTypes(`kubernetes-types/${group}/v1.d.ts`) ?? '')]) {
    const [file, all] = [new TypesFile(text), describedIn(text)];
    expect(all.size).toBeGreaterThan(2);
    expect(new Map(file.names.map((name) => [name, file.get(name)]))).toEqual(all);
    expect(file.get('Nothing')).toBeUndefined();
  }
});

test('a file is read once, and only when it is asked for', () => {
  const read: string[] = [];
  const descriptions = new Descriptions(
    (path) => {
      read.push(path);
      return path === 'kubernetes-types/shop/v1.d.ts' ? source : undefined;
    },
    ['kubernetes-types'],
  );
  expect(read).toEqual([]);
  expect(descriptions.of('io.k8s.api.shop.v1.Thing')?.text).toBe('A thing.');
  expect(descriptions.of('io.k8s.api.shop.v1.Other')).toBeUndefined();
  expect(descriptions.of('io.k8s.api.none.v1.Thing')).toBeUndefined();
  expect(read).toEqual(['kubernetes-types/shop/v1.d.ts', 'kubernetes-types/none/v1.d.ts']);
});

test('of two packages the first that says something is heard, field by field', () => {
  const files = new Map([
    [
      'kubernetes-models/shop.k8s.io/v1/Thing.d.ts',
      '/**\n * Newer \\*thing\\*.\n * @deprecated\n */\nexport interface IThing {\n    /**\n     * Its new name.\n     */\n    "name"?: string;\n}\n',
    ],
    ['kubernetes-models/v1/Bare.d.ts', 'export interface IBare {\n}\n'],
    ['kubernetes-types/shop/v1.d.ts', source],
  ]);
  const descriptions = new Descriptions((path) => files.get(path), ['kubernetes-models', 'kubernetes-types']);
  const { text, fields } = descriptions.of('io.k8s.api.shop.v1.Thing') ?? { fields: [] };
  expect(text).toBe('Newer *thing*.');
  expect(Object.fromEntries(fields)).toEqual({ name: 'Its new name.', 'odd-name': 'Two lines:\n * of text' });
  expect(descriptions.of('io.k8s.api.core.v1.Bare')).toEqual({ text: '', fields: new Map() });
  expect(descriptions.of('io.k8s.api.shop.v1.Time')?.text).toBe('Points in time.');
});

test('of versions that no package knows any more it is heard what is said elsewhere', () => {
  const files = new Map([
    ['kubernetes-types/shop/v1.d.ts', source],
    ['kubernetes-types/old/v1beta1.d.ts', '/** An older thing. */\nexport interface Thing {\n}\n'],
  ]);
  const descriptions = new Descriptions((path) => files.get(path), ['kubernetes-types'], {
    elsewhere: { 'shop.v1beta1': ['none.v1', 'shop.v1'], 'old.v1beta1': ['shop.v1'] },
  });
  expect(descriptions.of('io.k8s.api.shop.v1beta1.Thing')).toEqual(descriptions.of('io.k8s.api.shop.v1.Thing'));
  expect(descriptions.of('io.k8s.api.old.v1beta1.Thing')?.text).toBe('An older thing.');
  expect(descriptions.of('io.k8s.api.old.v1beta1.Thing')?.fields.get('name')).toBe('What it is called.');
  expect(descriptions.of('io.k8s.api.shop.v1beta2.Thing')).toBeUndefined();
});

test('of two packages of one form the first is heard, in the words of then', () => {
  const files = new Map([
    ['kubernetes-types-1.17/old/v1.d.ts', '/** An old thing. See /new/. */\nexport interface Thing {\n}\n'],
    ['kubernetes-types/old/v1.d.ts', '/** A thing. */\nexport interface Thing {\n    /** Its /new/ name. */\n    name: string;\n}\n'],
  ]);
  const descriptions = new Descriptions((path) => files.get(path), ['kubernetes-types-1.17', 'kubernetes-types'], { rewords: [[/new/g, 'old']] });
  expect(descriptions.of('io.k8s.api.old.v1.Thing')).toEqual({ text: 'An old thing. See /old/.', fields: new Map([['name', 'Its /old/ name.']]) });
});

test('what every object has is said of kinds that the package does not know, custom ones too', () => {
  const pod =
    '/** A pod. */\nexport interface Pod {\n    /** Which version. */\n    apiVersion?: string;\n    /** Which kind. */\n    kind?: string;\n    /** Whose. */\n    metadata?: ObjectMeta;\n}\n';
  const descriptions = new Descriptions((path) => (path === 'kubernetes-types/core/v1.d.ts' ? pod : undefined), ['kubernetes-types']);
  const schema = { type: 'object', description: 'A boat.', properties: { sail: { type: 'string', description: 'Its sail.' } } };
  const custom = makeCustomDefinition(schema, dialectV3, descriptions).schema;
  expect(custom).toMatchObject({
    description: 'A boat.',
    properties: {
      apiVersion: { description: 'Which version.', type: 'string' },
      kind: { description: 'Which kind.', type: 'string' },
      metadata: { description: 'Whose.', allOf: [{}] },
      sail: { description: 'Its sail.' },
    },
  });
  const lone: MessageSchema = { name: 'io.k8s.api.lone.v1.Boat', fields: [field('apiVersion'), field('name')] };
  const made = makeDefinition(lone.name, { dialect: dialectV3, lookup: () => lone, descriptions, listsValues: false }).schema;
  expect(made).toMatchObject({ properties: { apiVersion: { description: 'Which version.' } } });
  expect(made['description']).toBeUndefined();
});

function field(name: string): MessageSchema['fields'][number] {
  return { name, number: 1, type: 'string', card: 'one', omitEmpty: true, pointer: false };
}
