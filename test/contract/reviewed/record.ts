/** Asks the real API server again what the stories say (`record.ts 1.13|1.36`), and keeps those that it tells alike each time. */
import { defaultBin, startPeer } from '../../differential/peer.ts';
import { peerSide } from '../../differential/sides.ts';
import { prepare, readStories, type ReviewedRelease, type ReviewedStory, reviewedReleases, tell, writeStories } from './stories.ts';

const release = reviewedReleases.find((one) => one === process.argv[2]);
if (release === undefined) throw new Error(`say which release: ${reviewedReleases.join(' or ')}`);

async function answered(stories: readonly ReviewedStory[], of: ReviewedRelease): Promise<readonly ReviewedStory[]> {
  const peer = startPeer(defaultBin, 22900, { release: of === '1.13' ? of : undefined });
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

const stories = readStories(release);
const rounds = 5;
const told: (readonly ReviewedStory[])[] = [];
for (let round = 0; round < rounds; round++) told.push(await answered(stories, release));
// Go shows maps in any order, and pointers.
const kept = (told[0] ?? []).filter((story, index) => told.every((again) => JSON.stringify(story) === JSON.stringify(again[index])));
writeStories(release, kept);
console.log(`${kept.length} of ${stories.length} kept`);
