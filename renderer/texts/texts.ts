/** What the page says, in one place: a view's words stand in its own file here, and nowhere in its markup, which lint sees to. */
import { acts } from './acts.ts';
import { begin } from './begin.ts';
import { changes } from './changes.ts';
import { clock } from './clock.ts';
import { cluster } from './cluster.ts';
import { crashes } from './crashes.ts';
import { create } from './create.ts';
import { cronJobs } from './cron-jobs.ts';
import { editor } from './editor.ts';
import { engine } from './engine.ts';
import { entries } from './entries.ts';
import { events } from './events.ts';
import { faults } from './faults.ts';
import { frame } from './frame.ts';
import { help } from './help.ts';
import { logs } from './logs.ts';
import { matrix } from './matrix.ts';
import { objects } from './objects.ts';
import { overview } from './overview.ts';
import { problems } from './problems.ts';
import { requests } from './requests.ts';
import { scenarios } from './scenarios.ts';
import { settings } from './settings.ts';
import { timeline } from './timeline.ts';

export const texts = {
  acts,
  begin,
  changes,
  clock,
  cluster,
  crashes,
  create,
  cronJobs,
  editor,
  engine,
  entries,
  events,
  faults,
  frame,
  help,
  logs,
  matrix,
  objects,
  overview,
  problems,
  requests,
  scenarios,
  settings,
  timeline,
} as const;
