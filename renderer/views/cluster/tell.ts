/** Pods and countdowns in words. */
import type { MapCountdown, MapNode, MapPod } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { formatCount, formatDuration, plural } from '../../lib/format.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.cluster;

export function tellCountdown({ what, untilMs }: MapCountdown, nowMs: number, ofPod = false): string {
  if (untilMs <= nowMs) return words.soon(what);
  const left = formatDuration(Math.ceil((untilMs - nowMs) / 1000) * 1000);
  return ofPod && what === 'eviction' ? words.evictedIn(left) : words.countdowns[what](left);
}

/** How it is, in the fewest words. */
export function tellPod(pod: MapPod, nowMs: number): string {
  if (pod.countdown) return tellCountdown(pod.countdown, nowMs, true);
  if (pod.look === 'Ready') return '';
  if (pod.look === 'Failed' && pod.reason) return words.failedFor(pod.reason);
  return pod.look === 'Error' ? pod.reason || words.looks[pod.look] : words.looks[pod.look];
}

/** For the line beneath its name: how it is comes first. */
export function podFacts(pod: MapPod, nowMs: number): string {
  const age = nowMs > pod.createdMs ? words.age(formatDuration(nowMs - pod.createdMs)) : '';
  return [tellPod(pod, nowMs) || words.looks[pod.look], words.inNamespace(pod.namespace), age].filter((part) => part !== '').join(' · ');
}

/** All that is known, for a line of its own. */
export function describePod(pod: MapPod, nowMs: number): string {
  const owner = pod.owner?.split('/').at(-1);
  const parts = [
    pod.name,
    words.looks[pod.look],
    pod.reason && pod.reason !== pod.look ? pod.reason : '',
    pod.countdown ? tellCountdown(pod.countdown, nowMs, true) : '',
    owner ? `of ${owner}` : 'no owner',
    nowMs > pod.createdMs ? formatDuration(nowMs - pod.createdMs) : '',
    pod.milliCpu ? `${pod.milliCpu}m asked` : '',
    pod.useMilliCpu === undefined ? '' : `${pod.useMilliCpu}m used`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

export function describeNode({ name, podCount, room, countdown }: MapNode, nowMs: number): string {
  const pods = room === undefined ? plural(podCount, 'pod') : words.card.pods(plural(podCount, 'pod'), room);
  return [name, pods, countdown ? tellCountdown(countdown, nowMs) : ''].filter((part) => part !== '').join(' · ');
}

/** Of a node that is well, the longest first. */
export function nodeFacts({ podCount, room, milliCpu, requestedMilliCpu }: MapNode): readonly string[] {
  const pods = plural(podCount, 'pod');
  if (!milliCpu || requestedMilliCpu === undefined) return [pods];
  const [asked, whole] = [cores(requestedMilliCpu), cores(milliCpu)];
  return [`${words.card.pods(pods, room)} · ${words.card.cpu(asked, whole, undefined)}`, `${pods} · ${words.cpuShort(asked, whole)}`, pods];
}

/** As many digits as tell something: `0.25`, `4`. */
export function cores(milliCpu: number): string {
  return formatCount(Math.round(milliCpu / 10) / 100);
}
