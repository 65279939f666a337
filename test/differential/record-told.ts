/**
 * Puts the stories of `told.json` before the real API server and keeps what it answers (`facts/told.jsonl.gz`), for what drawn requests seldom meet.
 * A story is a collection, the names of what it makes there, and steps `[method, tail and query, body, type, accept]`.
 *   node test/differential/record-told.ts [--peer BIN --port N | --kubeconfig FILE]
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonValue } from '../../engine/base/json.ts';
import { addFacts, type StoryFact } from './facts.ts';
import { Memory } from './memory.ts';
import { defaultBin, startPeer } from './peer.ts';
import { seenBy, tidyUp } from './play-story.ts';
import type { Asked } from './reads.ts';
import { peerSide, type Side } from './sides.ts';

type Step = readonly [method: string, tail: string, body?: JsonValue, type?: string, accept?: string];

interface Told {
  readonly kind: string;
  readonly collection: string;
  readonly names: readonly string[];
  readonly steps: readonly Step[];
}

function askedOf(collection: string, [method, tail, body, type = 'json', accept = 'application/json']: Step): Asked {
  const [path = '', query = ''] = `${collection}${tail}`.split('?');
  const asked = { method, path, query, accept };
  return body === undefined || body === null ? { ...asked, type: '' } : { ...asked, type: `application/${type}`, body };
}

async function record(real: Side, { kind, collection, names, steps }: Told): Promise<StoryFact> {
  const memory = new Memory();
  const trace = { collection, names, isNamespace: collection === '/api/v1/namespaces' };
  const answered: StoryFact['steps'][number][] = [];
  for (const step of steps) {
    const asked = askedOf(collection, step);
    answered.push({ asked, real: seenBy(memory, asked, await real.ask(memory.resolve(asked))) });
  }
  await tidyUp(real, trace);
  return { kind, ...trace, steps: answered };
}

const { values } = parseArgs({
  options: { peer: { type: 'string', default: defaultBin }, port: { type: 'string', default: '21500' }, kubeconfig: { type: 'string' } },
});
const stories = JSON.parse(readFileSync(join(import.meta.dirname, 'told.json'), 'utf8')) as readonly Told[];
const file = join(import.meta.dirname, 'facts', 'told.jsonl.gz');
const peer = values.kubeconfig === undefined ? startPeer(values.peer, Number(values.port)) : undefined;
const real = peerSide(peer?.kubeconfig ?? values.kubeconfig ?? '');
try {
  const facts: StoryFact[] = [];
  for (const story of stories) facts.push(await record(real, story));
  rmSync(file, { force: true });
  console.log(`${addFacts(file, facts)} stories`);
} finally {
  real.close();
  peer?.stop();
}
