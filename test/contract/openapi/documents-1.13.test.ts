/** What this server says of itself under release 1.13: all but words is what a real 1.13.12 says, in its form and order (`documents-1.13.json`). */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../engine/base/json.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { readTypes } from '../../../engine/host/type-files.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { sumsOf113 } from './documents-1.13.ts';
import recorded from './documents-1.13.json' with { type: 'json' };

let tank: TestCluster;

function text(path: string): string {
  const answer = tank.door.serveAtOnce({ method: 'GET', path, query: '', headers: {}, body: new Uint8Array(), identity: adminIdentity });
  if (!('body' in answer)) throw new Error(`no document ${path}`);
  const chunks = typeof answer.body === 'string' || answer.body instanceof Uint8Array ? [answer.body] : [...answer.body];
  return Buffer.concat(chunks.map((one) => Buffer.from(one as string))).toString();
}

beforeAll(async () => {
  tank = await aCluster({ nodes: 0, release: '1.13' }, { readTypes });
});

describe('the document of OpenAPI v2', () => {
  it('says what the real server says', () => {
    expect(sumsOf113(JSON.parse(text('/openapi/v2')) as JsonObject)).toEqual(recorded);
  });

  it('has each value on a line of its own', () => {
    expect(text('/openapi/v2')).toMatch(/^\{\n  "swagger": "2.0",\n  "info": {\n   "title": "Kubernetes",\n   "version": "v1\.13\.12"\n/);
  });

  it('has nothing of custom resources', async () => {
    tank.call('POST', '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1beta1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'boats.sea.example.com' },
      spec: { group: 'sea.example.com', version: 'v1', scope: 'Namespaced', names: { plural: 'boats', kind: 'Boat' } },
    });
    await tank.advance(10_000);
    expect(text('/apis/sea.example.com/v1')).toContain('boats');
    expect(text('/openapi/v2')).not.toContain('sea.example.com');
  });
});
