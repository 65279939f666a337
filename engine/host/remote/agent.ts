/** Connections to a server that a kubeconfig leads to. */
import { Agent as PlainAgent, type AgentOptions } from 'node:http';
import { Agent } from 'node:https';
import type { Credentials } from './credentials.ts';
import type { RemoteServer } from './kubeconfig-reader.ts';

/** They stay open, and show the certificate of these credentials, if there is one. `socketsMax` at a time; who comes then waits for one. */
export function agentFor(
  { server, ca, insecure, serverName, proxyUrl }: RemoteServer,
  { cert, key }: Credentials,
  socketsMax = Number.POSITIVE_INFINITY,
): Agent | PlainAgent {
  if (server.startsWith('http://')) return new PlainAgent({ keepAlive: true, maxSockets: socketsMax, ...proxied(proxyUrl) });
  return new Agent({
    keepAlive: true,
    maxSockets: socketsMax,
    ...proxied(proxyUrl),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
}

/** A proxy that a kubeconfig names is gone through whatever the environment says of exceptions. */
function proxied(url: string | undefined): Pick<AgentOptions, 'proxyEnv'> {
  return url === undefined ? {} : { proxyEnv: { HTTP_PROXY: url, HTTPS_PROXY: url } };
}
