/**
 * Storages that lead to a kubelet: logs, processes and port-forward, and an honest no for what is not built. Mirrors
 * pkg/registry/core/pod/rest.
 */
import { readTime } from '../../apimachinery/rfc3339.ts';
import { setOwn } from '../../base/dictionary.ts';
import { newBadRequest, newInvalid, newNotFound, newStatusError } from '../../apimachinery/errors.ts';
import { type FieldErrorList, forbidden, invalid, notSupported, root } from '../../apimachinery/field-errors.ts';
import type { Ratchet } from '../../contracts/ratchets.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { KubeletConnections, LogOptions, ProxyPlace } from '../../contracts/connect.ts';
import type { ApiRequest, Verb } from '../../contracts/request.ts';
import type { Connection, ConnectOperation, Parameters, RestStorage } from '../../contracts/rest-storage.ts';
import { type FindObject, kubeletOf, podPlaces, servicePlaces, unheard } from '../proxy/proxy-target.ts';
import type { Resource } from '../../registry/resource.ts';
import { readBool, readInt } from '../query-options.ts';
import { foreignBody, ownBody } from './object-body.ts';
import type { StorageTools } from './storage-tools.ts';

interface Gates {
  featureEnabled(gate: string): boolean;
  ratcheted(ratchet: Ratchet): boolean;
}

interface Connecter {
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** Kind of the options; the object's own where there is none. */
  readonly options?: string;
  /** Throws where what is asked cannot be, whatever object it is asked of. */
  readonly judge?: (parameters: Parameters, name: string, gates: Gates) => void;
  /** Where it leads by a name that may say scheme and port. */
  readonly places?: (id: string, find: FindObject) => readonly ProxyPlace[];
  /** Which object is meant by such a name. */
  readonly named?: (id: string, find: FindObject) => string;
  readonly connect?: (call: Call) => Connection;
}

/** A request for what a kubelet has. */
interface Call {
  readonly request: ApiRequest;
  readonly parameters: Parameters;
  readonly kubelets: KubeletConnections;
  /** What stands behind the subresource. */
  readonly path: readonly string[];
  readonly stored: KubeObject;
  readonly find: FindObject;
  readonly gates: Gates;
}

const streamVerbs: readonly Verb[] = ['create', 'get'];
const proxyVerbs: readonly Verb[] = ['create', 'delete', 'get', 'patch', 'update'];

const connecters: { readonly [resource: string]: readonly Connecter[] } = {
  '/pods': [
    { name: 'attach', verbs: streamVerbs, options: 'PodAttachOptions', connect: attach },
    { name: 'exec', verbs: streamVerbs, options: 'PodExecOptions', connect: exec },
    { name: 'log', verbs: ['get'], judge: judgeLog, connect: readLog },
    { name: 'portforward', verbs: streamVerbs, options: 'PodPortForwardOptions', connect: forwardPort },
    { name: 'proxy', verbs: proxyVerbs, options: 'PodProxyOptions', places: podPlaces },
  ],
  '/services': [{ name: 'proxy', verbs: proxyVerbs, options: 'ServiceProxyOptions', places: servicePlaces }],
  '/nodes': [{ name: 'proxy', verbs: proxyVerbs, options: 'NodeProxyOptions', named: kubeletOf, connect: readNode }],
};

export function kubeletStorages(resource: Resource, tools: StorageTools): readonly RestStorage[] {
  const { group, version, plural } = resource.kind;
  return (connecters[`${group}/${plural}`] ?? []).map((connecter) => ({
    kind: resource.kind,
    subresource: connecter.name,
    body:
      connecter.options === undefined
        ? ownBody(resource, tools.schemas)
        : foreignBody({ group, version, kind: connecter.options }, tools.registry.table, tools.schemas),
    printed: undefined,
    connect: operation(resource, connecter, tools),
  }));
}

