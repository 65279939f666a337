/** Cells of `kubectl get hpa`. Mirrors printHorizontalPodAutoscaler and formatHPAMetrics of pkg/printers/internalversion. */
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from '../../../api/autoscaling/v2/types.gen.ts';
import type { TableContext } from '../../../contracts/kind.ts';
import type { JsonValue } from '../../../base/json.ts';
import { ageOf, nameOf, text } from '../../shared/table.ts';

const shownMax = 2;

export function autoscalerCells(autoscaler: HorizontalPodAutoscaler, context: TableContext): readonly JsonValue[] {
  const { scaleTargetRef, metrics = [], minReplicas, maxReplicas = 0 } = autoscaler.spec ?? {};
  const { currentMetrics = [], currentReplicas = 0 } = autoscaler.status ?? {};
  const reference = `${scaleTargetRef?.kind ?? ''}/${scaleTargetRef?.name ?? ''}`;
  const targets = metricsText(metrics, currentMetrics ?? []);
  return [nameOf(autoscaler), reference, targets, text(minReplicas, '<unset>'), maxReplicas, currentReplicas, ageOf(autoscaler, context)];
}

function metricsText(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return '<none>';
  const texts = specs.slice(0, shownMax).map((spec, index) => metricText(spec, statuses[index]));
  return texts.join(', ') + (specs.length > shownMax ? ` + ${specs.length - shownMax} more...` : '');
}

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case 'External':
      return valueText(spec.external?.target, status?.external?.current);
    case 'Object':
      return valueText(spec.object?.target, status?.object?.current);
    case 'Pods':
      return `${text(status?.pods?.current?.averageValue, '<unknown>')}/${spec.pods?.target?.averageValue ?? '0'}`;
    case 'Resource':
      return `${spec.resource?.name ?? ''}: ${resourceText(spec.resource?.target, status?.resource?.current)}`;
    case 'ContainerResource':
      return `${spec.containerResource?.name ?? ''}: ${resourceText(spec.containerResource?.target, status?.containerResource?.current)}`;
    default:
      return '<unknown type>';
  }
}

function valueText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue) return `${text(current?.averageValue, '<unknown>')}/${target.averageValue} (avg)`;
  return `${text(current?.value, '<unknown>')}/${target?.value ?? '0'}`;
}

function resourceText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue) return `${text(current?.averageValue, '<unknown>')}/${target.averageValue}`;
  const percent = (value: number | undefined, absent: string): string => (value === undefined ? absent : `${value}%`);
  return `${percent(current?.averageUtilization, '<unknown>')}/${percent(target?.averageUtilization, '<auto>')}`;
}
