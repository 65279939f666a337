import { expect, test } from 'vitest';
import { kinds } from '../../index.gen.ts';

const ofEveryObject = ['kind', 'apiVersion', 'metadata'];

test.each(kinds.filter(({ group }) => group === 'sim.wavetank.dev'))(
  '$kind and each of its fields say what they are for',
  ({ schema, schemas = [] }) => {
    if (typeof schema === 'string') throw new Error('its schema is its own');
    const all = [schema, ...schemas];
    expect(all.filter(({ description = '' }) => description === '').map(({ name }) => name)).toEqual([]);
    const silent = all.flatMap(({ name, fields }) =>
      fields.filter((field) => !ofEveryObject.includes(field.name) && (field.description ?? '') === '').map((field) => `${name}.${field.name}`),
    );
    expect(silent).toEqual([]);
  },
);
