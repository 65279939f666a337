/** What the page says, in one place: a view's words stand in its own file here, and nowhere in its markup. */
import { acts } from './acts.ts';
import { cluster } from './cluster.ts';
import { cronJobs } from './cron-jobs.ts';
import { engine } from './engine.ts';
import { frame } from './frame.ts';
import { objects } from './objects.ts';
import { overview } from './overview.ts';
import { problems } from './problems.ts';
import { timeline } from './timeline.ts';

export const texts = { acts, cluster, cronJobs, engine, frame, objects, overview, problems, timeline } as const;
