/** One sentence about an object, as a person would say it. */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { isPodReady, isPodTerminal, nodeNotReady, podTrouble } from '../../../engine/component-helpers/pod.ts';
import type { AnyObject } from '../../api/objects.ts';
import { plural } from '../../lib/format.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}
export function conditionsOf(object: AnyObject): readonly (Condition & { readonly lastTransitionTime?: string })[] {
  const found = object.status?.['conditions'];
  if (!Array.isArray(found)) return [];
  return found
    .filter((one): one is Readonly<Record<string, unknown>> => typeof one === 'object' && one !== null && !Array.isArray(one))
    .map(({ type, status, reason, message, lastTransitionTime }) => ({
      type: textOf(type),
      status: textOf(status),
      reason: textOf(reason),
      message: textOf(message),
      ...(typeof lastTransitionTime === 'string' ? { lastTransitionTime } : {}),
    }));
}

/** Of what others define it may be anything. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}

function numberOf(value: unknown): number {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number : 0;
}

/** `lost` are nodes that are not ready. */
export function summarize(object: AnyObject, lost: ReadonlySet<string>): string {
  const { spec = {}, status = {} } = object;
  if (object.metadata.deletionTimestamp !== undefined) return 'It is being deleted.';
  const count = (name: string) => numberOf(status[name]);
  switch (object.kind) {
    case 'Pod':
      return summarizePod(object, lost);
    case 'Deployment':
    case 'StatefulSet':
    case 'ReplicaSet': {
      const wanted = numberOf(spec['replicas'] ?? 1);
      const ready = count('readyReplicas');
      const bad = conditionsOf(object).find(
        ({ type, status: value }) => (type === 'ReplicaFailure' && value === 'True') || (type === 'Progressing' && value === 'False'),
      );
      return `${ready} of ${plural(wanted, 'replica')} ${ready === 1 || wanted === 1 ? 'is' : 'are'} ready.${bad?.message ? ` ${bad.message}` : ''}`;
    }
    case 'DaemonSet': {
      const [wanted, ready] = [count('desiredNumberScheduled'), count('numberReady')];
      return `${ready} of ${plural(wanted, 'node')} ${ready === 1 || wanted === 1 ? 'has' : 'have'} a pod that is ready.`;
    }
    case 'Node': {
      const ready = conditionsOf(object).find(({ type }) => type === 'Ready');
      const pressed = conditionsOf(object)
        .filter(({ type, status: value }) => type !== 'Ready' && value === 'True')
        .map(({ type }) => type);
      return `${ready?.status === 'True' ? 'Ready' : `Not ready: ${(ready?.message || 'no report yet').replace(/\.$/, '')}`}${pressed.length > 0 ? `, under ${pressed.join(' and ')}` : ''}. A simulated machine.`;
    }
    case 'ConfigMap':
    case 'Secret':
      return `It holds ${plural(entriesOf(object.data) + entriesOf(object.binaryData), 'entry', 'entries')}.`;
    case 'Job':
      return `${count('succeeded')} succeeded, ${count('active')} active, ${count('failed')} failed.`;
    case 'CronJob':
      return `Runs at “${String(spec['schedule'] ?? '')}”${spec['timeZone'] ? ` (${String(spec['timeZone'])})` : ''}${spec['suspend'] === true ? ', suspended' : ''}.`;
    default:
      return typeof status['phase'] === 'string' ? `It is ${status['phase']}.` : 'It exists.';
  }
}

function summarizePod(object: AnyObject, lost: ReadonlySet<string>): string {
  const { spec = {}, status = {} } = object;
  const conditions = conditionsOf(object);
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return `It cannot be scheduled: ${scheduled.message || scheduled.reason || 'no reason given'}`;
  const containers = (status['containerStatuses'] ?? []) as readonly {
    readonly name: string;
    readonly ready?: boolean;
    readonly restartCount?: number;
    readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
  }[];
  const waiting = containers.find(({ state }) => state?.waiting);
  const restarts = containers.reduce((sum, one) => sum + (one.restartCount ?? 0), 0);
  const ready = containers.filter((one) => one.ready).length;
  const pod = object as unknown as Pod;
  // One that is ready is so, whatever its node says of itself; of a silent node it is turned at once.
  const isOpen = lost.has(String(spec['nodeName'] ?? '')) && !isPodTerminal(pod) && !isPodReady(pod);
  const isHeard = podTrouble(pod) !== nodeNotReady && !isOpen;
  const where = spec['nodeName'] ? ` on ${String(spec['nodeName'])}` : '';
  const base = `${String(status['phase'] ?? 'Pending')}${where}; ${ready} of ${plural(Math.max(containers.length, ((spec['containers'] ?? []) as unknown[]).length), 'container')} ready`;
  const said = isHeard ? '' : `${nodeNotReady}: its node is not ready. It said last: `;
  return `${said}${base}${waiting?.state?.waiting ? `: ${waiting.name} is waiting (${waiting.state.waiting.reason ?? 'no reason'})` : ''}${restarts > 0 ? `, ${plural(restarts, 'restart')}` : ''}.`;
}

function entriesOf(data: unknown): number {
  return typeof data === 'object' && data !== null ? Object.keys(data).length : 0;
}
