/** Clusters with a session on disk, in process and without sockets: `await openSession(path)`. */
import { checkEngine, configOf, currentBuild, headOf } from '../../engine/host/session.ts';
import { SessionRecorder, type SessionLostError } from '../../engine/host/session-recorder.ts';
import { reach, resume, type Resumed } from '../../engine/host/session-resume.ts';
import type { LineSeals } from '../../engine/persistence/sealed-lines.ts';
import type { WriteBytes } from '../../engine/persistence/log-writer.ts';
import { SessionFile } from '../../engine/persistence/session-file.ts';
import type { ClusterHost } from '../../engine/cluster/cluster-host.ts';
import type { ClusterConfig } from '../../engine/cluster/config.ts';
import { callDoor, madeCluster, testConfig, type TestCluster } from './cluster.ts';

export interface OpenSession extends TestCluster {
  readonly recorder: SessionRecorder;
  readonly resumed: Resumed | undefined;
  readonly lost: SessionLostError[];
  /** As the process is killed: what was not handed to the operating system is gone. */
  kill(): void;
  close(): Promise<void>;
}

export async function openSession(
  path: string,
  config: Partial<ClusterConfig> = {},
  write?: WriteBytes,
  host: Partial<ClusterHost> = {},
  bytesMax?: number,
  onNote: (line: string) => void = () => undefined,
  seals?: LineSeals,
): Promise<OpenSession> {
  const session = SessionFile.openOrCreate(path, seals);
  const { head } = session;
  if (head !== undefined) checkEngine(path, head);
  const made = madeCluster(head === undefined ? config : configOf(head), host);
  const { cluster, door } = made;
  const parts: { recorder?: SessionRecorder } = {};
  door.listen({ onInput: (input) => parts.recorder?.onInput(input) });
  let resumed: Resumed | undefined;
  if (head === undefined) await cluster.start();
  else resumed = await resumedOrClosed(cluster, session);
  const build = currentBuild();
  const lost: SessionLostError[] = [];
  const recorder = new SessionRecorder({
    cluster,
    session,
    writer: head === undefined ? session.begin(headOf(testConfig(config), build), write) : session.goOn(write),
    build,
    writtenBy: resumed?.build,
    chain: resumed?.chain,
    loggedRevision: resumed?.loggedRevision ?? 0,
    bytesMax,
    onNote,
    onLost: (error) => lost.push(error),
  });
  parts.recorder = recorder;
  recorder.start();
  return {
    ...made,
    recorder,
    resumed,
    lost,
    call: <T>(method: string, place: string, body?: unknown, contentType = 'application/json') => {
      recorder.mustBeWritable();
      const answer = callDoor<T>(door, method, place, body, contentType);
      recorder.commit();
      return answer;
    },
    kill: () => recorder.abandon(),
    close: () => recorder.close(),
  };
}

/** As a branch does. */
async function resumedOrClosed(...[cluster, session]: Parameters<typeof resume>): Promise<Resumed> {
  try {
    return await resume(cluster, session);
  } catch (error) {
    session.close();
    throw error;
  }
}

/** Another cluster, brought to a place of a session. */
export async function reached(path: string, tasksRun: number, seals?: LineSeals): Promise<TestCluster> {
  const session = SessionFile.openToRead(path, seals);
  if (session.head === undefined) throw new Error(`${path} is empty`);
  const made = madeCluster(configOf(session.head));
  try {
    await reach(made.cluster, session, tasksRun);
  } finally {
    session.close();
  }
  return made;
}
