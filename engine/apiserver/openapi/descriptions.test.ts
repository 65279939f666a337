import { expect, test } from 'vitest';
import type { MessageSchema } from '../../apimachinery/schema.ts';
import { makeCustomDefinition } from './custom-definitions.ts';
import { makeDefinition } from './definitions.ts';
import { describedIn, Descriptions } from './descriptions.ts';
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

test('a file is read once, and only when it is asked for', () => {
  const read: string[] = [];
  const descriptions = new Descriptions((path) => {
    read.push(path);
    return path === 'shop/v1.d.ts' ? source : undefined;
  });
  expect(read).toEqual([]);
  expect(descriptions.of('io.k8s.api.shop.v1.Thing')?.text).toBe('A thing.');
  expect(descriptions.of('io.k8s.api.shop.v1.Other')).toBeUndefined();
  expect(descriptions.of('io.k8s.api.none.v1.Thing')).toBeUndefined();
  expect(read).toEqual(['shop/v1.d.ts', 'none/v1.d.ts']);
});

test('what every object has is said of kinds that the package does not know, custom ones too', () => {
  const pod =
    '/** A pod. */\nexport interface Pod {\n    /** Which version. */\n    apiVersion?: string;\n    /** Which kind. */\n    kind?: string;\n    /** Whose. */\n    metadata?: ObjectMeta;\n}\n';
  const descriptions = new Descriptions((path) => (path === 'core/v1.d.ts' ? pod : undefined));
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
