/** What `kubectl get clustermaps` shows in one line. */
import type { ClusterMap, ClusterMapStatus, MapCountdown } from '../api/sim/v1alpha1/cluster-map.ts';
import { formatTime } from '../apimachinery/time.ts';

const words: { readonly [W in MapCountdown['what']]: string } = {
  unreachable: 'is marked unreachable',
  eviction: 'loses its first pod',
  restart: 'restarts',
  kill: 'is killed',
};

export function mapRow({ metadata, status }: ClusterMap): string[] {
  const { zones, nodes, waiting } = status;
  const ready = nodes.filter((node) => node.ready === 'True').length;
  const rooms = waiting.map(({ count, reason }) => `${count} ${reason}`).join(', ');
  return [metadata.name ?? '', String(zones.length), `${ready}/${nodes.length}`, podsText(status), rooms || '<none>', nextText(status)];
}

function podsText({ nodes, classes }: ClusterMapStatus): string {
  const sums = new Array<number>(classes.length).fill(0);
  for (const { counts } of nodes)
    for (let index = 0; index < counts.length; index += 2) {
      const place = counts[index] as number;
      sums[place] = (sums[place] ?? 0) + (counts[index + 1] as number);
    }
  return classes.flatMap((name, place) => (sums[place] === 0 ? [] : [`${sums[place]} ${name}`])).join(', ') || '<none>';
}

function nextText({ nodes }: ClusterMapStatus): string {
  const [next] = nodes.filter(({ countdown }) => countdown !== undefined).sort((a, b) => (a.countdown?.untilMs ?? 0) - (b.countdown?.untilMs ?? 0));
  return next?.countdown === undefined ? '<none>' : `${next.name} ${words[next.countdown.what]} at ${formatTime(next.countdown.untilMs)}`;
}
