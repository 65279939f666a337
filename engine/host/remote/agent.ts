/** Connections to a server that a kubeconfig leads to. */
import { Agent as PlainAgent, type AgentOptions } from 'node:http';
import { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect as secure, type ConnectionOptions } from 'node:tls';
import type { Credentials } from './credentials.ts';
import type { RemoteServer } from './kubeconfig-reader.ts';
import { proxyFromEnvironment } from './proxies.ts';
import { dial } from './tunnel.ts';
import { trusting } from '../trust.ts';

/** They stay open, and show the certificate of these credentials, if there is one. `socketsMax` at a time; who comes then waits for one. */
export function agentFor(remote: RemoteServer, credentials: Credentials, socketsMax = Number.POSITIVE_INFINITY): Agent | PlainAgent {
  const proxy = proxyOf(remote);
  const common = { keepAlive: true, maxSockets: socketsMax };
  if (remote.server.startsWith('http://')) return plainAgent(common, proxy);
  return secureAgent({ ...common, ...tlsOptions(remote, credentials) }, proxy);
}

/** What the kubeconfig says goes before the environment, and whatever that says of exceptions. */
export function proxyOf({ server, proxyUrl }: RemoteServer): string | undefined {
  return proxyUrl ?? proxyFromEnvironment(new URL(server), process.env);
}

export function tlsOptions({ ca, insecure, serverName }: RemoteServer, { cert, key }: Credentials): ConnectionOptions {
  return {
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...trusting(ca),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

type Connected = (error: Error | null, socket?: Duplex) => void;
/** As an agent asks for a connection. */
type Place = ConnectionOptions & { readonly host?: string; readonly port?: number | string };

export function secureAgent(options: ConstructorParameters<typeof Agent>[0], proxy: string | undefined): Agent {
  if (!isSocks(proxy)) return new Agent({ ...options, ...proxied(proxy) });
  const agent = new Agent(options);
  return Object.assign(agent, {
    createConnection: (place: Place, done: Connected): void =>
      void throughSocks(proxy, place, done, (socket) => secure({ ...place, path: undefined, socket } as ConnectionOptions)),
  });
}

function plainAgent(options: AgentOptions, proxy: string | undefined): PlainAgent {
  if (!isSocks(proxy)) return new PlainAgent({ ...options, ...proxied(proxy) });
  return Object.assign(new PlainAgent(options), {
    createConnection: (place: Place, done: Connected): void => void throughSocks(proxy, place, done, (socket) => socket),
  });
}

async function throughSocks(proxy: string, { host = '', port = 0 }: Place, done: Connected, wrap: (socket: Duplex) => Duplex): Promise<void> {
  try {
    done(null, wrap(await dial({ host, port: Number(port) }, proxy)));
  } catch (error) {
    done(error as Error);
  }
}

function isSocks(proxy: string | undefined): proxy is string {
  return proxy !== undefined && /^socks5h?:/i.test(proxy);
}

function proxied(url: string | undefined): Pick<AgentOptions, 'proxyEnv'> {
  return url === undefined ? {} : { proxyEnv: { HTTP_PROXY: url, HTTPS_PROXY: url } };
}
