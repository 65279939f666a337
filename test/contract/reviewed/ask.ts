/**
 * Asks stories of the real API server and of ours, and prints where they differ: `ask.ts SERVER FILE.ts [keep]`. The file's `stories` are
 * `{ name, shows?, steps: [method, path, body?, { type, query, raw, accept, as }?][] }`; a step `['SETTLE']` lets time pass. With `keep` those that are told alike
 * are put behind the recorded ones; `record.ts SERVER` then asks them five times.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonValue } from '../../../engine/base/json.ts';
import { defaultBin, startPeer } from '../../differential/peer.ts';
import { peerSide, wavetankSide } from '../../differential/sides.ts';
import { prepare, readStories, type ReviewedStory, reviewedServers, type Step, tell, writeStories } from './stories.ts';

interface Written {
  readonly name: string;
  readonly shows?: ReviewedStory['shows'];
  readonly steps: readonly (readonly [string, string?, JsonValue?, Partial<Pick<Step, 'type' | 'query' | 'raw' | 'accept' | 'as'>>?])[];
}

const typeOf: Readonly<Record<string, string>> = { PATCH: 'application/merge-patch+json' };

function storyOf({ name, shows, steps }: Written): ReviewedStory {
  const step = ([method, path = '', body, given = {}]: Written['steps'][number]): Step => ({
    method,
    path,
    query: '',
    type: body === undefined ? '' : (typeOf[method] ?? 'application/json'),
    ...(body !== undefined && { body }),
    ...given,
  });
  return { name, ...(shows && { shows }), steps: steps.map(step) };
}

const [serverName, file = '', keep] = process.argv.slice(2);
const server = reviewedServers.find(({ name }) => name === serverName);
if (server === undefined) throw new Error(`say which server: ${reviewedServers.map(({ name }) => name).join(', ')}`);
const written = (await import(pathToFileURL(resolve(file)).href)) as { readonly stories: readonly Written[] };
const stories = written.stories.map(storyOf);

function lettersOf(text: string): string {
  return text.split('').sort().join('');
}

const peer = startPeer(defaultBin, 21000 + (process.pid % 50) * 10, { release: server.release, options: server.options });
const sides = [peerSide(peer.kubeconfig), await wavetankSide(server.release, server.options)] as const;
let [asked, differing] = [0, 0];
const alike: ReviewedStory[] = [];
try {
  for (const side of sides) await prepare(side);
  for (const story of stories) {
    const [real, ours] = [await tell(sides[0], story), await tell(sides[1], story)];
    const differ = story.steps.flatMap(({ method, path, query, body }, index) => {
      const [there, here] = [JSON.stringify(real[index]), JSON.stringify(ours[index])];
      asked++;
      if (there === here) return [];
      // Where Go's maps have an order of their own, the same letters come in another one.
      if (lettersOf(there) === lettersOf(here)) return [`${story.name}[${index}] ${method} ${path}: in another order`];
      return [`${story.name}[${index}] ${method} ${path}?${query} ${JSON.stringify(body)}\n  REAL ${there}\n  OURS ${here}`];
    });
    differing += differ.length;
    if (differ.length === 0) alike.push(story);
    else console.log(differ.join('\n'));
  }
} finally {
  for (const side of sides) side.close();
  peer.stop();
}
console.log(`${asked} asked, ${differing} differ`);
if (keep === 'keep') writeStories(server, [...readStories(server), ...alike]);
process.exit(0);
