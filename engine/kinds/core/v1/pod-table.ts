/** Cells of `kubectl get pods`. Mirrors printPod of pkg/printers/internalversion. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import type { TableContext } from '../../../contracts/kind.ts';
import type { JsonValue } from '../../../base/json.ts';
import { humanDuration } from '../../../apimachinery/time.ts';
import { getPodCondition, summarizePod } from '../../../component-helpers/pod.ts';
import { ageOf, nameOf } from '../../shared/table.ts';

export function podCells(pod: Pod, context: TableContext): readonly JsonValue[] {
  const { ready, total, status, restarts, lastRestartMs } = summarizePod(pod);
  const ago = restarts > 0 && lastRestartMs !== undefined ? ` (${humanDuration(context.nowMs - lastRestartMs)} ago)` : '';
  return [
    nameOf(pod),
    `${ready}/${total}`,
    status,
    `${restarts}${ago}`,
    ageOf(pod, context),
    pod.status?.podIPs?.[0]?.ip || '<none>',
    pod.spec?.nodeName || '<none>',
    pod.status?.nominatedNodeName || '<none>',
    readinessGates(pod),
  ];
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const open = gates.filter((gate) => getPodCondition(pod, gate.conditionType)?.status === 'True').length;
  return `${open}/${gates.length}`;
}
