/**
 * Options that upstream's kubelets have in a file, checked with its words where gates decide on them. Mirrors
 * pkg/kubelet/apis/config/validation.
 */
import { parseDuration } from '../apimachinery/time.ts';
import type { CrashBackoff } from '../nodes/context.ts';
import { FeatureGates } from '../releases/feature-gates.ts';
import type { Settings, SettingsRelease } from './settings.ts';

type TextOf = (name: string) => string;

const restartPeriod = 'max-container-restart-period';
const restartPeriodMinMs = 1_000;
const restartPeriodMaxMs = 300_000;

/** What is wrong with them, or undefined. */
export function kubeletMistake(textOf: TextOf, { featureGates }: SettingsRelease): string | undefined {
  const gates = new FeatureGates(featureGates, textOf('feature-gates'));
  const isOff = (name: string): boolean => featureGates.some((gate) => gate.name === name) && !gates.enabled(name);
  return restartPeriodMistake(textOf(restartPeriod), gates) ?? shutdownMistake(textOf, isOff);
}

function restartPeriodMistake(text: string, gates: FeatureGates): string | undefined {
  if (text === '') return undefined;
  if (!gates.enabled('KubeletCrashLoopBackOffMax'))
    return 'invalid configuration: FeatureGate KubeletCrashLoopBackOffMax not enabled, CrashLoopBackOff.MaxContainerRestartPeriod must not be set';
  const ms = parseDuration(text);
  if (ms === undefined) return `invalid value ${JSON.stringify(text)} for --${restartPeriod}: expected a duration such as 30s`;
  if (ms >= restartPeriodMinMs && ms <= restartPeriodMaxMs) return undefined;
  return `invalid configuration: CrashLoopBackOff.MaxContainerRestartPeriod (got: ${ms / 1000} seconds) must be set between 1s and 300s`;
}

function shutdownMistake(textOf: TextOf, isOff: (gate: string) => boolean): string | undefined {
  const [all = 0, critical = 0] = ['shutdown-grace-period', 'shutdown-grace-period-critical-pods'].map((name) => parseDuration(textOf(name)));
  if (critical > all) return '--shutdown-grace-period must be at least as long as --shutdown-grace-period-critical-pods';
  const gate = 'GracefulNodeShutdown';
  if (all > 0 && isOff(gate))
    return `invalid configuration: specifying shutdownGracePeriod or shutdownGracePeriodCriticalPods requires feature gate ${gate}`;
  const byPriority = textOf('shutdown-grace-period-by-pod-priority');
  if (byPriority === '') return undefined;
  const finerGate = 'GracefulNodeShutdownBasedOnPodPriority';
  if (isOff(finerGate)) return `invalid configuration: Specifying shutdownGracePeriodByPodPriority requires feature gate ${finerGate}`;
  if (all > 0) return '--shutdown-grace-period-by-pod-priority and --shutdown-grace-period exclude each other';
  const isPair = (part: string): boolean => {
    const [, priority = '', text = ''] = /^\s*([^=]*)=(.*)$/.exec(part) ?? [];
    return /^-?\d+$/.test(priority) && parseDuration(text.trim()) !== undefined;
  };
  return byPriority.split(',').every(isPair)
    ? undefined
    : `invalid value ${JSON.stringify(byPriority)} for --shutdown-grace-period-by-pod-priority: expected pairs such as 0=30s`;
}

/** How long containers that failed wait. What somebody configured, and be it by default, goes before the gate of shorter times. */
export function crashBackoff(settings: Settings, gates: FeatureGates): CrashBackoff {
  const isReduced = gates.enabled('ReduceDefaultCrashLoopBackOffDecay');
  const baseMs = isReduced ? 1_000 : 10_000;
  if (!gates.enabled('KubeletCrashLoopBackOffMax')) return { baseMs, maxMs: isReduced ? 60_000 : restartPeriodMaxMs };
  const maxMs = parseDuration(settings.text(restartPeriod)) ?? restartPeriodMaxMs;
  return { baseMs: Math.min(baseMs, maxMs), maxMs };
}
