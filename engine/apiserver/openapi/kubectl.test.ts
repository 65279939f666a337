/** The real kubectl reads the documents: explain, validation, dry run. Skipped where there is none. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDefaultCodec } from '../default-codec.ts';
import { enterNow } from '../../registry/testing/serve-now.ts';
import { HttpApi } from '../http.ts';
import type { HttpResponse } from '../http-types.ts';
import { createOpenApiFixture } from './testing/server.ts';

const candidates = [process.env['KUBECTL'] ?? '', join(homedir(), '.cache/wavetank-peers/bin/kubectl'), '/usr/bin/kubectl'];
const kubectl = candidates.find((path) => path !== '' && existsSync(path));
if (kubectl === undefined) console.log('skipped: no kubectl; name one in KUBECTL');

interface Outcome {
  readonly out: string;
  readonly error: string;
}

describe.skipIf(kubectl === undefined)('kubectl', () => {
  const { server, documents, schemas } = createOpenApiFixture();
  const api = new HttpApi({ server, codec: createDefaultCodec(schemas), schemas, documents });
  const home = mkdtempSync(join(tmpdir(), 'wavetank-openapi-'));
  let listener: Server;

  beforeAll(async () => {
    listener = createServer((request, response) => {
      const [path = '', query = ''] = (request.url ?? '').split('?');
      void buffer(request).then((body) => {
        const asked = {
          method: request.method ?? 'GET',
          path,
          query,
          headers: request.headers,
          body,
          identity: { name: 'admin', groups: ['system:masters'] },
        };
        const answer: HttpResponse = api.handle(asked, enterNow(server.registry));
        if (!('body' in answer)) return response.destroy();
        response.writeHead(answer.status, answer.headers as Record<string, string>);
        const chunks = typeof answer.body === 'string' || answer.body instanceof Uint8Array ? [answer.body] : answer.body;
        for (const chunk of chunks) response.write(chunk);
        return response.end();
      });
    });
    await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => {
    listener.closeAllConnections();
    listener.close();
    rmSync(home, { recursive: true, force: true });
  });

  function run(args: readonly string[], input = ''): Promise<Outcome> {
    const port = (listener.address() as AddressInfo).port;
    return new Promise((resolve) => {
      const child = execFile(
        kubectl ?? '',
        ['--server', `http://127.0.0.1:${String(port)}`, ...args],
        { env: { HOME: home, PATH: '' } },
        (_failure, out, error) => resolve({ out, error }),
      );
      child.stdin?.end(input);
    });
  }

  it.each<[string, readonly string[]]>([
    ['pod.spec.containers', ['FIELD: containers <[]Container>', 'name\t<string> -required-', 'ports\t<[]ContainerPort>']],
    ['deployment.spec.strategy.rollingUpdate.maxSurge', ['FIELD: maxSurge <IntOrString>']],
    ['nodepool.spec', ['GROUP:      sim.wavetank.dev', 'taints\t<[]Taint>', 'count\t<integer>']],
  ])('explains %s', async (path, expected) => {
    const { out } = await run(['explain', path]);
    for (const text of expected) expect(out).toContain(text);
  });

  it('explains from version 2, too', async () => {
    expect((await run(['explain', 'cronjob.spec', '--output=plaintext-openapiv2'])).out).toContain('schedule\t<string> -required-');
  });

  it('validates, tries out and applies', async () => {
    const text = (extra: object): string =>
      JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', namespace: 'default' }, ...extra });
    expect((await run(['apply', '--validate=strict', '-f', '-'], text({ dta: {} }))).error).toContain('unknown field "dta"');
    expect((await run(['apply', '--dry-run=server', '-f', '-'], text({ data: { a: 'b' } }))).out).toContain('configmap/a created (server dry run)');
    expect((await run(['apply', '-f', '-'], text({ data: { a: 'b' } }))).out).toContain('configmap/a created');
    expect((await run(['apply', '-f', '-'], text({ data: { a: 'c' } }))).out).toContain('configmap/a configured');
  });
});
