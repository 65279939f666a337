/**
 * Asks a real server: `node build/with-node.mjs test/contract/proxy/record.ts URL TOKEN ADDRESS` writes facts.json. ADDRESS is one of this
 * machine and not loopback: the API server reaches "pods" there. ../shared/peers/control-plane.sh starts one, with its controllers.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { objects, type ProxyFact, redirects, requests, routes, serverPort } from './cases.ts';

const [url = '', token = '', address = ''] = process.argv.slice(2);

const server = createServer(({ url: asked = '/' }, answer) => {
  const [path = '/'] = asked.split('?', 1);
  const location = redirects[path];
  const route = routes.find((one) => one.path === path);
  if (location !== undefined) answer.writeHead(302, { location, 'content-type': 'text/plain' }).end();
  else if (route !== undefined) answer.writeHead(route.status, { 'content-type': route.contentType }).end(route.body);
  else answer.writeHead(404, { 'content-type': 'text/plain' }).end(`no ${asked}`);
});

function ask(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<ProxyFact> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': contentType };
    const target = new URL(url);
    const call = request({ host: target.hostname, port: target.port, path, method, headers, rejectUnauthorized: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { location, 'content-type': type } = answer.headers;
        resolve({
          method,
          path,
          status: answer.statusCode ?? 0,
          ...(location === undefined ? {} : { location }),
          ...(type === undefined ? {} : { contentType: type }),
          body: Buffer.concat(chunks).toString().replaceAll(address, 'POD'),
        });
      });
    });
    call.on('error', (error) => (method === 'GET' ? resolve({ method, path, status: 0, body: error.message }) : reject(error)));
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

await new Promise<void>((resolve) => server.listen(serverPort, address, resolve));
const status = {
  phase: 'Running',
  podIP: address,
  podIPs: [{ ip: address }],
  conditions: [{ type: 'Ready', status: 'True' }],
};
for (const { path, body } of objects('somewhere')) {
  await ask('POST', path, body);
  const { name } = (body as { metadata: { name: string } }).metadata;
  if (path.endsWith('/pods') && name !== 'waiting') await ask('PATCH', `${path}/${name}/status`, { status }, 'application/merge-patch+json');
}
// Its controllers make the endpoints.
await new Promise((resolve) => setTimeout(resolve, 5_000));
const facts: ProxyFact[] = [];
for (const { method, path } of requests) facts.push(await ask(method, path));
writeFileSync(new URL('facts.json', import.meta.url), `${JSON.stringify(facts, null, 2)}\n`);
server.close();
