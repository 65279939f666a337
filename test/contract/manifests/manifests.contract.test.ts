/**
 * Manifests of admission (`staticManifestsDir`) with the gate ManifestBasedAdmissionControlConfig: what a real 1.36.3 refused at its start, and
 * what one did that started with good ones, whose folders then changed.
 */
import { describe, expect, it } from 'vitest';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { Settings } from '../../../engine/cluster/settings.ts';
import type { Answer } from '../../../engine/contracts/questions.ts';
import { getRelease } from '../../../engine/releases/releases.ts';
import { aCluster, madeCluster, type TestCluster } from '../../support/cluster.ts';
import { replayInputs } from '../../support/replay.ts';
import {
  admissionOf,
  badManifests,
  binding,
  configurationCases,
  configurationOf,
  type Files,
  file,
  goodManifests,
  laterSteps,
  type ManifestCase,
  manifestReloads,
  type ManifestStep,
  manifestSteps,
  policy,
  type Told,
  toldOf,
} from './cases.ts';
import facts from './facts.json' with { type: 'json' };

type Refusal = { readonly error: string };
const gate = 'ManifestBasedAdmissionControlConfig';
const folder = 'FOLDER';
const hint = "unable to read: its files stand beside it here, in the plugin's `manifests`";

/** As the host reads it: in order of name, and of no other files. */
const read = (files: Files, at = `/${folder}`): readonly object[] =>
  Object.keys(files)
    .sort()
    .filter((name) => /\.(?:ya?ml|json)$/i.test(name))
    .map((name) => ({ path: `${at}/${name}`, text: files[name] ?? '' }));

const configured = (folders: Partial<Record<ManifestCase['plugin'], Files>>): string =>
  admissionOf(
    (Object.entries(folders) as [ManifestCase['plugin'], Files][]).map(([name, files]) => ({
      name,
      configuration: configurationOf(name, `/${folder}`),
      manifests: read(files),
    })),
  );

function refusal(configuration: string, on = true): string {
  try {
    new Settings({ 'admission-control-config-file': configuration, 'feature-gates': `${gate}=${on}` }, getRelease('1.36'));
    return '';
  } catch (error) {
    return (error as Error).message.replaceAll(`/${folder}`, folder);
  }
}

/** A server that has the words of Go's network where nobody listens. */
const refused = (): Promise<Answer> =>
  Promise.resolve({ outcome: 'failed', message: 'Post "https://127.0.0.1:9/x?timeout=10s": dial tcp 127.0.0.1:9: connect: connection refused' });

const options = (configuration: string) => ({ 'feature-gates': `${gate}=true`, 'admission-control-config-file': configuration });

/** Webhooks are waited for. */
async function play({ door }: TestCluster, steps: readonly ManifestStep[]): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (const { method, path, body } of steps) {
    const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const response = await door.serve({ method, path, query: '', headers, body: bytes, identity: adminIdentity });
    if (!('body' in response)) throw new Error(`${method} ${path} has no body`);
    const text = response.body instanceof Uint8Array ? new TextDecoder().decode(response.body) : String(response.body);
    told.push(toldOf({ code: response.status, text }));
  }
  return told;
}

describe('a server does not start with', () => {
  it.each(badManifests)('$plugin: $name', ({ plugin, name, files }) => {
    const { error } = (facts.bad as Record<string, Refusal>)[`${plugin}: ${name}`] ?? { error: '' };
    // What is no YAML at all is told in the words of the parser, which is another (docs/differences.md).
    const said = (text: string): string => (name === 'no YAML' ? text.replace(/(?<=yaml: line 1: ).*/, '') : text);
    expect(said(refusal(configured({ [plugin]: files })))).toBe(said(error));
    expect(error).not.toBe('');
  });

  it.each(configurationCases)('$name', ({ name, plugin, configuration, gate: isOn }) => {
    const { error } = (facts.configured as Record<string, Refusal>)[name] ?? { error: '' };
    const named = JSON.parse(JSON.stringify(configuration).replaceAll('FOLDER', `/${folder}`)) as typeof configuration;
    const why = /unable to read: .*|must be a directory/.exec(error)?.[0];
    const manifests = why ?? read({ 'a.yaml': file(policy('p.static.k8s.io')) });
    expect(refusal(admissionOf([{ name: plugin, configuration: named, manifests }]), isOn)).toBe(error);
  });

  it('a folder that nobody has read', () => {
    const configuration = configurationOf('ValidatingAdmissionPolicy', `/${folder}`);
    expect(refusal(admissionOf([{ name: 'ValidatingAdmissionPolicy', configuration }]))).toContain(
      `staticManifestsDir: Invalid value: "FOLDER": ${hint}`,
    );
  });
});

