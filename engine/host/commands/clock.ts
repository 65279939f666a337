/** `wavetank clock pause|resume|speed N|step|advance 10m`: writes the Clock object of a running cluster. */
import type { Clock, ClockSpec } from '../../api/sim/v1alpha1/clock.ts';
import { CommandError } from '../command-error.ts';
import { callCluster } from '../local-client.ts';
import { findCluster, type RunningCluster } from '../registry-file.ts';
import { readClock } from './list.ts';
import { type Given, isJson, text } from './given.ts';

const pollMs = 20;

export async function runClock(act: string, value: string | undefined, given: Given): Promise<number> {
  const json = isJson(given);
  const spec = specOf(act, value);
  const cluster = await findCluster(text(given, 'name'));
  let clock = await callCluster<Clock>(cluster, 'PATCH', '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster', { spec }, 'application/merge-patch+json');
  if (spec.advance !== undefined || spec.step !== undefined) clock = await reached(cluster);
  process.stdout.write(json ? `${JSON.stringify(clock)}\n` : `${clock.status.virtualTime}  speed ${clock.spec.speed}\n`);
  return 0;
}

/** Waits in wall time until the run at full speed is over. */
async function reached(cluster: RunningCluster): Promise<Clock> {
  for (;;) {
    const clock = await readClock(cluster);
    if (clock.status.runningUntil === undefined) return clock;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function specOf(act: string, value: string | undefined): ClockSpec {
  const mustHave = (what: string): string => {
    if (value === undefined) throw new CommandError(`clock ${act} needs ${what}`);
    return value;
  };
  switch (act) {
    case 'pause':
      return { speed: 'paused' };
    case 'resume':
      return { speed: value ?? '1' };
    case 'speed':
      return { speed: mustHave('a speed: a number, `max` or `paused`') };
    case 'step':
      return { step: value === 'event' ? 'event' : 'instant' };
    case 'advance':
      return { advance: mustHave('a duration such as 10m') };
    default:
      throw new CommandError(`unknown act ${JSON.stringify(act)}; clock knows pause, resume, speed, step and advance`);
  }
}
