/** Connections to a server that a kubeconfig leads to. */
import { Agent as PlainAgent } from 'node:http';
import { Agent } from 'node:https';
import type { Credentials } from './credentials.ts';
import type { RemoteServer } from './kubeconfig-reader.ts';

/** They stay open, and show the certificate of these credentials, if there is one. */
export function agentFor({ server, ca, insecure, serverName }: RemoteServer, { cert, key }: Credentials): Agent | PlainAgent {
  if (server.startsWith('http://')) return new PlainAgent({ keepAlive: true });
  return new Agent({
    keepAlive: true,
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
}
