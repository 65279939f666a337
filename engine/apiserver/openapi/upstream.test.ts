/** Our documents beside the ones that upstream publishes, where its module is in the Go module cache: names, references, required lists and merge keys of all definitions. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { createOpenApiFixture } from './testing/server.ts';

const folder = join(process.env['GOMODCACHE'] ?? join(homedir(), 'go/pkg/mod'), 'k8s.io/kubernetes@v1.36.3/api/openapi-spec');
const isThere = existsSync(folder);
if (!isThere) console.log(`skipped: ${folder} is not there`);

const everywhere = /\.(DeleteOptions|WatchEvent)$/;

function withoutProse(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withoutProse);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, inner]) => key !== 'description' || typeof inner !== 'string');
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutProse(inner)]));
}

function load(path: string): JsonObject {
  return withoutProse(JSON.parse(readFileSync(join(folder, path), 'utf8')) as JsonValue) as JsonObject;
}

describe.skipIf(!isThere)('beside upstream', () => {
  const fixture = createOpenApiFixture();
  const ours = (path: string): JsonObject => JSON.parse(String(fixture.get(path)?.body)) as JsonObject;

  it('says the same of every definition both have, in version 2', () => {
    const theirs = load('swagger.json')['definitions'] as JsonObject;
    const mine = ours('/openapi/v2')['definitions'] as JsonObject;
    const common = Object.keys(theirs).filter((name) => name in mine && !everywhere.test(name));
    expect(common.length).toBeGreaterThan(750);
    for (const name of common) expect({ [name]: mine[name] }).toEqual({ [name]: theirs[name] });
  });

  it('has the paths that upstream has', () => {
    const absent = /^\/(logs|openid|\.well-known)\/|serviceaccounts\/\{name\}\/token$/;
    const theirs = Object.entries(load('swagger.json')['paths'] as JsonObject).filter(([path]) => !absent.test(path));
    const mine = ours('/openapi/v2')['paths'] as JsonObject;
    const ids = (item: JsonValue | undefined): readonly string[] =>
      Object.values((item ?? {}) as JsonObject)
        .flatMap((operation) => String((operation as JsonObject)['operationId'] ?? '') || [])
        .sort();
    for (const [path, item] of theirs) expect({ [path]: ids(mine[path]) }).toEqual({ [path]: ids(item) });
  });

  it.each([
    ['api/v1', 'api__v1'],
    ['apis/apps/v1', 'apis__apps__v1'],
    ['apis/networking.k8s.io/v1', 'apis__networking.k8s.io__v1'],
    ['apis/batch/v1', 'apis__batch__v1'],
  ])('says the same of %s in version 3', (name, file) => {
    const theirs = (load(`v3/${file}_openapi.json`)['components'] as JsonObject)['schemas'] as JsonObject;
    const mine = (ours(`/openapi/v3/${name}`)['components'] as JsonObject)['schemas'] as JsonObject;
    // A field without prose is a bare reference there; ours is never one.
    const plain = (value: JsonValue | undefined): string =>
      JSON.stringify(value, sortKeys).replaceAll(/\{"allOf":\[(\{"\$ref":"[^"]*"\})\]\}/g, '$1');
    const tokens = /authentication\.v1\./;
    for (const definition of Object.keys(theirs).filter((key) => !tokens.test(key)))
      expect(`${definition} ${plain(mine[definition])}`).toBe(`${definition} ${plain(theirs[definition])}`);
  });
});

function sortKeys(_key: string, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
