/** Web servers as published on Docker Hub. */
import { defineImage, type ProgramDefinition } from '../runtime/image-definition.ts';

const nginxWelcome = `<!DOCTYPE html>
<html>
<head>
<title>Welcome to nginx!</title>
<style>
html { color-scheme: light dark; }
body { width: 35em; margin: 0 auto;
font-family: Tahoma, Verdana, Arial, sans-serif; }
</style>
</head>
<body>
<h1>Welcome to nginx!</h1>
<p>If you see this page, the nginx web server is successfully installed and
working. Further configuration is required.</p>

<p>This answer comes from a simulated container of Wavetank.</p>

<p><em>Thank you for using nginx.</em></p>
</body>
</html>
`;

const nginx: ProgramDefinition = {
  startupMs: 60,
  log: [
    '/docker-entrypoint.sh: Configuration complete; ready for start up',
    '{time} [notice] 1#1: using the "epoll" event method',
    '{time} [notice] 1#1: start worker processes',
  ],
  ports: [{ port: 80, routes: [{ path: '/', status: 200, body: nginxWelcome, contentType: 'text/html' }] }],
  server: 'nginx',
  onTerm: { afterMs: 40, exitCode: 0 },
};

export const nginxImage = defineImage({
  repository: 'docker.io/library/nginx',
  sizeBytes: 72_319_283,
  entrypoint: ['/docker-entrypoint.sh'],
  cmd: ['nginx', '-g', 'daemon off;'],
  shell: true,
  folders: ['/usr/share/nginx/html', '/etc/nginx/conf.d', '/var/log/nginx', '/var/cache/nginx'],
  programs: { nginx, 'docker-entrypoint.sh': nginx },
  missingTags: ['1.161', '1.91', '1.14.22', 'doesnotexist', 'does-not-exist', 'no-such-tag', 'nonexistent', 'broken', 'bad'],
});

/** No such repository is on Docker Hub; upstream's tests count on it. */
export const missingImage = defineImage({ repository: 'docker.io/library/webserver', sizeBytes: 1, tags: [], shell: false, programs: {} });

const apache: ProgramDefinition = {
  startupMs: 80,
  log: [
    "AH00558: httpd: Could not reliably determine the server's fully qualified domain name, using {hostname}. Set the 'ServerName' directive globally to suppress this message",
    '[{time}] [mpm_event:notice] [pid 1:tid 1] AH00489: Apache/2.4.65 (Unix) configured -- resuming normal operations',
  ],
  ports: [{ port: 80, routes: [{ path: '/', status: 200, body: '<html><body><h1>It works!</h1></body></html>\n', contentType: 'text/html' }] }],
  server: 'apache',
  onTerm: { afterMs: 60, exitCode: 0 },
};

export const httpdImage = defineImage({
  repository: 'docker.io/library/httpd',
  sizeBytes: 58_703_112,
  cmd: ['httpd-foreground'],
  shell: true,
  folders: ['/usr/local/apache2/htdocs', '/usr/local/apache2/conf'],
  programs: { 'httpd-foreground': apache, httpd: apache },
});

const helloApp: ProgramDefinition = {
  startupMs: 30,
  log: ['{time} Server listening on port 8080'],
  ports: [
    { port: 8080, routes: [{ path: '*', status: 200, body: 'Hello, world!\nVersion: 1.0.0\nHostname: {hostname}\n', contentType: 'text/plain' }] },
  ],
  server: 'plain',
  onTerm: { afterMs: 20, exitCode: 2 },
};

export const helloAppImage = defineImage({
  repository: 'gcr.io/google-samples/hello-app',
  sizeBytes: 11_481_921,
  cmd: ['./hello-app'],
  shell: false,
  programs: { 'hello-app': helloApp },
});

export const hpaExampleImage = defineImage({
  repository: 'registry.k8s.io/hpa-example',
  sizeBytes: 177_512_334,
  cmd: ['apache2-foreground'],
  shell: true,
  programs: {
    'apache2-foreground': {
      ...apache,
      ports: [{ port: 80, routes: [{ path: '*', status: 200, body: 'OK!', contentType: 'text/html' }] }],
    },
  },
});
