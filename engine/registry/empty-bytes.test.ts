import { expect, test } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { withEmptyBytes, withoutEmptyBytes } from './empty-bytes.ts';

const kind = {
  emptyBytes: [
    ['hooks', 'config', 'ca'],
    ['status', 'certificate'],
  ],
};

function made(fields: object): KubeObject {
  return { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, ...fields };
}

const config = { url: 'x' };
const bare = made({ hooks: [{ name: 'a', config }, { name: 'b', config }] }); // biome-ignore format: one line

test('bytes of which there are none are stored where they were sent, item by item by name, and never read', () => {
  const sent = made({ hooks: [{ name: 'b', config: { url: 'x', ca: '' } }], status: { certificate: '' } });
  const stored = withEmptyBytes(bare, kind, { subresource: undefined, sent }, undefined);
  expect(stored).toEqual(made({ hooks: [{ name: 'a', config }, { name: 'b', config: { url: 'x', ca: '' } }] })); // biome-ignore format: one line
  expect(withoutEmptyBytes(stored, kind)).toEqual(bare);
  expect(withoutEmptyBytes(bare, kind)).toBe(bare);
});

test('a write of one part leaves what is stored of the other', () => {
  const stored = made({ hooks: [{ name: 'a', config: { ca: '' } }] });
  const ofStatus = { subresource: 'status', sent: made({ status: { certificate: '' } }) };
  expect(withEmptyBytes(bare, kind, ofStatus, stored)).toEqual(
    made({ hooks: [{ name: 'a', config: { url: 'x', ca: '' } }, { name: 'b', config }], status: { certificate: '' } }), // biome-ignore format: one line
  );
  expect(withEmptyBytes(bare, kind, { subresource: 'approval' }, made({ status: { certificate: '' } }))).toEqual(
    made({ hooks: [{ name: 'a', config }, { name: 'b', config }], status: { certificate: '' } }), // biome-ignore format: one line
  );
  expect(withEmptyBytes(bare, kind, { subresource: undefined }, stored)).toBe(bare);
});
