/** Rules of validation and admission, read in upstream's source and asked of its server. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Side, wavetankSide } from '../../differential/sides.ts';
import { prepare, readStories, reviewedServers, tell } from './stories.ts';

describe.each(reviewedServers)('server $name', (server) => {
  let ours: Side;

  beforeAll(async () => {
    ours = await wavetankSide(server.release, server.options);
    await prepare(ours);
  });

  test.each(readStories(server).map((story) => [story.name, story] as const))('%s', async (_name, story) => {
    expect(await tell(ours, story)).toEqual(story.steps.map(({ real }) => real));
  });
});
