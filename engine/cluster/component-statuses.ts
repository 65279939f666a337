/**
 * `componentstatuses`: how the parts of the control plane are. Mirrors pkg/registry/core/componentstatus: what runs within is well; a
 * part that is left to a program outside is asked at its port, as upstream asks all of them.
 */
import { newNotFound, newStatusError } from '../apimachinery/errors.ts';
import type { ComponentStatus } from '../api/core/v1/types.gen.ts';
import type { ComputedResource } from '../contracts/computed-resource.ts';
import type { KindDefinition } from '../contracts/kind.ts';
import type { Ask } from '../contracts/questions.ts';
import { componentStatusKind } from '../kinds/core/v1/component-status.ts';

export interface ControlPlaneParts {
  readonly controllers: boolean;
  readonly scheduler: boolean;
}

const timeoutMs = 20_000;

/** Where parts are asked, and in which words it is told. */
interface Speech {
  readonly scheme: string;
  readonly ports: { readonly controllers: number; readonly scheduler: number };
  readonly quote: string;
  readonly timedOut: string;
  readonly ofStore: string;
}

const present: Speech = {
  scheme: 'https',
  ports: { controllers: 10_257, scheduler: 10_259 },
  quote: '"',
  timedOut: 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
  ofStore: 'ok',
};
/** Of releases whose parts had ports without TLS; what their store said of itself was passed on. */
const former: Speech = {
  scheme: 'http',
  ports: { controllers: 10_252, scheduler: 10_251 },
  quote: '',
  timedOut: 'net/http: request canceled (Client.Timeout exceeded while awaiting headers)',
  ofStore: '{"health":"true"}',
};

/** `isOld`: as in releases before parts had secure ports; what is called by no known name is an error of the store's then, without a reason. */
export function componentStatusesResource(parts: () => ControlPlaneParts, isOld = false): ComputedResource {
  const speech = isOld ? former : present;
  const statuses = (): ReadonlyMap<string, (ask: Ask) => ComponentStatus> => {
    const { controllers, scheduler } = parts();
    const names: readonly (readonly [string, number | undefined])[] = [
      ['controller-manager', controllers ? undefined : speech.ports.controllers],
      ['scheduler', scheduler ? undefined : speech.ports.scheduler],
      ['etcd-0', undefined],
    ];
    const well = (name: string): string => (name === 'etcd-0' ? speech.ofStore : 'ok');
    return new Map(
      names.map(([name, port]) => [name, (ask: Ask) => statusOf(name, well(name), port === undefined ? undefined : trouble(port, speech, ask))]),
    );
  };
  return {
    kind: componentStatusKind as unknown as KindDefinition,
    asks: true,
    get: (name, _query, _namespace, ask) => {
      const found = statuses().get(name);
      // Upstream's words: this resource alone is called by its singular.
      if (found === undefined && isOld) throw newStatusError(500, '', `Component not found: ${name}`);
      if (found === undefined) throw newNotFound({ group: '', resource: 'componentstatus' }, name);
      return found(ask);
    },
    list: (_query, _namespace, ask) => [...statuses().values()].map((of) => of(ask)),
  };
}

function statusOf(name: string, well: string, fault: string | undefined): ComponentStatus {
  return {
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name },
    conditions: [{ type: 'Healthy', status: fault === undefined ? 'True' : 'False', message: fault ?? well }],
  };
}

/** Undefined when it answers that it is well. */
function trouble(port: number, { scheme, quote, timedOut }: Speech, ask: Ask): string | undefined {
  const url = `${scheme}://127.0.0.1:${port}/healthz`;
  const named = `${quote}${url}${quote}`;
  const answer = ask({ to: `health/${url}`, body: null, timeoutMs, about: { verb: 'get', path: url } });
  if (answer.outcome === 'timedOut') return `Get ${named}: ${timedOut}`;
  if (answer.outcome === 'failed') return `Get ${named}: ${answer.message}`;
  const { code } = answer.body as { readonly code: number };
  return code >= 200 && code < 400 ? undefined : `HTTP probe failed with statuscode: ${code}`;
}
