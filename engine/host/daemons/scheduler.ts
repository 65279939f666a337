/** `wavetank scheduler`: the scheduler as a daemon. */
import { writeFileSync } from 'node:fs';
import { FeatureGates } from '../../releases/feature-gates.ts';
import type { ProfileOptions } from '../../scheduler/options.ts';
import { schedulerOptions } from '../../cluster/component-options.ts';
import { startScheduler } from '../remote/scheduler.ts';
import type { DaemonKind } from './daemon.ts';
import { badUsage, type FlagValues } from './flag-set.ts';
import { configurationText, readConfiguration } from './scheduler-configuration.ts';
import { schedulerFlags } from './scheduler-flags.ts';

const name = 'kube-scheduler';

export function schedulerDaemon(): DaemonKind {
  let profiles: readonly ProfileOptions[] = [];
  return {
    name,
    command: 'wavetank scheduler',
    flags: schedulerFlags,
    healthPaths: ['/livez', '/readyz'],
    releasesLock: true,
    eventSource: (flags) => flags.text('scheduler-name'),
    prepare: (flags) => {
      const file = flags.text('config');
      const read = file === '' ? { flags, profiles } : readConfiguration(file, flags);
      profiles = read.profiles;
      return flags.text('write-config-to') === '' ? read.flags : writeConfiguration(read.flags, profiles);
    },
    work: async ({ flags, settings, release, runtime }) => {
      await startScheduler({
        runtime,
        options: { ...schedulerOptions(settings, new FeatureGates(release.featureGates, settings.text('feature-gates'))), profiles },
        qps: flags.number('kube-api-qps'),
        burst: flags.number('kube-api-burst'),
        eventSource: flags.text('scheduler-name'),
      });
      return profiles.length === 0 ? [flags.text('scheduler-name')] : profiles.map(({ schedulerName }) => schedulerName);
    },
  };
}

function writeConfiguration(flags: FlagValues, profiles: readonly ProfileOptions[]): string {
  const file = flags.text('write-config-to');
  try {
    writeFileSync(file, configurationText(flags, profiles));
  } catch (error) {
    throw badUsage((error as Error).message);
  }
  return `Wrote configuration to: ${file}\n`;
}
