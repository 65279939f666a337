/**
 * Back-offs as who watches a pod sees them. A kubelet looks at a pod when its runtime says that something has ended (each second), and,
 * where something failed, later again; what a look finds is told with the next one. Times follow from pkg/kubelet/pod_workers.go
 * (completeWork): 10 s, or until the back-off is over but 60 s at most, and up to half as long again, rounded up to a second.
 */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { JsonObject } from '../base/json.ts';
import { pods } from '../client/resources.ts';
import { Rig } from './testing/rig.ts';

interface Told {
  readonly atMs: number;
  readonly state: string;
  readonly restarts: number;
}

interface Watched {
  readonly rig: Rig;
  readonly told: readonly Told[];
  /** Instants of Events of the pod that begin so. */
  times(text: string): readonly number[];
}

const crash: JsonObject = { name: 'c', image: 'busybox', command: ['sh', '-c', 'exit 1'] };
const second = 1_000;
/** The kubelet looks at its runtime once in it, an answer takes its time. */
const seen = 1.2 * second;

async function watch(containers: JsonObject[], forMs: number, waitsForBackoffs = true): Promise<Watched> {
  const rig = new Rig({ waitsForBackoffs });
  await rig.startPool({ count: 1 });
  rig.clear();
  const told: Told[] = [];
  const startMs = rig.nowMs;
  rig.store.watch({
    prefix: '/registry/pods/',
    onChanges: (changes) => {
      for (const { current } of changes) {
        const [status] = (current?.value as Pod | undefined)?.status?.containerStatuses ?? [];
        const state = status?.state?.waiting?.reason ?? status?.state?.terminated?.reason ?? 'Running';
        if (status !== undefined && told.at(-1)?.state !== state) told.push({ atMs: rig.nowMs - startMs, state, restarts: status.restartCount });
      }
    },
  });
  rig.addPod('p', { containers });
  await rig.advance(forMs);
  const times = (text: string): readonly number[] => rig.events.filter((event) => event.text.startsWith(text)).map(({ atMs }) => atMs - startMs);
  return { rig, told, times };
}

function between(value: number | undefined, min: number, max: number): void {
  expect(value).toBeGreaterThanOrEqual(min);
  expect(value).toBeLessThanOrEqual(max);
}

