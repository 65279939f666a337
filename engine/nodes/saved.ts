/**
 * What machines and their kubelets remember, declared member by member: saved and checked by it (law 9). What is changed in place is
 * copied; objects of the API, code and records are shared.
 */
import type { Lease } from '../api/coordination/v1/types.gen.ts';
import type { Pod, ResourceClaim, ResourceRequirements } from '../api/core/v1/types.gen.ts';
import {
  addedLater,
  type Codec,
  data,
  dictionary,
  fixedDictionary,
  fixedList,
  flag,
  list,
  madeOf,
  mapOf,
  nullable,
  number,
  oneOf,
  optional,
  record,
  shape,
  text,
  texts,
  variants,
} from '../base/codecs.ts';
import { systemDiskFaults } from '../base/fault-points.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import {
  type BusyStep,
  type ContainerRun,
  type Ended,
  noFiles,
  noResize,
  type PodWorker,
  type ProbeAnswer,
  type ProbeRun,
  type Resize,
  type ResizeFinding,
  type Verdict,
} from './kubelet/worker.ts';
import type { Machine, MachineImage, Pressure, Shutdown, Since } from './machine.ts';
import type { ClockStep } from './machine-clock.ts';
import type { LoadPoint, LoadProfile } from './runtime/load.ts';
import type { LogLine } from './runtime/log-buffer.ts';
import type { Program, ServiceProgram, ShellProgram } from './runtime/program.ts';
import type { ShellState } from './runtime/shell-state.ts';
import type { Call } from './runtime/shell-calls.ts';
import type { Code } from './runtime/shell-code.ts';
import type { Level } from './runtime/shell-streams.ts';
import type { ShellConsole } from './runtime/shell-console.ts';
import type { Stdin } from './runtime/stdin.ts';
import type { Terminal } from './runtime/terminal.ts';

const numbers: Codec<Set<number>> = madeOf(
  list(number),
  (values) => [...values],
  (values) => new Set(values),
);

const since = fixedList(shape<Since>({ key: text, atMs: number }));
const pressure = record<Pressure>({
  since,
  met: fixedList(text),
  seen: since,
  conditions: fixedList(text),
  evicting: nullable(shape<NonNullable<Pressure['evicting']>>({ uid: text, sinceMs: number })),
  timer: number,
});

export const machineCodec = record<Machine>({
  name: text,
  pool: text,
  poolIndex: number,
  slot: number,
  zone: text,
  region: text,
  address: text,
  podCidr: text,
  otherCidr: optional(text),
  capacity: fixedDictionary(text),
  labels: fixedDictionary(text),
  taints: fixedList(data<JsonObject>()),
  kubeletVersion: text,
  instanceType: text,
  machineId: text,
  bootId: text,
  power: flag,
  connected: flag,
  hears: flag,
  stopped: flag,
  hung: flag,
  runtimeDownMs: nullable(number),
  struck: fixedList(text),
  diskFull: flag,
  systemDisk: addedLater(nullable(oneOf(...systemDiskFaults)), () => null),
  diskSlowness: number,
  memoryShort: flag,
  pidsShort: flag,
  pressure,
  imagesCollectedMs: number,
  imagesUncollected: flag,
  shutdown: nullable(shape<Shutdown>({ at: number, untilMs: number, isOff: flag, timer: number })),
  clockSteps: fixedList(shape<ClockStep>({ fromMs: number, aheadMs: number })),
  faultCauses: fixedList(text),
  kubeletSinceMs: nullable(number),
  registered: flag,
  labelled: flag,
  runtimeUp: flag,
  runtimeNews: flag,
  rebooted: flag,
  relistPhaseMs: number,
  lastReportMs: number,
  lastStatusMs: number,
  imagesChanged: flag,
  volumesInUse: fixedList(text),
  volumesReported: fixedList(text),
  images: mapOf(shape<MachineImage>({ names: fixedList(text), sizeBytes: number, id: text, pulledMs: number, lastUsedMs: number })),
  pullsBusyUntilMs: number,
  madePaths: fixedDictionary(text),
  hostFiles: addedLater(dictionary(text), () => ({})),
  nextHost: number,
  usedHosts: numbers,
  pods: texts,
  timer: number,
  heartbeatTimer: number,
  nodeUid: text,
  lease: nullable(data<Lease>()),
  leaseRenewedMs: number,
  bootedMs: number,
  endedCpuNanos: number,
});

