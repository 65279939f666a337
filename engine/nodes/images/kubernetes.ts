/** Images of the Kubernetes project that its documentation and tests use. */
import { answerConversion } from './agnhost-conversion.ts';
import { answerNetexec } from './agnhost-netexec.ts';
import { porterPort } from './agnhost-porter.ts';
import { logsScript, mounttestScript, wordsOfResolver } from './agnhost-scripts.ts';
import { answerWebhook } from './agnhost-webhook.ts';
import { defineImage, type HttpRoute, type ProgramDefinition } from '../runtime/image-definition.ts';

const pause: ProgramDefinition = { onTerm: { afterMs: 5, exitCode: 0 } };

export const pauseImage = defineImage({
  repository: 'registry.k8s.io/pause',
  sizeBytes: 320_448,
  entrypoint: ['/pause'],
  shell: false,
  programs: { pause },
});

const healthy: HttpRoute = { path: '/healthz', status: 200, body: 'ok' };

/** What nobody looks into. */
const simulatedFile = 'simulated\n';

/** `agnhost` by its first argument is resolved in `resolve.ts`: the program is `agnhost <subcommand>`. */
export const agnhostImage = defineImage({
  repository: 'registry.k8s.io/e2e-test-images/agnhost',
  sizeBytes: 51_706_353,
  entrypoint: ['/agnhost'],
  cmd: ['pause'],
  shell: true,
  files: { '/localhost.crt': simulatedFile, '/localhost.key': simulatedFile },
  programs: {
    agnhost: { log: ['Paused'], onTerm: { afterMs: 5, exitCode: 0 } },
    'agnhost pause': { log: ['Paused'], onTerm: { afterMs: 5, exitCode: 0 } },
    'agnhost netexec': {
      startupMs: 20,
      log: ['Started HTTP server on port {--http-port=8080}', 'Started UDP server on port  {--udp-port=8081}'],
      ports: [
        {
          port: 8080,
          argument: '--http-port',
          respond: answerNetexec,
          routes: [
            healthy,
            { path: '/hostname', status: 200, body: '{hostname}' },
            { path: '/hostName', status: 200, body: '{hostname}' },
            { path: '/redirect', status: 302, body: '', redirectsTo: 'location' },
            { path: '*', status: 200, body: 'NOW: {time}' },
          ],
        },
      ],
      server: 'agnhost',
      onTerm: { afterMs: 10, exitCode: 0 },
    },
    'agnhost serve-hostname': {
      startupMs: 10,
      log: ['Serving on port {--port=9376}.'],
      ports: [{ port: 9376, argument: '--port', routes: [{ path: '*', status: 200, body: '{hostname}' }] }],
      server: 'agnhost',
      onTerm: { afterMs: 10, exitCode: 0 },
    },
    'agnhost liveness': {
      startupMs: 10,
      ports: [
        {
          port: 8080,
          routes: [
            { path: '/healthz', status: 200, body: 'ok', failAfterMs: 10_000 },
            { path: '/started', status: 200, body: '10s' },
            { path: '/redirect', status: 302, body: '', redirectsTo: 'loc' },
          ],
        },
      ],
      server: 'agnhost',
      onTerm: { afterMs: 10, exitCode: 2 },
    },
    'agnhost grpc-health-checking': {
      startupMs: 10,
      ports: [
        { port: 5000, argument: '--port', grpc: [{ service: '', status: 'SERVING' }] },
        { port: 8080, argument: '--http-port', routes: [{ path: '/make-serving', status: 200, body: '' }] },
      ],
      server: 'agnhost',
      onTerm: { afterMs: 10, exitCode: 2 },
    },
    'agnhost webhook': {
      startupMs: 20,
      ports: [{ port: 443, argument: '--port', respond: answerWebhook }],
      server: 'agnhost',
      onTerm: { afterMs: 10, exitCode: 2 },
    },
    'agnhost crd-conversion-webhook': {
      startupMs: 20,
      ports: [{ port: 443, argument: '--port', respond: answerConversion }],
      server: 'agnhost',
      onTerm: { afterMs: 10, exitCode: 2 },
    },
    'agnhost porter': { startupMs: 10, listens: porterPort, server: 'agnhost', onTerm: { afterMs: 10, exitCode: 2 } },
    'agnhost entrypoint-tester': { log: ['[/agnhost {args}]'], exitAfterMs: 5 },
    'agnhost-2 entrypoint-tester': { log: ['[/agnhost-2 {args}]'], exitAfterMs: 5 },
    'agnhost etc-hosts': { script: () => 'cat /etc/hosts; echo' },
    'agnhost dns-suffix': { script: () => wordsOfResolver('search') },
    'agnhost dns-server-list': { script: () => wordsOfResolver('nameserver') },
    'agnhost mounttest': { script: mounttestScript },
    'agnhost logs-generator': { script: logsScript },
    'agnhost test-webserver': {
      startupMs: 10,
      ports: [{ port: 80, argument: '--port', folder: '/' }],
      server: 'agnhost',
      onTerm: { afterMs: 10, exitCode: 2 },
    },
  },
});

/** Upstream's image of a picture, which pods mount as a volume. */
export const kittenImage = defineImage({
  repository: 'registry.k8s.io/e2e-test-images/kitten',
  sizeBytes: 6_000_000,
  shell: true,
  files: {
    '/data.json': '{\n  "image": "kitten.jpg"\n}\n',
    '/etc/os-release': 'NAME="Alpine Linux"\nID=alpine\nPRETTY_NAME="Alpine Linux (simulated)"\n',
  },
  programs: {},
  anyCommand: true,
});

export const livenessImage = defineImage({
  repository: 'registry.k8s.io/liveness',
  sizeBytes: 1_977_220,
  cmd: ['/server'],
  shell: false,
  programs: {
    server: {
      ports: [{ port: 8080, routes: [{ path: '/healthz', status: 200, body: 'ok', failAfterMs: 10_000 }] }],
      server: 'plain',
      onTerm: { afterMs: 10, exitCode: 2 },
    },
  },
});