/** Opening changes nothing yet: the bytes that come through a connection are inputs of their own. */
function operation(
  resource: Resource,
  { name, verbs, judge, named, connect, places }: Connecter,
  { registry, kubelets }: StorageTools,
): ConnectOperation {
  return {
    changesState: false,
    verbs,
    run: (request, parameters, path) => {
      const find: FindObject = (plural, name) => registry.core.lookup('', plural, plural === 'nodes' ? undefined : (request.namespace ?? ''), name);
      if (places !== undefined && kubelets !== undefined) {
        return { type: 'proxy', places: places(request.name ?? '', find) };
      }
      judge?.(parameters, request.name ?? '', registry.core);
      const asked = named === undefined ? request : { ...request, name: named(request.name ?? '', find) };
      const stored = registry.getStored(resource, asked.namespace ?? '', asked.name ?? '');
      if (connect === undefined || kubelets === undefined)
        throw newStatusError(501, 'NotImplemented', `${resource.kind.plural}/${name} is not simulated yet`);
      return connect({ request: asked, parameters, kubelets, path, stored: stored.value, find, gates: registry.core });
    },
  };
}

function forwardPort({ request: { namespace = '', name = '' }, parameters, stored, find }: Call): Connection {
  mustBePlaced(stored, name, find);
  return { type: 'portforward', namespace, pod: name, ports: readPorts(parameters) };
}

function readPorts(parameters: Parameters): readonly number[] {
  return parameters
    .getAll('ports')
    .flatMap((text) => text.split(','))
    .map((text) => {
      const port = Number(text);
      if (!Number.isInteger(port) || port < 1 || port > 65535) throw newBadRequest(`unable to parse ${JSON.stringify(text)} as a port`);
      return port;
    });
}

function exec(call: Call): Connection {
  return joinProcess(call, call.parameters.getAll('command'));
}

function attach(call: Call): Connection {
  return joinProcess(call, null);
}

/** Mirrors streamLocation of pkg/registry/core/pod/strategy.go and the options that a kubelet reads from it. */
function joinProcess(call: Call, command: readonly string[] | null): Connection {
  const { request, parameters, stored, find } = call;
  const { namespace = '', name = '' } = request;
  const container = containerOf(call);
  mustBePlaced(stored, name, find);
  const asks = (stream: string): boolean => readBool(parameters, stream) === true;
  const tty = asks('tty');
  const [stdin, stdout, stderr] = [asks('stdin'), asks('stdout'), asks('stderr') && !tty];
  if (!stdin && !stdout && !stderr) throw newBadRequest('you must specify at least 1 of stdin, stdout, stderr');
  if (command?.length === 0) throw newBadRequest('you must specify at least 1 command');
  return { type: 'process', process: { namespace, pod: name, container, command, stdin, stdout, stderr, tty } };
}

function mustBePlaced({ spec }: Pod, name: string, find: FindObject): void {
  if (!spec?.nodeName) throw newBadRequest(`pod ${name} does not have a host assigned`);
  mustHaveNode(spec.nodeName, find);
}

/** A node that is not there is told as a pod of its name: upstream words it by what the request is about. */
function mustHaveNode(node: string, find: FindObject): void {
  if (find('nodes', node) === undefined) throw newNotFound({ group: '', resource: 'pods' }, node);
}

/** Mirrors validateContainer of pkg/registry/core/pod/strategy.go. */
function containerOf({ parameters, stored, gates }: Call): string {
  const { metadata, spec } = stored as Pod;
  const asked = parameters.get('container') ?? '';
  const named = (list: readonly { readonly name?: string }[] | null | undefined): readonly string[] => (list ?? []).map(({ name = '' }) => name);
  const [initial, main] = [named(spec?.initContainers), named(spec?.containers)];
  const all = [...initial, ...main, ...named(spec?.ephemeralContainers)];
  if (asked !== '' && !all.includes(asked)) throw newBadRequest(`container ${asked} is not valid for pod ${metadata.name}`);
  const [first = '', ...more] = main;
  if (asked !== '' || more.length === 0) return asked === '' ? first : asked;
  const apart = initial.length === 0 ? '' : ` or one of the init containers: [${initial.join(' ')}]`;
  const choice = gates.ratcheted('ContainersAlike') ? `[${all.join(' ')}]` : `[${main.join(' ')}]${apart}`;
  throw newBadRequest(`a container name must be specified for pod ${metadata.name}, choose one of: ${choice}`);
}

