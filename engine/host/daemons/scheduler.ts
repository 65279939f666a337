/** `wavetank scheduler`: the scheduler as a daemon. */
import { writeFileSync } from 'node:fs';
import { FeatureGates } from '../../releases/feature-gates.ts';
import { defaultRelease } from '../../releases/releases.ts';
import type { HasGate } from '../../scheduler/configuration/plugin-args.ts';
import type { ConfigMap } from '../../api/core/v1/types.gen.ts';
import type { JsonObject } from '../../base/json.ts';
import { extenderShown } from '../../scheduler/configuration/extenders.ts';
import { policyOptions, schedulerOptions } from '../../cluster/component-options.ts';
import { configMaps } from '../../client/resources.ts';
import { schedulerName } from '../../scheduler/parts.ts';
import type { Running } from '../remote/controller-manager.ts';
import { startScheduler } from '../remote/scheduler.ts';
import { gatesText } from './command-line-checks.ts';
import { type DaemonKind, emulatedRelease, type Workplace } from './daemon.ts';
import { schedulerHealth } from './health-checks.ts';
import { podResourceMetrics } from './pod-resource-metrics.ts';
import { readFileOf } from './daemon-certificates.ts';
import { badUsage, type FlagValues } from './flag-set.ts';
import { configurationText, readConfiguration, type SchedulerConfiguration } from './scheduler-configuration.ts';
import { oldConfigurationText, readOldConfiguration } from './old-scheduler-configuration.ts';
import { profileShown, schedulerConfiguration } from './scheduler-shown.ts';
import { schedulerFlags } from './scheduler-flags.ts';
import { policyOf } from './scheduler-policy.ts';

const name = 'kube-scheduler';

export const schedulerDaemon: DaemonKind = {
  name,
  command: 'wavetank scheduler',
  flags: schedulerFlags,
  health: schedulerHealth,
  configuration: { name: 'componentconfig', rows: schedulerConfiguration, more: (flags) => listsShown(flags) },
  releasesLock: true,
  tellsResources: true,
  eventSource: (flags) => flags.text('scheduler-name'),
  prepare: (given) => {
    const configuration = configurationOf(given);
    const { flags } = configuration;
    if (given.text('write-config-to') !== '') {
      const isOld = isOldRelease(given);
      const written = writeConfiguration(given, isOld ? oldConfigurationText(given) : configurationText(configuration));
      // Of old it went on to work.
      if (!isOld) return written;
    }
    return { flags, work: (place) => schedule(place, configuration) };
  },
};

/** With what a file of the older form says besides. */
type Configuration = SchedulerConfiguration & { readonly disablesPreemption?: boolean };

function configurationOf(flags: FlagValues): Configuration {
  const file = flags.text('config');
  if (file !== '' && isOldRelease(flags)) return { ...readOldConfiguration(readFileOf(file), flags), profiles: [], extenders: [] };
  return file === '' ? { flags, profiles: [], extenders: [] } : readConfiguration(file, flags, gatesOf(flags));
}

function isOldRelease(flags: FlagValues): boolean {
  return emulatedRelease(flags)?.schedulesByPolicy === true;
}

/** Of the release that is emulated, or the present one: the file is read before anybody can be asked. */
function gatesOf(flags: FlagValues): HasGate {
  const { featureGates } = emulatedRelease(flags) ?? defaultRelease;
  const gates = new FeatureGates(featureGates, gatesText(flags));
  return (gate) => gates.enabled(gate);
}

/** Profiles of the file, or the one that flags say; and its extenders. */
function listsShown(flags: FlagValues): JsonObject {
  const { profiles, extenders } = configurationOf(flags);
  const shown = profiles.length > 0 ? profiles : [{ schedulerName: flags.text('scheduler-name') }];
  return {
    profiles: shown.map((profile) => profileShown(profile, gatesOf(flags))),
    ...(extenders.length === 0 ? {} : { extenders: extenders.map(extenderShown) }),
  };
}

async function schedule(place: Workplace, { profiles, extenders, disablesPreemption }: Configuration): Promise<Running> {
  const { flags, settings, release, runtime } = place;
  const find = (namespace: string, name: string): Promise<ConfigMap> => runtime.client(schedulerName).get(configMaps, namespace, name);
  const off = disablesPreemption === true ? { disablesPreemption } : {};
  const policy = release.schedulesByPolicy ? policyOptions(settings, { ...(await policyOf(place, find)), ...off }) : {};
  const { pods } = await startScheduler({
    runtime,
    options: {
      ...schedulerOptions(settings, release, new FeatureGates(release.featureGates, settings.text('feature-gates'))),
      profiles,
      extenders,
      ...policy,
    },
    qps: flags.number('kube-api-qps'),
    burst: flags.number('kube-api-burst'),
    eventSource: flags.text('scheduler-name'),
    namesReporter: release.ratchets.EventReporters,
  });
  const names = profiles.length === 0 ? [flags.text('scheduler-name')] : profiles.map(({ schedulerName }) => schedulerName);
  return { names, metrics: () => [], resources: () => podResourceMetrics(pods()) };
}

function writeConfiguration(flags: FlagValues, text: string): string {
  const file = flags.text('write-config-to');
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw badUsage((error as Error).message);
  }
  return `Wrote configuration to: ${file}\n`;
}