const good = configured(goodManifests);

/** A cluster with webhooks that nobody answers, and a way to ask it that waits for them. */
async function started(
  configuration: string,
  on = true,
): Promise<{ readonly tank: TestCluster; play(steps: readonly ManifestStep[]): Promise<readonly Told[]> }> {
  const given = { ...options(configuration), 'feature-gates': `${gate}=${on}` };
  const tank = await aCluster({ nodes: 0, options: given }, { ask: refused });
  return { tank, play: (steps) => play(tank, steps) };
}

const create = (name: string): ManifestStep => ({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body: { metadata: { name } } });
const codes = (told: readonly Told[]): readonly number[] => told.map(({ code }) => code);
const denyingSecond = {
  'a.yaml': file(
    policy('p.static.k8s.io', { validations: [{ expression: "object.metadata.name != 'second'" }] }),
    binding('b.static.k8s.io', 'p.static.k8s.io'),
  ),
};
const use = (text: string) => ({ configured: { 'admission-control-config-file': text } });

describe('a server that starts with good ones', () => {
  it('judges by them what a real one does, before those of the API and where these may not', async () => {
    const { play: ask } = await started(good);
    expect(await ask(manifestSteps)).toEqual(facts.on.steps);
    expect(await ask(laterSteps)).toEqual(facts.on.later);
  });

  it('has none of them in the API, nor where no folder is named', async () => {
    const { tank } = await started(good);
    expect(tank.cluster.stored('validatingadmissionpolicies')).toEqual([]);
    const { play: ask } = await started('', false);
    expect(await ask(['bad', 'hooked', 'mutated'].map(create))).toEqual([{ code: 201 }, { code: 201 }, { code: 201 }]);
  });

  it('heeds no folder of a plugin that is off', async () => {
    const off = { 'disable-admission-plugins': 'ValidatingAdmissionPolicy', 'feature-gates': `${gate}=true` };
    const wrong = configured({ ValidatingAdmissionPolicy: { 'a.yaml': 'kind: [' } });
    const tank = await aCluster({ nodes: 0, options: { ...off, 'admission-control-config-file': wrong } });
    expect(codes(await play(tank, [create('bad')]))).toEqual([201]);
  });
});

describe('manifests that change', () => {
  it('count from then on', async () => {
    const { tank, play: ask } = await started(good);
    const [first, , last] = manifestReloads;
    for (const [index, change] of [first, last].entries()) {
      const text = configured({ ...goodManifests, ValidatingAdmissionPolicy: change?.files ?? {} });
      tank.door.step(use(text));
      expect(await ask(change === undefined ? [] : [change.ask])).toEqual([facts.on.reloads[index === 0 ? 0 : 2]]);
      expect(tank.cluster.manifests.configuration).toBe(text);
    }
  });

  it('decide in a replay what was asked under them, nobody is asked again, and they count after a restore', async () => {
    const { tank, play: ask } = await started(good);
    expect(codes(await ask([create('a'), create('bad'), create('hooked')]))).toEqual([201, 422, 500]);
    tank.door.step(use(configured({ ValidatingAdmissionPolicy: denyingSecond })));
    expect(codes(await ask(['second', 'bad', 'hooked', 'b'].map(create)))).toEqual([422, 201, 201, 201]);
    await tank.advance(1_000);
    const config = { nodes: 0, options: options(good) };
    const again = await aCluster(config, { ask: () => Promise.reject(new Error('nobody is asked')) });
    await replayInputs(again, tank.inputs, tank.cluster.loop.nowMs());
    expect(again.cluster.digest).toBe(tank.cluster.digest);
    expect(again.cluster.stored('configmaps/default').map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'bad', 'hooked', 'kube-root-ca.crt']);

    await tank.quiet();
    const back = madeCluster(config);
    back.cluster.restore(JSON.parse(JSON.stringify(tank.cluster.save())) as Parameters<typeof back.cluster.restore>[0]);
    await back.cluster.loop.run(back.cluster.loop.nowMs());
    expect(codes(await play(back, ['third', 'bad-3'].map(create)))).toEqual([201, 201]);
    expect(await play(back, [create('second')])).toEqual([facts.on.reloads[0]]);
  });
});