/** The kubelet's own server takes reads only. */
function readNode({ request: { verb, name = '' }, kubelets, path, stored: node }: Call): Connection {
  const page = kubelets.readNode(name, path);
  if (page === undefined) throw unheard(node);
  if (verb !== 'get') throw newStatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
  return { type: 'text', ...page };
}

function readLog(call: Call): Connection {
  const { request, parameters, kubelets, stored, find } = call;
  const { namespace = '', name = '' } = request;
  const options = readLogOptions(parameters);
  // As LogLocation of pkg/registry/core/pod/strategy.go: nobody has to be found where nobody can be.
  containerOf(call);
  const { nodeName } = (stored as Pod).spec ?? {};
  if (!nodeName) return { type: 'nothing' };
  mustHaveNode(nodeName, find);
  // All that is written here goes one way.
  if (parameters.get('stream') === 'Stderr') return { type: 'text', text: '' };
  const text = kubelets.readLogs(namespace, name, options);
  if (options.follow !== true) return { type: 'text', text };
  return { type: 'text', text, follow: (onText, onEnd) => kubelets.followLogs(namespace, name, options, onText, onEnd) };
}

const streams = ['All', 'Stderr', 'Stdout'];

/** Mirrors ValidatePodLogOptions of pkg/apis/core/validation: logs are asked for by stream where a gate allows it. */
function judgeLog(parameters: Parameters, name: string, gates: Gates): void {
  const { sinceSeconds, sinceTime, tailLines, limitBytes } = readLogOptions(parameters);
  const faults = [
    ...(tailLines !== undefined && tailLines < 0 ? [invalid(root('tailLines'), tailLines, negativeText)] : []),
    ...(limitBytes !== undefined && limitBytes < 1 ? [invalid(root('limitBytes'), limitBytes, positiveText)] : []),
  ];
  if (sinceSeconds !== undefined && sinceTime !== undefined) faults.push(forbidden(root('[]'), bothText));
  else if (sinceSeconds !== undefined && sinceSeconds < 1) faults.push(invalid(root('sinceSeconds'), sinceSeconds, positiveText));
  if (gates.ratcheted('LogStreams')) faults.push(...streamFaults(parameters, gates.featureEnabled('PodLogsQuerySplitStreams')));
  if (faults.length > 0) throw newInvalid({ group: '', kind: 'PodLogOptions' }, name, faults);
}

function streamFaults(parameters: Parameters, isAllowed: boolean): FieldErrorList {
  const stream = parameters.get('stream');
  if (stream === null || stream === undefined) return [];
  const at = root('stream');
  if (!isAllowed) return [forbidden(at, 'may not be specified')];
  const known = streams.includes(stream) ? [] : [notSupported(at, stream, streams)];
  return stream !== 'All' && parameters.get('tailLines') ? [...known, forbidden(root('[]'), tailText)] : known;
}

const bothText = 'at most one of `sinceTime` or `sinceSeconds` may be specified';
const positiveText = 'must be greater than 0';
const negativeText = 'must be greater than or equal to 0';
const tailText = '`tailLines` and specific `stream` are mutually exclusive for now';

function readLogOptions(parameters: Parameters): LogOptions {
  const container = parameters.get('container') ?? '';
  const sinceTime = parameters.get('sinceTime') ?? '';
  const since = sinceTime === '' ? undefined : readTime(sinceTime, 'seconds');
  if (typeof since === 'string') throw newBadRequest(since);
  const numbers: { [name: string]: number } = {};
  for (const name of ['sinceSeconds', 'tailLines', 'limitBytes'] as const) {
    const value = readInt(parameters, name);
    if (value !== undefined) setOwn(numbers, name, value);
  }
  return {
    ...(container === '' ? undefined : { container }),
    ...(sinceTime === '' ? undefined : { sinceTime }),
    ...numbers,
    follow: readBool(parameters, 'follow') === true,
    previous: readBool(parameters, 'previous') === true,
    timestamps: readBool(parameters, 'timestamps') === true,
  };
}
