/** Asks the real API server again what the stories say (`record.ts NAME`; `record.ts NAME new`: those that it was never asked), and keeps those that it tells alike each time. */
import { defaultBin, startPeer } from '../../differential/peer.ts';
import { peerSide } from '../../differential/sides.ts';
import { prepare, readStories, type ReviewedServer, type ReviewedStory, reviewedServers, tell, writeStories } from './stories.ts';

const server = reviewedServers.find(({ name }) => name === process.argv[2]);
if (server === undefined) throw new Error(`say which server: ${reviewedServers.map(({ name }) => name).join(', ')}`);

async function answered(stories: readonly ReviewedStory[], { release, options }: ReviewedServer): Promise<readonly ReviewedStory[]> {
  const peer = startPeer(defaultBin, 21600 + (process.pid % 40) * 10, { release, options });
  const real = peerSide(peer.kubeconfig);
  try {
    await prepare(real);
    const out: ReviewedStory[] = [];
    for (const story of stories) {
      const told = await tell(real, story);
      out.push({ ...story, steps: story.steps.map((step, index) => ({ ...step, ...(told[index] && { real: told[index] }) })) });
    }
    return out;
  } finally {
    real.close();
    peer.stop();
  }
}

const all = readStories(server);
const isAsked = (story: ReviewedStory): boolean => process.argv[3] === 'new' && story.steps.every(({ real }) => real !== undefined);
const stories = all.filter((story) => !isAsked(story));
const rounds = 5;
const told: (readonly ReviewedStory[])[] = [];
for (let round = 0; round < rounds; round++) told.push(await answered(stories, server));
// Go shows maps in any order, and pointers.
const kept = (told[0] ?? []).filter((story, index) => told.every((again) => JSON.stringify(story) === JSON.stringify(again[index])));
writeStories(server, [...all.filter(isAsked), ...kept]);
console.log(`${kept.length} of ${stories.length} kept`);
