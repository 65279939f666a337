/** A request whose handling throws is a request that crashed, not a component: what is said of it. */
import type { AdmittedRequest } from '../apiserver/http-types.ts';
import type { Crash } from '../base/task-loop.ts';
import type { ApiRequest } from '../contracts/request.ts';

export const crashText = 'This request caused apiserver to panic. Look in the logs for details.';

/** For the log: with the stack, which history does not keep because it differs from build to build. */
export function logText({ component: who, key, error }: Crash): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${who}: crashed at ${key}, recovered: ${text}`;
}

/** `update apps/deployments default/web by system:kube-controller-manager`. */
export function textOf({ verb, group, resource, subresource, namespace, name, identity }: ApiRequest): string {
  const what = `${group === '' ? '' : `${group}/`}${resource}${subresource === undefined ? '' : `/${subresource}`}`;
  const where = [namespace, name].filter((part) => part !== undefined && part !== '').join('/');
  return `${verb} ${what}${where === '' ? '' : ` ${where}`} by ${identity.name}`;
}

/** What a request over HTTP is called in a record of its crash. */
export function keyOf({ method, path }: AdmittedRequest): string {
  return `${method} ${path}`;
}
