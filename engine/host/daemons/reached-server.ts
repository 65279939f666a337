/** Which server a daemon speaks to, by its kubeconfig and `--master`. */
import { CommandError } from '../command-error.ts';
import { readKubeconfig, type RemoteServer } from '../remote/kubeconfig-reader.ts';
import { badUsage, type FlagValues } from './flag-set.ts';

/** Forms of requests that clients of release 1.13 had; what is not said is JSON. */
const formsThen: ReadonlySet<string> = new Set(['', 'application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']);

export function serverOf(flags: FlagValues): RemoteServer {
  const form = flags.text('kube-api-content-type');
  const server = reachedBy(flags);
  if (flags.dialect === 'old' && !formsThen.has(form.replace(/\s*;.*$/s, ''))) throw badUsage(`no serializers registered for ${form}`);
  return server;
}

function reachedBy(flags: FlagValues): RemoteServer {
  const file = flags.text('kubeconfig');
  const master = flags.text('master');
  if (file === '') {
    if (master === '') throw badUsage('invalid configuration: no configuration has been provided, try setting --kubeconfig or --master');
    return { server: withScheme(master, false) };
  }
  try {
    const server = readKubeconfig(file);
    return master === '' ? server : { ...server, server: withScheme(master, server.ca !== undefined || server.insecure === true) };
  } catch (error) {
    throw error instanceof CommandError ? badUsage(error.message) : error;
  }
}

/** As client-go reads an address: without a scheme it is HTTPS where there is something to do TLS with. */
function withScheme(master: string, hasTls: boolean): string {
  const address = master.includes('://') ? master : `${hasTls ? 'https' : 'http'}://${master}`;
  if (!/^https?:\/\/./.test(address)) throw badUsage(`invalid configuration: the server ${JSON.stringify(master)} is no address of HTTP or HTTPS`);
  return address;
}
