/** Subresources that lead to a process: logs, exec, attach, port-forward and proxies. Their options are query parameters. */
import { getOwn } from '../../base/dictionary.ts';
import type { MessageSchema } from '../../apimachinery/schema.ts';
import { anyType, logTypes } from './media-types.ts';
import { capital, operationName, tagName } from './names.ts';
import { pathParameters, queryParameters, type Describe, type Method, type Operation, type Parameter, type PathEntry } from './operation.ts';
import type { WordedRequest } from './parameter-words.ts';
import { describeFor, itemPath, type BodyKind, type PathSubject } from './resource-paths.ts';

const proxyMethods: readonly Method[] = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put'];
const streamMethods: readonly Method[] = ['get', 'post'];

export function logPath(subject: PathSubject, options: MessageSchema): PathEntry {
  const path = itemPath(subject, 'log');
  const describe = describeFor(subject, subject.kind, 'ReadNamespacedPodLog');
  const read = connection(subject, 'get', [...pathParameters(path, describe), ...optionParameters(options, describe)]);
  const operation = {
    ...read,
    id: `read${operationName(subject)}Namespaced${subject.kind}Log`,
    description: `read log of the specified ${subject.kind}`,
    action: 'get',
    gvk: gvkOf(subject),
    produces: logTypes,
  };
  return { path, operations: [{ ...operation, parameters: [...operation.parameters, ...queryParameters(['pretty'], describe)] }] };
}

/** Who says what options are for, by their kind. */
const saidBy: { readonly [options: string]: WordedRequest } = {
  NodeProxyOptions: 'ConnectGetNodeProxy',
  PodAttachOptions: 'ConnectGetNamespacedPodAttach',
  PodExecOptions: 'ConnectGetNamespacedPodExec',
  PodPortForwardOptions: 'ConnectGetNamespacedPodPortforward',
  PodProxyOptions: 'ConnectGetNamespacedPodProxy',
  ServiceProxyOptions: 'ConnectGetNamespacedServiceProxy',
};

export function connectPaths(subject: PathSubject, name: string, body: BodyKind, options: MessageSchema): readonly PathEntry[] {
  const said = getOwn(saidBy, body.kind);
  const ofOptions = said && describeFor(subject, body.kind, said);
  const describe: Describe = (parameter) => ofOptions?.(parameter) ?? subject.words.of('ListNamespacedPod', parameter);
  // The one in the path and the one in the query have the same name.
  const ofPath: Describe = (parameter) =>
    parameter === 'path' ? subject.words.of('ConnectGetNamespacedPodProxyWithPath', parameter) : describe(parameter);
  const parameters = optionParameters(options, describe);
  const scope = subject.namespaced ? 'Namespaced' : '';
  const make = (path: string, ending: string): PathEntry => ({
    path,
    operations: (name === 'proxy' ? proxyMethods : streamMethods).map((method) => ({
      ...connection(subject, method, [...pathParameters(path, ofPath), ...parameters]),
      id: `connect${operationName(subject)}${capital(method)}${scope}${subject.kind}${capital(name)}${ending}`,
      description: `connect ${method.toUpperCase()} requests to ${name} of ${subject.kind}`,
      gvk: gvkOf(body),
    })),
  });
  const path = itemPath(subject, name);
  return name === 'proxy' ? [make(path, ''), make(`${path}/{path}`, 'WithPath')] : [make(path, '')];
}

function connection(subject: PathSubject, method: Method, parameters: readonly Parameter[]): Operation {
  return {
    method,
    id: '',
    description: '',
    tag: tagName(subject),
    action: 'connect',
    parameters,
    consumes: anyType,
    produces: anyType,
    codes: [200],
    response: 'string',
  };
}

function gvkOf({ group, kind, version }: BodyKind): { readonly group: string; readonly kind: string; readonly version: string } {
  return { group, kind, version };
}

function optionParameters(options: MessageSchema, describe: Describe): readonly Parameter[] {
  // Times have no form in a query that upstream describes.
  const fields = options.fields.filter(({ name, type }) => name !== 'kind' && name !== 'apiVersion' && type !== 'time');
  return fields.map(({ name, type }) => ({
    name,
    in: 'query',
    type: type === 'bool' ? 'boolean' : type === 'int32' || type === 'int64' ? 'integer' : 'string',
    description: describe(name),
  }));
}