const ended = shape<Ended>({ exitCode: number, reason: text, message: text, startedMs: number, finishedMs: number, id: text });
const probe = record<ProbeRun>({
  dueMs: number,
  run: number,
  last: nullable(flag),
  value: nullable(flag),
  hold: flag,
  answer: addedLater(nullable(record<ProbeAnswer>({ ok: flag, output: text, isError: optional(flag), isWarning: optional(flag) })), () => null),
  answerMs: addedLater(number, () => 0),
});
const wholeLine = shape<Omit<LogLine, 'isPartial'>>({ atMs: number, text });
const partOfLine = shape<Required<LogLine>>({ atMs: number, text, isPartial: flag as Codec<true> });
const line: Codec<LogLine> = {
  accepts: (saved) => wholeLine.accepts?.(saved) === true || partOfLine.accepts?.(saved) === true,
  encode: wholeLine.encode,
  decode: (saved, path) => (partOfLine.accepts?.(saved) === true ? partOfLine : wholeLine).decode(saved, path),
};
const lines = list(line) as Codec<LogLine[]>;

const curve = fixedList(shape<LoadPoint>({ atMs: number, value: number }));
const load = record<LoadProfile>({
  milliCpu: optional(curve),
  memoryBytes: optional(curve),
  diskBytes: optional(curve),
  processes: optional(number),
  periodMs: optional(number),
});

const typedAt = record<ShellConsole>({
  prompt: oneOf('ash', 'bash', 'dash', 'none'),
  pending: text,
  isPrompted: flag,
  redirects: addedLater(number, () => 0),
});

const call = record<Call>({
  kind: addedLater(oneOf('function', 'source', 'eval', 'trap', 'subshell'), () => 'function' as const),
  code: data(),
  pc: number,
  args: fixedList(text),
  lists: number,
  redirects: addedLater(number, () => 0),
  locals: dictionary(nullable(text)),
  wasTested: addedLater(flag, () => false),
  isFree: addedLater(flag, () => false),
  status: addedLater(number, () => 0),
  weight: addedLater(number, () => 0),
  outer: addedLater(nullable(data<NonNullable<Call['outer']>>()), () => null),
  console: addedLater(nullable(typedAt), () => null),
});

export const shellProgram = record<ShellProgram>({
  type: oneOf('shell'),
  shell: record<ShellState>({
    code: data(),
    pc: number,
    status: number,
    vars: dictionary(text),
    held: number,
    args: fixedList(text),
    lists: list(record<ShellState['lists'][number]>({ words: fixedList(text), at: number })) as Codec<ShellState['lists']>,
    calls: list(number) as Codec<number[]>,
    functions: dictionary(number),
    bodies: addedLater(dictionary(data<Code>() as unknown as Codec<JsonValue>) as unknown as Codec<Record<string, Code>>, () => ({})),
    frames: addedLater(list(call) as Codec<Call[]>, () => []),
    marks: addedLater(dictionary(flag), () => ({})),
    fixed: addedLater(list(text) as Codec<string[]>, () => []),
    redirects: addedLater(data<Level[]>(), () => []),
    options: addedLater(fixedList(text), () => []),
    traps: addedLater(dictionary(text), () => ({})),
    optionAt: addedLater(record<ShellState['optionAt']>({ index: number, inside: number }), () => ({ index: 1, inside: 1 })),
    umask: addedLater(text, () => '0022'),
    pending: addedLater(list(text) as Codec<string[]>, () => []),
    isTested: addedLater(flag, () => false),
    isWaiting: addedLater(flag, () => false),
    wakeMs: nullable(number),
    exitCode: nullable(number),
    trap: nullable(number),
    onTerm: addedLater(nullable(data<Code>()), () => null),
    backgroundMs: number,
    partial: text,
    oomKilled: flag,
    stdin: nullable(record<Stdin>({ text, ended: flag, endsOnce: addedLater(flag, () => false) })),
    console: nullable(typedAt),
    waits: flag,
    isBlocked: addedLater(flag, () => false),
  }),
  terminal: nullable(record<Terminal>({ line: text, escape: text, columns: number, rows: number })),
});

const program = variants<Program>({
  service: record<ServiceProgram>({
    type: oneOf('service'),
    program: text,
    startMs: number,
    readyMs: number,
    endMs: nullable(number),
    exitCode: number,
    load: nullable(load),
  }),
  shell: shellProgram,
});

