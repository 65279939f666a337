/** Rules of validation, read in upstream's source and asked of its server, one request each. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Side, wavetankSide } from '../../differential/sides.ts';
import { prepare, readStories, reviewedReleases, tell } from './stories.ts';

describe.each(reviewedReleases)('release %s', (release) => {
  let ours: Side;

  beforeAll(async () => {
    ours = await wavetankSide(release === '1.13' ? release : undefined);
    await prepare(ours);
  });

  test.each(readStories(release).map((story) => [story.name, story] as const))('%s', async (_name, story) => {
    expect(await tell(ours, story)).toEqual(story.steps.map(({ real }) => real));
  });
});