describe('a container that crashes', () => {
  it('shows its end while it waits, and CrashLoopBackOff when its kubelet looks again, which is when it starts again', async () => {
    const { told, times } = await watch([crash], 150 * second);
    expect(told.map(({ state, restarts }) => `${state} ${restarts}`).slice(1, 8)).toEqual([
      'Error 0',
      'CrashLoopBackOff 1',
      'Error 2',
      'CrashLoopBackOff 2',
      'Error 3',
      'CrashLoopBackOff 3',
      'Error 4',
    ]);
    const starts = times('Normal Started');
    for (const [index, backoffMs] of [10, 20, 40].map((seconds) => seconds * second).entries()) {
      const endedMs = starts[index + 1] ?? 0;
      const backOffAt = told.filter(({ state }) => state === 'CrashLoopBackOff')[index]?.atMs;
      between(backOffAt, endedMs + backoffMs, endedMs + seen + backoffMs * 1.5 + second);
      between(starts[index + 2], backOffAt ?? 0, (backOffAt ?? 0) + second);
    }
  });

  it('is looked at again within a back-off that is longer than a minute and a half, and told of each time', async () => {
    const { told, times } = await watch([crash], 660 * second);
    const starts = times('Normal Started');
    const backOffs = times('Warning BackOff');
    for (const [from, to] of starts.slice(2).map((atMs, index, all) => [atMs, all[index + 1]] as const)) {
      const looks = backOffs.filter((atMs) => atMs > from && atMs < (to ?? Number.POSITIVE_INFINITY));
      expect(looks.length).toBeGreaterThanOrEqual(1);
      between(looks[0], from, from + seen);
      for (const [index, atMs] of looks.slice(1).entries()) between(atMs, (looks[index] ?? 0) + 1, (looks[index] ?? 0) + 91 * second);
    }
    expect(backOffs.length).toBeGreaterThan(starts.length);
    const longest = starts.at(-1) ?? 0;
    expect(told.some(({ atMs, state }) => state === 'CrashLoopBackOff' && atMs > longest && atMs < longest + 160 * second)).toBe(true);
  });

  it('is looked at every ten to fifteen seconds by kubelets of old', async () => {
    const { told, times } = await watch([crash], 120 * second, false);
    const starts = times('Normal Started');
    const backOffs = times('Warning BackOff');
    const last = starts.at(-1) ?? 0;
    const looks = backOffs.filter((atMs) => atMs > last);
    expect(looks.length).toBeGreaterThanOrEqual(2);
    for (const [index, atMs] of looks.slice(1).entries()) between(atMs - (looks[index] ?? 0), 10 * second, 16 * second);
    const [first, again] = ['Error', 'CrashLoopBackOff'].map((state) => told.find((one) => one.state === state && one.atMs > last)?.atMs ?? 0);
    between((again ?? 0) - (first ?? 0), 10 * second, 16 * second);
  });

  it('is looked at when another of its pod ends, too', async () => {
    const other = { name: 'other', image: 'busybox', command: ['sh', '-c', 'sleep 17; exit 1'] };
    const { told, times } = await watch([crash, other], 25 * second);
    const [, , thirdStart] = times('Normal Started').filter((_, index) => index !== 1);
    expect(told.map(({ state }) => state)).toContain('CrashLoopBackOff');
    expect(times('Warning BackOff').length).toBeGreaterThanOrEqual(2);
    expect(thirdStart).toBeDefined();
  });

  it('starts at once as another one when its image is changed', async () => {
    const { rig, times } = await watch([crash], 5 * second);
    const before = times('Normal Started').length;
    rig.change(pods, 'default', 'p', (pod) => ({
      ...pod,
      spec: { ...pod.spec, containers: [{ ...crash, name: 'c', image: 'busybox:1.36', command: ['sleep', '600'] }] },
    }));
    await rig.advance(4 * second);
    expect(times('Normal Started')).toHaveLength(before + 1);
    rig.change(pods, 'default', 'p', (pod) => ({
      ...pod,
      spec: { ...pod.spec, terminationGracePeriodSeconds: 1, containers: [{ name: 'c', image: 'busybox:1.35', command: ['sleep', '600'] }] },
    }));
    await rig.advance(6 * second);
    expect(rig.eventTexts('Pod default/p')).toContain('Normal Killing Container c definition changed, will be restarted');
    expect(rig.pod('p')?.status?.containerStatuses?.[0]).toMatchObject({ ready: true, image: 'docker.io/library/busybox:1.35' });
  });
});

describe('an image that cannot be pulled', () => {
  it('shows ErrImagePull when the pull has failed, ImagePullBackOff with the look after the next, and so on', async () => {
    const { told, times } = await watch([{ name: 'c', image: 'nginx:1.161' }], 90 * second);
    expect(told.map(({ state }) => state)).toEqual([
      'ContainerCreating',
      'ErrImagePull',
      'ImagePullBackOff',
      'ErrImagePull',
      'ImagePullBackOff',
      'ErrImagePull',
      ...told.slice(6).map(({ state }) => state),
    ]);
    const [failedMs = 0] = times('Warning Failed Failed to pull');
    between(told[1]?.atMs, failedMs, failedMs + seen);
    for (const index of [2, 3, 4, 5]) between((told[index]?.atMs ?? 0) - (told[index - 1]?.atMs ?? 0), 10 * second, 30 * second);
    // The look that the runtime asked for, because the sandbox had begun.
    between(times('Normal BackOff')[0], failedMs, failedMs + seen);
    expect(times('Warning Failed Error: ImagePullBackOff')).toHaveLength(times('Normal BackOff').length);
    expect(times('Warning Failed Error: ErrImagePull')).toHaveLength(times('Normal Pulling').length);
  });

  it('does not wait for its back-off when it is another image', async () => {
    const { rig } = await watch([{ name: 'c', image: 'nginx:1.161' }], 60 * second);
    rig.change(pods, 'default', 'p', (pod) => ({ ...pod, spec: { ...pod.spec, containers: [{ name: 'c', image: 'nginx:1.27' }] } }));
    await rig.advance(5 * second);
    expect(rig.pod('p')?.status?.phase).toBe('Running');
  });
});
