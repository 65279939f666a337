/** Pods of templates had the ports of their machine filled in, as pods have. Mirrors SetDefaults_PodSpec of its pkg/apis/core/v1. */
import type { KubeObject } from '../../apimachinery/object.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { podsOfTemplates } from './template-pods.ts';

/** By resource: the object with the ports of the machine where its pods use its network. */
export const templatePorts: { readonly [resource: string]: (object: KubeObject) => KubeObject } = Object.fromEntries(
  Object.entries(podsOfTemplates).map(([resource, path]) => [
    resource,
    (object: KubeObject) => edited(object as unknown as JsonObject, path) as unknown as KubeObject,
  ]),
);

/** The same value where nothing is filled in. */
function edited(value: JsonValue | undefined, [field, ...rest]: readonly string[]): JsonValue | undefined {
  if (!isObject(value)) return value;
  if (field === undefined) return value['hostNetwork'] === true ? withPorts(value) : value;
  const inner = edited(value[field], rest);
  return inner === value[field] || inner === undefined ? value : { ...value, [field]: inner };
}

function withPorts(spec: JsonObject): JsonObject {
  let next = spec;
  for (const list of ['containers', 'initContainers']) {
    const containers = spec[list];
    if (!isList(containers)) continue;
    const filled = containers.map(withPortsOfMachine);
    if (filled.some((container, index) => container !== containers[index])) next = { ...next, [list]: filled };
  }
  return next;
}

function withPortsOfMachine(container: JsonValue): JsonValue {
  const ports = isObject(container) ? container['ports'] : undefined;
  if (!isObject(container) || !isList(ports) || ports.every((port) => !isObject(port) || port['hostPort'])) return container;
  return {
    ...container,
    ports: ports.map((port) => (!isObject(port) || port['hostPort'] ? port : { ...port, hostPort: port['containerPort'] ?? 0 })),
  };
}
