/**
 * `npm run mutations`: applies one small wrong after another to the engine and lets the swarm look for it, or the tests that it names.
 * Prints which checker or test caught it, at which seed and how fast; the last line says `caught=N of M`. `--only NAME`, `--seeds N`, `--jobs N`; `--list` names them all,
 * `--check` says whether each still fits the source.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { edited } from './bundle.ts';
import { Judges } from './judges.ts';
import { mutations } from './list.ts';
import { scriptOptions } from '../script-options.ts';

const root = join(import.meta.dirname, '../..');
const { values } = scriptOptions(import.meta.filename, {
  options: {
    only: { type: 'string', multiple: true },
    seeds: { type: 'string', default: '20' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    list: { type: 'boolean' },
    check: { type: 'boolean' },
  },
});
const chosen = mutations.filter(({ name }) => values.only === undefined || values.only.includes(name));
if (chosen.length === 0) throw new Error(`no mutation is called ${values.only?.join(', ')}; --list names them all`);

function list(): void {
  let unfit = 0;
  for (const { name, breaks, edits } of chosen) {
    let state = '';
    try {
      edited(root, edits);
    } catch (error) {
      unfit++;
      state = `  DOES NOT FIT: ${error instanceof Error ? error.message : String(error)}`;
    }
    console.log(`${name}: ${breaks}${state}`);
  }
  console.log(`${chosen.length - unfit} of ${chosen.length} fit the source`);
  if (unfit > 0) process.exitCode = 1;
}

async function run(): Promise<void> {
  // Beside the sources, so that packages are found.
  const folder = mkdtempSync(join(root, 'node_modules', '.mutations-'));
  const judges = new Judges(root, folder, Number(values.seeds));
  const waiting = [...chosen];
  let caught = 0;
  const work = async (): Promise<void> => {
    for (let mutation = waiting.shift(); mutation !== undefined; mutation = waiting.shift()) {
      const outcome = await judges.judge(mutation);
      if (outcome.caught) caught++;
      console.log(`${outcome.caught ? 'caught  ' : 'SURVIVED'} ${mutation.name}: ${outcome.text}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, work));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`caught=${caught} of ${chosen.length}`);
  if (caught < chosen.length) process.exitCode = 1;
}

if (values.list === true || values.check === true) list();
else await run();