/** Containers that have written no file share one value. */
const files = madeOf<Record<string, string>, Record<string, string>>(
  dictionary(text),
  (written) => written,
  (written) => (Object.keys(written).length === 0 ? noFiles : written),
);

const amounts = optional(fixedDictionary(text));
const resources = record<ResourceRequirements>({
  limits: amounts,
  requests: amounts,
  claims: optional(list(record<ResourceClaim>({ name: text, request: optional(text) }))),
});
const finding = nullable(shape<ResizeFinding>({ reason: text, message: text, generation: number, sinceMs: number }));
const resize = madeOf<Resize, Resize>(
  record<Resize>({ pending: finding, retryMs: nullable(number), progress: finding, dueMs: nullable(number) }),
  (value) => value,
  (value) => (Object.values(value).every((one) => one === null) ? noResize : value),
);

const containerRun = record<ContainerRun>({
  name: text,
  role: oneOf('init', 'sidecar', 'main', 'ephemeral'),
  index: number,
  state: oneOf('waiting', 'running', 'terminated'),
  reason: text,
  message: text,
  restarts: number,
  id: text,
  startedMs: number,
  ended: nullable(ended),
  previous: nullable(ended),
  started: flag,
  ready: flag,
  backoffMs: number,
  backoffSetMs: number,
  pullBackoffMs: number,
  pullRetryMs: number,
  pullError: text,
  retryMs: number,
  untold: addedLater(nullable(shape<Verdict>({ reason: text, message: text })), () => null),
  allocated: nullable(resources),
  actual: nullable(resources),
  program: nullable(program),
  oomMs: nullable(number),
  killMs: nullable(number),
  preStopMs: nullable(number),
  probes: nullable(record<NonNullable<ContainerRun['probes']>>({ startup: optional(probe), liveness: optional(probe), readiness: optional(probe) })),
  log: nullable(lines),
  previousLog: nullable(lines),
  files,
});

/** The pod is null where it is what the informer has. */
export type SavedWorker = Omit<PodWorker, 'pod'> & { readonly pod: Pod | null };

function unlessKnown(isKnown: (pod: Pod) => boolean): Codec<Pod | null> {
  const pods = nullable(data<Pod>());
  return { encode: (pod) => (pod === null || isKnown(pod) ? null : pods.encode(pod)), decode: pods.decode };
}

/** `isKnown`: whether it is what the informer has. */
export const workerCodec = (isKnown: (pod: Pod) => boolean): Codec<SavedWorker> =>
  record<SavedWorker>({
    uid: text,
    namespace: text,
    name: text,
    node: text,
    pod: unlessKnown(isKnown),
    isStatic: flag,
    mirror: nullable(data<Pod>()),
    stage: oneOf('admission', 'volumes', 'sandbox', 'active', 'rejected', 'finished'),
    addedMs: number,
    stageMs: number,
    mountBackoffMs: number,
    setUpSinceMs: nullable(number),
    setUpRetryMs: number,
    attachSinceMs: nullable(number),
    hasDevices: flag,
    accountUid: addedLater(text, () => ''),
    volumeFiles: files,
    mountedMs: nullable(number),
    ip: text,
    sandboxMs: addedLater(number, () => 0),
    containers: list(containerRun) as Codec<ContainerRun[]>,
    busy: nullable(
      shape<NonNullable<PodWorker['busy']>>({
        container: number,
        step: oneOf<BusyStep>('pull', 'start', 'postStart'),
        untilMs: number,
        sinceMs: number,
        beganMs: number,
      }),
    ),
    lookMs: addedLater(nullable(number), () => null),
    restartAllMs: nullable(number),
    stopping: nullable(shape<NonNullable<PodWorker['stopping']>>({ sinceMs: number, graceMs: number })),
    teardownMs: nullable(number),
    victims: fixedList(text),
    verdict: nullable(shape<NonNullable<PodWorker['verdict']>>({ reason: text, message: text, disruption: nullable(text) })),
    gone: flag,
    flushMs: nullable(number),
    takeBackMs: optional(number),
    causes: fixedList(text),
    timer: number,
    timerMs: nullable(number),
    retryMs: nullable(number),
    requests: fixedDictionary(number),
    allocated: addedLater(nullable(resources), () => null),
    actual: addedLater(nullable(resources), () => null),
    resize,
    deleted: flag,
  });
