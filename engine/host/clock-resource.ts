/** The Clock object over the pacer: reading tells the time, writing steers it. Outside history. */
import type { Clock, ClockSpec } from '../api/sim/v1alpha1/clock.ts';
import { newInvalid } from '../apimachinery/errors.ts';
import { invalid, root } from '../apimachinery/field-errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { formatDuration, formatMicroTime, parseDuration, parseTime } from '../apimachinery/time.ts';
import type { ComputedResource } from '../contracts/computed-resource.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { clockKind } from '../cluster/host-kinds.ts';
import type { Pacer, Speed } from './pacing.ts';

const dayMs = 86_400_000;
const clockName = 'cluster';
/** Heartbeats and what only they change do not count as something happening. */
const heartbeatPrefix = '/registry/leases/';

export function parseSpeed(text: string): Speed | undefined {
  if (text === 'paused' || text === 'max') return text;
  const value = Number(text);
  return text.trim() !== '' && Number.isFinite(value) && value > 0 ? value : undefined;
}

export function readClock(cluster: Cluster, pacer: Pacer): Clock {
  const { loop, config, store } = cluster;
  const nextMs = loop.nextDueMs();
  const until = pacer.rushUntilMs;
  return {
    kind: 'Clock',
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    metadata: { name: clockName },
    spec: { speed: String(pacer.speed), settle: formatDuration(pacer.settleMs) },
    status: {
      virtualTime: formatMicroTime(loop.nowMs()),
      virtualMs: loop.nowMs(),
      startTime: formatMicroTime(config.startMs),
      ...(nextMs === undefined ? {} : { nextTaskTime: formatMicroTime(nextMs) }),
      ...(until === undefined ? {} : { runningUntil: formatMicroTime(until) }),
      ...pacer.pace(),
      tasksRun: loop.tasksRun,
      seed: config.seed,
      digest: cluster.digest,
      revision: store.currentRevision(),
    },
  };
}

export function clockResource(cluster: Cluster, pacer: () => Pacer): ComputedResource {
  const read = (): Clock => readClock(cluster, pacer());
  const write = (object: KubeObject): Clock => {
    steer(cluster, pacer(), (object as Clock).spec ?? {});
    return read();
  };
  return {
    kind: clockKind,
    get: (name) => (name === clockName ? read() : undefined),
    list: () => [read()],
    update: write,
    patch: (_name, document) => write(document as unknown as KubeObject),
  };
}

function steer(cluster: Cluster, pacer: Pacer, spec: ClockSpec): void {
  const { loop } = cluster;
  for (const [name, value] of Object.entries(spec))
    if (typeof value !== 'string') throw refuse(name, JSON.stringify(value), 'must be a text: write a speed of 60 as "60"');
  if (spec.settle !== undefined) pacer.setSettle(duration('settle', spec.settle));
  if (spec.speed !== undefined) {
    const speed = parseSpeed(spec.speed);
    if (speed === undefined) throw refuse('speed', spec.speed, 'must be `paused`, `max` or a number above 0');
    if (speed !== pacer.speed) pacer.setSpeed(speed);
  }
  if (spec.advance !== undefined) void pacer.runUntil(loop.nowMs() + duration('advance', spec.advance));
  if (spec.runUntil !== undefined) {
    const ms = parseTime(spec.runUntil);
    if (ms === undefined || ms < loop.nowMs()) throw refuse('runUntil', spec.runUntil, 'must be an RFC 3339 time that is not past');
    void pacer.runUntil(ms);
  }
  if (spec.step === 'instant') void pacer.step();
  else if (spec.step === 'event') stepToEvent(cluster, pacer);
  else if (spec.step !== undefined) throw refuse('step', spec.step, 'must be `instant` or `event`');
}

/** Runs to the next change that is not a heartbeat, and pauses there. */
function stepToEvent(cluster: Cluster, pacer: Pacer): void {
  pacer.setSpeed('paused');
  const watcher = cluster.store.watch({
    prefix: '',
    onChanges: (changes) => {
      if (changes.some((change) => !change.key.startsWith(heartbeatPrefix))) pacer.endRush();
    },
  });
  void pacer.runUntil(cluster.loop.nowMs() + dayMs).then(() => watcher.cancel());
}

function duration(name: string, text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms < 0) throw refuse(name, text, 'must be a duration such as 500ms, 90s or 10m');
  return ms;
}

function refuse(name: string, value: string, why: string): Error {
  return newInvalid({ group: 'sim.wavetank.dev', kind: 'Clock' }, clockName, [invalid(root('spec', name), value, why)]);
}
