/** The subresources a kind has, from its definition, the handlers, and the byte streams to kubelets, as discovery lists them. */
import type { KindDefinition } from '../contracts/kind.ts';
import { scaleBodyOf } from '../registry/scale.ts';
import type { ApiServer } from './pipeline.ts';

export interface ListedSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly bodyKind?: { readonly group: string; readonly version: string; readonly kind: string };
}

const updatable = ['get', 'patch', 'update'];
const connectable = ['create', 'delete', 'get', 'patch', 'update'];

/** Subresources that lead to a kubelet or a process behind it; what the verbs of upstream's connecters are. */
const streams: { readonly [resource: string]: readonly ListedSubresource[] } = {
  '/pods': [
    { name: 'attach', verbs: ['create', 'get'], bodyKind: { group: '', version: 'v1', kind: 'PodAttachOptions' } },
    { name: 'exec', verbs: ['create', 'get'], bodyKind: { group: '', version: 'v1', kind: 'PodExecOptions' } },
    { name: 'log', verbs: ['get'] },
    { name: 'portforward', verbs: ['create', 'get'], bodyKind: { group: '', version: 'v1', kind: 'PodPortForwardOptions' } },
    { name: 'proxy', verbs: connectable, bodyKind: { group: '', version: 'v1', kind: 'PodProxyOptions' } },
  ],
  '/services': [{ name: 'proxy', verbs: connectable, bodyKind: { group: '', version: 'v1', kind: 'ServiceProxyOptions' } }],
  '/nodes': [{ name: 'proxy', verbs: connectable, bodyKind: { group: '', version: 'v1', kind: 'NodeProxyOptions' } }],
};

/** Sorted by name. */
export function subresourcesOf(kind: KindDefinition, server: ApiServer): readonly ListedSubresource[] {
  const found = new Map<string, ListedSubresource>();
  if (kind.statusSubresource !== undefined && kind.statusSubresource !== false) found.set('status', { name: 'status', verbs: updatable });
  if (kind.scale !== undefined) found.set('scale', { name: 'scale', verbs: updatable, bodyKind: scaleBodyOf(kind) });
  for (const [name, definition] of Object.entries(kind.subresources ?? {})) {
    found.set(name, {
      name,
      verbs: [...definition.verbs].sort(),
      ...(definition.bodyKind === undefined ? undefined : { bodyKind: definition.bodyKind }),
    });
  }
  for (const stream of streams[`${kind.group}/${kind.plural}`] ?? []) found.set(stream.name, stream);
  for (const handler of server.registry.handlers.list()) {
    if (handler.group !== kind.group || handler.resource !== kind.plural || handler.subresource === '') continue;
    found.set(handler.subresource, { name: handler.subresource, verbs: ['create'], bodyKind: handler.bodyKind });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
