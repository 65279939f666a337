/**
 * The API as components see it: a request whose handling throws is a request that crashed, not a component. Its caller gets 500, as
 * from upstream's WithPanicRecovery.
 */
import { newInternalError } from '../apimachinery/errors.ts';
import type { Crash } from '../base/task-loop.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { ApiPipeline, ApiRequest, ApiResult, WatchHandle, WatchSink } from '../contracts/request.ts';

const component = 'apiserver';
const crashText = 'This request caused apiserver to panic. Look in the logs for details.';

export class RecoveringPipeline implements ApiPipeline {
  readonly #inner: ApiPipeline;
  readonly #crashed: (component: string, key: string, error: unknown) => void;

  constructor(inner: ApiPipeline, crashed: (component: string, key: string, error: unknown) => void) {
    this.#inner = inner;
    this.#crashed = crashed;
  }

  handle(request: ApiRequest): ApiResult {
    return this.#recovering(request, () => this.#inner.handle(request));
  }

  watch(request: ApiRequest, sink: WatchSink): WatchHandle {
    return this.#recovering(request, () => this.#inner.watch(request, sink));
  }

  #recovering<T>(request: ApiRequest, act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (error instanceof StatusError) throw error;
      this.#crashed(component, textOf(request), error);
      throw newInternalError(crashText);
    }
  }
}

/** For the log: with the stack, which history does not keep because it differs from build to build. */
export function logText({ component: who, key, error }: Crash): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${who}: crashed at ${key}, recovered: ${text}`;
}

/** `update apps/deployments default/web by system:kube-controller-manager`. */
function textOf({ verb, group, resource, subresource, namespace, name, identity }: ApiRequest): string {
  const what = `${group === '' ? '' : `${group}/`}${resource}${subresource === undefined ? '' : `/${subresource}`}`;
  const where = [namespace, name].filter((part) => part !== undefined && part !== '').join('/');
  return `${verb} ${what}${where === '' ? '' : ` ${where}`} by ${identity.name}`;
}
