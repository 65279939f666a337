/** Subresources that lead to a process: logs, exec, attach, port-forward and proxies. Their options are query parameters. */
import type { MessageSchema } from '../../apimachinery/schema.ts';
import { anyType, logTypes } from './media-types.ts';
import { capital, operationName, tagName } from './names.ts';
import { pathParameters, queryParameters, type Method, type Operation, type Parameter, type PathEntry } from './operation.ts';
import { itemPath, type BodyKind, type PathSubject } from './resource-paths.ts';

const proxyMethods: readonly Method[] = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put'];
const streamMethods: readonly Method[] = ['get', 'post'];

export function logPath(subject: PathSubject, options: MessageSchema): PathEntry {
  const path = itemPath(subject, 'log');
  const read = connection(subject, path, 'get', optionParameters(options));
  const operation = {
    ...read,
    id: `read${operationName(subject)}Namespaced${subject.kind}Log`,
    action: 'get',
    gvk: gvkOf(subject),
    produces: logTypes,
  };
  return { path, operations: [{ ...operation, parameters: [...operation.parameters, ...queryParameters(['pretty'])] }] };
}

export function connectPaths(subject: PathSubject, name: string, body: BodyKind, options: MessageSchema): readonly PathEntry[] {
  const parameters = optionParameters(options);
  const scope = subject.namespaced ? 'Namespaced' : '';
  const make = (path: string, ending: string): PathEntry => ({
    path,
    operations: (name === 'proxy' ? proxyMethods : streamMethods).map((method) => ({
      ...connection(subject, path, method, parameters),
      id: `connect${operationName(subject)}${capital(method)}${scope}${subject.kind}${capital(name)}${ending}`,
      gvk: gvkOf(body),
    })),
  });
  const path = itemPath(subject, name);
  return name === 'proxy' ? [make(path, ''), make(`${path}/{path}`, 'WithPath')] : [make(path, '')];
}

function connection(subject: PathSubject, path: string, method: Method, parameters: readonly Parameter[]): Operation {
  return {
    method,
    id: '',
    tag: tagName(subject),
    action: 'connect',
    parameters: [...pathParameters(path), ...parameters],
    consumes: anyType,
    produces: anyType,
    codes: [200],
    response: 'string',
  };
}

function gvkOf({ group, kind, version }: BodyKind): { readonly group: string; readonly kind: string; readonly version: string } {
  return { group, kind, version };
}

function optionParameters(options: MessageSchema): readonly Parameter[] {
  // Times have no form in a query that upstream describes.
  const fields = options.fields.filter(({ name, type }) => name !== 'kind' && name !== 'apiVersion' && type !== 'time');
  return fields.map(({ name, type }) => ({
    name,
    in: 'query',
    type: type === 'bool' ? 'boolean' : type === 'int32' || type === 'int64' ? 'integer' : 'string',
  }));
}
