/** `wavetank scheduler`: the scheduler as a daemon. */
import { writeFileSync } from 'node:fs';
import { FeatureGates } from '../../releases/feature-gates.ts';
import type { ProfileOptions } from '../../scheduler/options.ts';
import { schedulerOptions } from '../../cluster/component-options.ts';
import type { Running } from '../remote/controller-manager.ts';
import { startScheduler } from '../remote/scheduler.ts';
import type { DaemonKind, Workplace } from './daemon.ts';
import { badUsage, type FlagValues } from './flag-set.ts';
import { configurationText, readConfiguration } from './scheduler-configuration.ts';
import { profileShown, schedulerConfiguration } from './scheduler-shown.ts';
import { schedulerFlags } from './scheduler-flags.ts';

const name = 'kube-scheduler';

export const schedulerDaemon: DaemonKind = {
  name,
  command: 'wavetank scheduler',
  flags: schedulerFlags,
  healthPaths: ['/livez', '/readyz'],
  configuration: { name: 'componentconfig', rows: schedulerConfiguration, more: (flags) => ({ profiles: profilesOf(flags).map(profileShown) }) },
  releasesLock: true,
  eventSource: (flags) => flags.text('scheduler-name'),
  prepare: (given) => {
    const file = given.text('config');
    const { flags, profiles } = file === '' ? { flags: given, profiles: [] } : readConfiguration(file, given);
    if (given.text('write-config-to') !== '') return writeConfiguration(flags, profiles);
    return { flags, work: (place) => schedule(place, profiles) };
  },
};

/** Those of the file, or the one that flags say. */
function profilesOf(flags: FlagValues): readonly ProfileOptions[] {
  const file = flags.text('config');
  const { profiles } = file === '' ? { profiles: [] } : readConfiguration(file, flags);
  return profiles.length > 0 ? profiles : [{ schedulerName: flags.text('scheduler-name') }];
}

async function schedule({ flags, settings, release, runtime }: Workplace, profiles: readonly ProfileOptions[]): Promise<Running> {
  await startScheduler({
    runtime,
    options: { ...schedulerOptions(settings, new FeatureGates(release.featureGates, settings.text('feature-gates'))), profiles },
    qps: flags.number('kube-api-qps'),
    burst: flags.number('kube-api-burst'),
    eventSource: flags.text('scheduler-name'),
  });
  const names = profiles.length === 0 ? [flags.text('scheduler-name')] : profiles.map(({ schedulerName }) => schedulerName);
  return { names, metrics: () => [] };
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
