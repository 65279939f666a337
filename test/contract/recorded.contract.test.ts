/**
 * Release 1.13 against what a real 1.13.12 answered (shared/testdata/release-1.13): discovery, documents, columns, objects as they are
 * created, refusals, gates, roles. What is not equal yet is named in recorded-differences.json with the reason; what has become equal must
 * leave that list. The data is handed over beside the project; without it there is nothing to compare and the test says so.
 */
import { beforeAll, describe, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { deepEqual } from '../../engine/base/equal.ts';
import { anonymous } from '../../engine/apiserver/auth/authenticator.ts';
import { defaultOf, flags, type FlagType } from '../../engine/cluster/flags.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import { mustGetRelease } from '../../engine/releases/releases.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';
import {
  type Asked,
  json,
  judge,
  lines,
  mask,
  present,
  read,
  type Recorded,
  type Refusal,
  repeated,
  resourcesOf,
  spaced,
  unnamed,
} from './old-release/records.ts';
import { type Answer, type Ask, asker } from './seeds-client.ts';

it.runIf(!present)('shared/testdata/release-1.13 is absent: nothing is compared', () => {
  console.log('shared/testdata/release-1.13 is absent: nothing is compared');
});

describe.skipIf(!present)('release 1.13 as a real one', () => {
  let made: TestCluster;
  let ask: Ask;
  let namespaces = 0;

  beforeAll(async () => {
    made = await aCluster({ seed: 1, nodes: 0, release: '1.13' });
    await made.advance(5000);
    ask = asker(made);
  });

  /** A namespace with its service account. */
  async function newNamespace(): Promise<string> {
    const name = `ns-${namespaces++}`;
    ask('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
    await made.advance(1000);
    return name;
  }

  function send({ method, path, body, headers = {}, anonymous: isAnonymous = false }: Asked, namespace: string): Answer {
    const text = typeof body === 'string' ? body : body === undefined ? '' : spaced(repeated(body));
    const bytes = new TextEncoder().encode(text.replaceAll('${NS}', namespace));
    const { 'Content-Type': type = 'application/json', Accept: accept = 'application/json', ...others } = headers;
    const more = Object.fromEntries(Object.entries(others).map(([name, value]) => [name.toLowerCase(), value]));
    return ask(method, path.replaceAll('${NS}', namespace), {
      bytes,
      type,
      accept,
      headers: more,
      identity: isAnonymous ? anonymous : adminIdentity,
    });
  }

  it('lists its groups, versions and resources', () => {
    const documents = read<{ readonly [path: string]: JsonObject }>('discovery.json');
    const compared = new Map<string, boolean>();
    const groups = (document: JsonObject): readonly JsonObject[] => (document['groups'] ?? []) as unknown as readonly JsonObject[];
    const shown = groups(json(ask('GET', '/apis')));
    for (const group of groups(documents['/apis'] ?? {})) {
      const name = String(group['name']);
      compared.set(
        `group ${name}`,
        deepEqual(
          group,
          shown.find((one) => one['name'] === name),
        ),
      );
    }
    for (const [path, document] of Object.entries(documents)) {
      const answer = ask('GET', path);
      const listed = resourcesOf(answer.status === 200 ? json(answer) : {});
      for (const [name, resource] of resourcesOf(document)) compared.set(`${path} ${name}`, deepEqual(resource, listed.get(name)));
    }
    compared.set('/version', deepEqual(Object.keys(json(ask('GET', '/version'))).sort(), documents['/version']?.['keys']));
    judge('discovery', compared);
  });

  it('prints its columns', () => {
    const tables = read<{ readonly [resource: string]: JsonValue }>('tables.json');
    const compared = new Map<string, boolean>();
    for (const [resource, columns] of Object.entries(tables)) {
      const answer = ask('GET', `${resource.startsWith('v1/') ? '/api' : '/apis'}/${resource}`, {
        accept: 'application/json;as=Table;g=meta.k8s.io;v=v1beta1',
      });
      const definitions = answer.status === 200 ? (json(answer)['columnDefinitions'] as unknown as readonly JsonObject[]) : [];
      const shown = Array.isArray(columns)
        ? definitions.map(({ name, type, format, priority }) => [name, type, format, priority])
        : { code: answer.status, kind: json(answer)['kind'], reason: json(answer)['reason'] };
      compared.set(resource, deepEqual(shown, columns));
    }
    judge('tables', compared);
  });

  it('describes its messages', () => {
    const { definitions } = read<{ readonly definitions: { readonly [name: string]: { readonly properties?: readonly string[] } } }>('openapi.json');
    const shown = json(ask('GET', '/swagger.json'))['definitions'] as unknown as { readonly [name: string]: { readonly properties?: JsonObject } };
    const compared = new Map<string, boolean>();
    for (const [name, { properties = [] }] of Object.entries(definitions))
      compared.set(name, deepEqual(shown[name] === undefined ? undefined : Object.keys(shown[name].properties ?? {}).sort(), [...properties].sort()));
    judge('openapi', compared);
  });

  it('creates its objects', async () => {
    const compared = new Map<string, boolean>();
    for (const { name, path, body, code, object } of lines<Recorded>('objects.jsonl')) {
      const namespace = await newNamespace();
      const answer = send({ method: 'POST', path, body }, namespace);
      const masked = mask(json(answer), namespace);
      compared.set(name, answer.status === code && deepEqual(masked, mask(object, namespace)));
    }
    judge('objects', compared);
  });

  it('leaves dependents alone where nobody says otherwise', async () => {
    const answers = read<{ readonly [call: string]: { readonly 'metadata.finalizers'?: readonly string[] } }>('wire.json');
    const compared = new Map<string, boolean>();
    for (const { name, path, body } of lines<Recorded>('objects.jsonl')) {
      const recorded = answers[`delete ${name.split(' ').slice(0, 2).join(' ')}`];
      if (recorded === undefined) continue;
      const namespace = await newNamespace();
      send({ method: 'POST', path, body }, namespace);
      const { name: made } = body['metadata'] as { readonly name: string };
      const { metadata } = json(send({ method: 'DELETE', path: `${path}/${made}` }, namespace)) as { readonly metadata?: JsonObject };
      const orphans = (finalizers: JsonValue | undefined): boolean => JSON.stringify(finalizers ?? []).includes('"orphan"');
      compared.set(name, orphans(metadata?.['finalizers']) === orphans(recorded['metadata.finalizers'] as JsonValue | undefined));
    }
    judge('deletions', compared);
  });

  it('refuses in its words', async () => {
    const codes = new Map<string, boolean>();
    const words = new Map<string, boolean>();
    for (const { name, setup = [], request, expect: want } of lines<Refusal>('errors.jsonl')) {
      const namespace = await newNamespace();
      for (const before of setup) {
        send(before, namespace);
        // It was asked until it was there.
        if (before.waitCode !== undefined) await made.advance(1000);
      }
      const answer = send(request, namespace);
      const isJson = answer.type.startsWith('application/json');
      const isStatus = isJson && answer.status >= 400 && json(answer)['kind'] === 'Status';
      const { reason = null, message = null } = isStatus ? json(answer) : {};
      // Of a text as much is recorded.
      const said = isStatus ? message : answer.status >= 400 ? answer.text.slice(0, want.message?.length) : null;
      codes.set(name, answer.status === want.code);
      if (answer.status === want.code)
        words.set(name, deepEqual([reason, unnamed(said, namespace)], [want.reason, unnamed(want.message, namespace)]));
      if (process.env['RECORDED_DUMP'] !== undefined && words.get(name) !== true)
        console.log(
          `${name}: ${JSON.stringify(request).slice(0, 600)}\n  ${want.code} ${want.reason} ${want.message}\n  ${answer.status} ${String(reason)} ${String(said)}`,
        );
    }
    judge('codes', codes);
    judge('words', words);
  });

  it('has its defaults of options', () => {
    type Daemon = { readonly flags: { readonly [name: string]: { readonly default: string | null } } };
    const {
      'kube-apiserver': server,
      'kube-controller-manager': manager,
      'kube-scheduler': scheduler,
    } = read<{ readonly [daemon: string]: Daemon }>('flags.json');
    const daemons = { apiserver: server, 'controller-manager': manager, scheduler, kubelet: undefined };
    const compared = new Map<string, boolean>();
    for (const flag of flags) {
      const standard = daemons[flag.component]?.flags[flag.name]?.default;
      if (standard !== undefined)
        compared.set(flag.name, defaultOf(flag, mustGetRelease('1.13')) === (standard ?? noText(flag.type)).replace(/^\[(.*)\]$/, '$1'));
    }
    judge('options', compared);
  });

  it('has its gates and roles', () => {
    const {
      'kube-apiserver': { gates },
    } = read<{ readonly 'kube-apiserver': { readonly gates: { readonly [name: string]: JsonObject } } }>('flags.json');
    const { rbac } = read<{ readonly rbac: { readonly [kind: string]: { readonly [name: string]: JsonObject } } }>('bootstrap.json');
    const own = mustGetRelease('1.13').featureGates;
    const compared = new Map<string, boolean>();
    for (const [name, { default: standard, stage }] of Object.entries(gates)) {
      // A switch of its own, not a gate of the release.
      if (name === 'AllAlpha') continue;
      const gate = own.find((one) => one.name === name);
      compared.set(`gate ${name}`, gate?.default === standard && gate?.stage === stage);
    }
    for (const [kind, objects] of Object.entries(rbac))
      for (const [name, object] of Object.entries(objects)) {
        const [namespace, short = ''] = name.includes('/') ? name.split('/') : ['', name];
        const path = `/apis/rbac.authorization.k8s.io/v1/${namespace === '' ? '' : `namespaces/${namespace}/`}${kind.toLowerCase()}s/${encodeURIComponent(short)}`;
        const { rules = null, roleRef = null, subjects = null, aggregationRule = null } = json(ask('GET', path));
        const { rules: r = null, roleRef: f = null, subjects: s = null, aggregationRule: a = null } = object;
        compared.set(`${kind} ${name}`, deepEqual([rules, roleRef, subjects, aggregationRule], [r, f, s, a]));
      }
    judge('bootstrap', compared);
  });
});

/** What is recorded as no default. */
function noText(type: FlagType): string {
  return type === 'boolean' ? 'false' : '';
}
