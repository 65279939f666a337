/**
 * What an autoscaler has measured was stored as v1 notes it, where amounts are no pointers: who said none is told zero. Mirrors the conversions of
 * pkg/apis/autoscaling/v1/conversion.go of the release.
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** The amount that each source always has. */
const amounts = { object: 'value', pods: 'averageValue', resource: 'averageValue', external: 'value' } as const;

type Autoscaler = KubeObject & { readonly status?: JsonObject };

export function withMeasures(object: KubeObject): KubeObject {
  const { status } = object as Autoscaler;
  const measures = status?.['currentMetrics'];
  if (!isList(measures) || measures.length === 0) return object;
  return { ...object, status: { ...status, currentMetrics: measures.map(measured) } } as KubeObject;
}

function measured(measure: JsonValue): JsonValue {
  if (!isObject(measure)) return measure;
  const sources = Object.entries(amounts).flatMap(([name, amount]) => {
    const source = measure[name];
    if (!isObject(source)) return [];
    const current = isObject(source['current']) ? source['current'] : {};
    return [[name, { ...source, current: { ...current, [amount]: current[amount] ?? '0' } }]];
  });
  return { ...measure, ...(Object.fromEntries(sources) as JsonObject) };
}
