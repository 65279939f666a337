/** Connections to a server that a kubeconfig leads to. */
import { Agent as PlainAgent } from 'node:http';
import { Agent } from 'node:https';
import type { Credentials } from './credentials.ts';
import type { RemoteServer } from './kubeconfig-reader.ts';

/** They stay open, and show the certificate of these credentials, if there is one. `socketsMax` at a time; who comes then waits for one. */
export function agentFor(
  { server, ca, insecure, serverName }: RemoteServer,
  { cert, key }: Credentials,
  socketsMax = Number.POSITIVE_INFINITY,
): Agent | PlainAgent {
  if (server.startsWith('http://')) return new PlainAgent({ keepAlive: true, maxSockets: socketsMax });
  return new Agent({
    keepAlive: true,
    maxSockets: socketsMax,
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
}
