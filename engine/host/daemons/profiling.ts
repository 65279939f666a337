/** `/debug/pprof/`: what V8 can say of a running daemon. Files open in the developer tools of a browser, not in Go's pprof. */
import { Session } from 'node:inspector/promises';
import type { PlainResponse, ServedRequest } from '../../serving/exchange.ts';

const prefix = '/debug/pprof/';
const secondsMax = 300;
const standardSeconds = 30;

/** Undefined for a profile that there is none of. */
export function profile({ path, query }: ServedRequest): PlainResponse | Promise<PlainResponse> | undefined {
  const seconds = Number(new URLSearchParams(query).get('seconds') ?? standardSeconds);
  switch (path.slice(prefix.length)) {
    case '':
      return plain(
        'profile: processor time, ?seconds=N (cpuprofile)\nheap: live memory by place, ?seconds=N (heapprofile)\ncmdline: how the process was started\n',
      );
    case 'cmdline':
      return plain(process.argv.join('\0'));
    case 'profile':
    case 'heap':
      if (!(seconds > 0 && seconds <= secondsMax))
        return { ...plain(`Could not enable CPU profiling: seconds must be above 0 and at most ${secondsMax}\n`), status: 400 };
      return path.endsWith('heap') ? heapProfile(seconds) : cpuProfile(seconds);
    default:
      return undefined;
  }
}

async function cpuProfile(seconds: number): Promise<PlainResponse> {
  return inSession(async (session) => {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await pause(seconds);
    return (await session.post('Profiler.stop')).profile;
  });
}

async function heapProfile(seconds: number): Promise<PlainResponse> {
  return inSession(async (session) => {
    await session.post('HeapProfiler.startSampling');
    await pause(seconds);
    return (await session.post('HeapProfiler.stopSampling')).profile;
  });
}

async function inSession(work: (session: Session) => Promise<object>): Promise<PlainResponse> {
  const session = new Session();
  session.connect();
  try {
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(await work(session)) };
  } finally {
    session.disconnect();
  }
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

function plain(body: string): PlainResponse {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}
