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

/** `tellsPlainly`: what is called by no known name is an error of the store's, without a reason, as in old releases. */
export function componentStatusesResource(parts: () => ControlPlaneParts, tellsPlainly = false): ComputedResource {
  const statuses = (): ReadonlyMap<string, (ask: Ask) => ComponentStatus> => {
    const { controllers, scheduler } = parts();
    const names: readonly (readonly [string, number | undefined])[] = [
      ['controller-manager', controllers ? undefined : 10257],
      ['scheduler', scheduler ? undefined : 10259],
      ['etcd-0', undefined],
    ];
    return new Map(names.map(([name, port]) => [name, (ask: Ask) => statusOf(name, port === undefined ? undefined : trouble(port, ask))]));
  };
  return {
    kind: componentStatusKind as unknown as KindDefinition,
    asks: true,
    get: (name, _query, _namespace, ask) => {
      const found = statuses().get(name);
      // Upstream's words: this resource alone is called by its singular.
      if (found === undefined && tellsPlainly) throw newStatusError(500, '', `Component not found: ${name}`);
      if (found === undefined) throw newNotFound({ group: '', resource: 'componentstatus' }, name);
      return found(ask);
    },
    list: (_query, _namespace, ask) => [...statuses().values()].map((of) => of(ask)),
  };
}

function statusOf(name: string, fault: string | undefined): ComponentStatus {
  return {
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name },
    conditions: [{ type: 'Healthy', status: fault === undefined ? 'True' : 'False', message: fault ?? 'ok' }],
  };
}

/** Undefined when it answers that it is well. */
function trouble(port: number, ask: Ask): string | undefined {
  const url = `https://127.0.0.1:${port}/healthz`;
  const answer = ask({ to: `health/${url}`, body: null, timeoutMs });
  if (answer.outcome === 'timedOut') return `Get "${url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`;
  if (answer.outcome === 'failed') return `Get "${url}": ${answer.message}`;
  const { code } = answer.body as { readonly code: number };
  return code >= 200 && code < 400 ? undefined : `HTTP probe failed with statuscode: ${code}`;
}
