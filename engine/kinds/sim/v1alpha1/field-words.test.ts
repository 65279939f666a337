import { expect, test } from 'vitest';
import type { KindDefinition } from '../../../contracts/kind.ts';
import { faultKind } from './fault.ts';
import { imageProfileKind } from './image-profile.ts';
import { nodePoolKind } from './node-pool.ts';
import { scenarioKind } from './scenario.ts';
import { scenarioRunKind } from './scenario-run.ts';

const ofEveryObject = ['kind', 'apiVersion', 'metadata'];

test.each([faultKind, imageProfileKind, nodePoolKind, scenarioKind, scenarioRunKind] as unknown as readonly KindDefinition[])(
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
