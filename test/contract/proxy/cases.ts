/** Requests through the proxies of pods and services, and what is kept of answers. */

/** The pods' server listens there, on the peer at an address of the machine, here in a simulated container. */
export const serverPort = 21_180;

export interface ProxyRequest {
  readonly method: string;
  readonly path: string;
}

export interface ProxyFact extends ProxyRequest {
  readonly status: number;
  readonly location?: string;
  readonly contentType?: string;
  readonly body: string;
}

const namespace = '/api/v1/namespaces/default';
const container = { name: 'c', image: 'acme/web', ports: [{ name: 'web', containerPort: serverPort }] };

interface Made {
  readonly path: string;
  readonly body: object;
}

/** `node`: where pods run, or nothing where a test plays their kubelet. */
export function objects(nodeName: string | undefined): readonly Made[] {
  const pod = (name: string, spec: object, labels = {}): Made => ({
    path: `${namespace}/pods`,
    body: { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec: { ...spec } },
  });
  const service = (name: string, spec: object): Made => ({
    path: `${namespace}/services`,
    body: { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec },
  });
  const on = nodeName === undefined ? {} : { nodeName };
  const selector = { app: 'web' };
  return [
    pod('web', { ...on, containers: [container] }, selector),
    pod('bare', { ...on, containers: [{ name: 'c', image: 'acme/web' }] }),
    pod('waiting', { containers: [container], schedulingGates: [{ name: 'example.com/later' }] }),
    service('named', { selector, ports: [{ name: 'http', port: 80, targetPort: serverPort }] }),
    service('plain', { selector, ports: [{ port: 80, targetPort: serverPort }] }),
    service('two', {
      selector,
      ports: [
        { name: 'good', port: 80, targetPort: 'web' },
        { name: 'bad', port: 81, targetPort: 1 },
      ],
    }),
    service('empty', { selector: { app: 'nobody' }, ports: [{ port: 80 }] }),
    service('elsewhere', { type: 'ExternalName', externalName: 'example.com', ports: [{ port: 80 }] }),
    service('unselected', { ports: [{ port: 80 }] }),
  ];
}

/** What the pods' server answers, by path without the query. */
export const routes: readonly { readonly path: string; readonly status: number; readonly contentType: string; readonly body: string }[] = [
  { path: '/', status: 200, contentType: 'text/plain', body: 'root' },
  { path: '/hello', status: 200, contentType: 'text/plain', body: 'hello' },
  { path: '/folder/', status: 200, contentType: 'text/plain', body: 'folder' },
  { path: '/json', status: 200, contentType: 'application/json', body: '{"href":"/hello"}' },
  { path: '/broken', status: 500, contentType: 'text/plain', body: 'broken' },
  {
    path: '/page',
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body: `<!DOCTYPE html><HTML><head><script src=/a.js>if (a<b) document.write('<a href="/no">')</script><!-- <a href="/no"> --></head><body CLASS='x'>
<a href="/rewriteme">one</a> <A HREF='relative/x?y=1&amp;z=2' id=i>two</A> <a href="http://example.com/far">three</a> <img src="/p.png"/> <form action="/go?x=1"><input disabled></form>
<a href="/dir/">four</a> <a title="/title" href="">five</a> 1 < 2 & <br/> </body></HTML>`,
  },
  { path: '/weird', status: 418, contentType: 'text/plain', body: 'teapot' },
  { path: '/nothing', status: 204, contentType: 'text/plain', body: '' },
];

/** Path → where it leads. */
export const redirects: { readonly [path: string]: string } = {
  '/moved': '/hello',
  '/moved-folder': '/folder/',
  '/moved-near': 'near/by',
  '/moved-far': 'http://example.com/far?x=1#y',
};

const ofPods = ['web', `web:${serverPort}`, `http:web:${serverPort}`, `:web:${serverPort}`];

export const requests: readonly ProxyRequest[] = [
  ...ofPods.flatMap((name) => ['', '/', '/hello', '/hello?x=1&y=%20'].map((path) => get('pods', name, path))),
  ...[
    '?x=1',
    '//hello',
    '/folder/',
    '/folder',
    '/json',
    '/broken',
    '/page',
    '/page?from=/x',
    '/weird',
    '/nothing',
    '/none',
    '/hello%2Fx',
    '/a/../hello',
  ].map((path) => get('pods', `web:${serverPort}`, path)),
  ...Object.keys(redirects).map((path) => get('pods', `web:${serverPort}`, path)),
  ...[
    'none',
    'none:80',
    'waiting',
    'waiting:80',
    `ftp:web:${serverPort}`,
    'a:b:c:d',
    `:${serverPort}`,
    'web:1',
    'web:nosuch',
    'web:web',
    'web:70000',
    'web:-1',
    'web:0',
    'web:',
    'bare',
    'HTTP:web:80',
  ].flatMap((name) => [get('pods', name, '/hello')]),
  get('pods', 'none', ''),
  get('pods', 'waiting', ''),
  get('pods', 'web:1', ''),
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].flatMap((method) => [
    { method, path: `${namespace}/pods/web/proxy/hello` },
    { method, path: `${namespace}/pods/web/proxy` },
    { method, path: `${namespace}/services/named:http/proxy/hello` },
  ]),
  get('pods', 'web', '/hello?dryRun=All'),
  ...['named', 'named:http', 'named:80', 'http:named:http', 'http:named:80', 'named:nosuch', 'named:81', 'ftp:named:80', 'a:b:c:d', ':80'].map(
    (name) => get('services', name, '/hello'),
  ),
  ...['plain', 'plain:', 'plain:80', 'http:plain:', 'plain:81'].map((name) => get('services', name, '/hello')),
  ...['two', 'two:good', 'two:bad', 'two:80', 'two:81'].map((name) => get('services', name, '/hello')),
  ...['empty', 'empty:80', 'empty:81', 'elsewhere', 'elsewhere:80', 'unselected', 'unselected:80', 'none', 'none:80', 'none:http'].map((name) =>
    get('services', name, '/hello'),
  ),
  ...['', '/', '/page', '/moved', '/moved-folder', '?x=1'].map((path) => get('services', 'plain', path)),
];

function get(resource: string, name: string, path: string): ProxyRequest {
  return { method: 'GET', path: `${namespace}/${resource}/${name}/proxy${path}` };
}
