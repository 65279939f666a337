/** Objects in protobuf have the bytes of a real 1.13.12, but for what is drawn (binary.jsonl.gz, written by record-binary.ts); sent as these bytes they come back so. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { formatGroupVersion } from '../../../engine/apimachinery/object.ts';
import { kinds } from '../../../engine/kinds/index.gen.ts';
import { aCluster } from '../../support/cluster.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { type Ask, asker } from '../seeds-client.ts';
import { binaryCases, options, protobuf, undrawn } from './binary.ts';

const facts = gunzipSync(readFileSync(join(import.meta.dirname, 'binary.jsonl.gz')))
  .toString()
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as { readonly id: string; readonly again: number; readonly bytes: string });
const cases = new Map(binaryCases(new Set(kinds.map((kind) => `${formatGroupVersion(kind)} ${kind.plural}`))).map((one) => [one.id, one]));
let ask: Ask;
const identity = { ...adminIdentity, name: 'admin', uid: 'admin' };

beforeAll(async () => {
  const made = await aCluster({ seed: 1, nodes: 0, release: '1.13', options });
  ask = asker(made);
  // Claims that name no class get none, as where nobody provides one.
  ask('DELETE', '/apis/storage.k8s.io/v1/storageclasses/standard');
});

it.each(facts)('$id', ({ id, again: code, bytes }) => {
  const given = cases.get(id);
  expect(given, 'the object is still there to be asked for').toBeDefined();
  const real = Buffer.from(bytes, 'base64');
  const { path = '', body } = given ?? {};
  const answer = ask('POST', path, { body, accept: protobuf, identity });
  expect(answer.status, answer.text).toBe(201);
  expect(undrawn(answer.bytes)).toBe(undrawn(real));
  const again = ask('POST', path, { bytes: real, type: protobuf, accept: protobuf, identity });
  expect(again.status, again.text).toBe(code);
  if (code === 201) expect(undrawn(again.bytes)).toBe(undrawn(real));
});
