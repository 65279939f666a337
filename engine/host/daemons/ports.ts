/** The two ports of a daemon. */
import { listen, ListenError, type Listener } from '../../serving/listener.ts';
import { delegatedAuthentication } from './delegated-authentication.ts';
import { delegatedAuthorization } from './delegated-authorization.ts';
import { badUsage, type FlagValues } from './flag-set.ts';
import { type DaemonState, guardedHandler, openHandler } from './routes.ts';
import { daemonCertificates } from './daemon-certificates.ts';
import { tlsSettings } from './tls-settings.ts';

const portMax = 65_535;
const place = 'ports';

export interface Ports {
  /** Undefined where the port is not served. */
  readonly secure: number | undefined;
  readonly insecure: number | undefined;
  close(): Promise<void>;
}

/** Throws a CommandError for numbers that are no ports and addresses that cannot be listened on. */
export async function openPorts(state: DaemonState): Promise<Ports> {
  const { flags, log } = state;
  const securePort = securePortOf(flags);
  const insecurePort = insecurePortOf(flags);
  const closers: (() => Promise<void>)[] = [];
  const onDefect = (error: Error): void => log.error(place, `an answer failed: ${error.stack ?? error.message}`);
  const close = async (): Promise<void> => void (await Promise.all(closers.map((end) => end())));
  try {
    const secure = securePort === 0 ? undefined : await openSecure(state, securePort, onDefect, closers);
    const insecure = insecurePort === 0 ? undefined : await listenAt(flags.text('address'), insecurePort, { handler: openHandler(state), onDefect });
    if (insecure !== undefined) closers.push(() => insecure.close());
    return { secure: secure?.port, insecure: insecure?.port, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** With all that has to be closed again, in `closers`, also where it throws. */
async function openSecure(state: DaemonState, port: number, onDefect: (error: Error) => void, closers: (() => Promise<void>)[]): Promise<Listener> {
  const { flags, log, nowMs } = state;
  const authorization = delegatedAuthorization(flags, log, nowMs);
  closers.push(async () => authorization.close());
  const authentication = await delegatedAuthentication(flags, log, nowMs);
  closers.push(async () => authentication.close());
  const streams = flags.number('http2-max-streams-per-connection');
  const listener = await listenAt(flags.text('bind-address'), port, {
    tls: {
      ...daemonCertificates(state.daemon, flags),
      clientAuthorityPem: authentication.authoritiesPem,
      ...tlsSettings(flags),
      ...(streams > 0 ? { maxConcurrentStreams: streams } : {}),
      http1Only: flags.isOn('disable-http2-serving'),
    },
    handler: guardedHandler(state, authentication, authorization),
    onDefect,
  });
  closers.push(listener.close);
  return listener;
}

async function listenAt(host: string, port: number, options: Omit<Parameters<typeof listen>[0], 'host' | 'port'>): Promise<Listener> {
  try {
    return await listen({ ...options, host: host === '' ? '0.0.0.0' : host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!(error instanceof ListenError) && code === undefined) throw error;
    const why = reasonsOf(error as Error) ?? message;
    throw badUsage(`failed to create listener: failed to listen on ${host}:${port}: listen tcp ${host}:${port}: bind: ${why}`);
  }
}

/** In Go's words. */
function reasonsOf(error: Error): string | undefined {
  if (error instanceof ListenError) return error.message.includes('is in use') ? 'address already in use' : 'permission denied';
  return (error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL' ? 'cannot assign requested address' : undefined;
}

function securePortOf(flags: FlagValues): number {
  return portOf(flags, 'secure-port', '0 for turning off secure (HTTPS) port');
}

function insecurePortOf(flags: FlagValues): number {
  return portOf(flags, 'port', '0 for turning off insecure (HTTP) port');
}

function portOf(flags: FlagValues, name: string, off: string): number {
  const port = flags.number(name);
  if (port < 0 || port > portMax) throw badUsage(`--${name} ${port} must be between 0 and 65535, inclusive. ${off}`);
  return port;
}
