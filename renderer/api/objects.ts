/** One object, live. */
import { useEffect } from 'react';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { collectionPath, findResource, parseRowId, useResources, type Resource, type RowName } from './resources.ts';
import { useCollection } from './watches.ts';

export interface AnyObject extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
  readonly binaryData?: unknown;
}
export interface LiveObject {
  readonly object: AnyObject | undefined;
  readonly synced: boolean;
  readonly error: string;
  readonly name: RowName;
  readonly resource: Resource | undefined;
}

export function useObject(id: string): LiveObject {
  const resources = useResources((state) => state.resources);
  const name = parseRowId(id);
  const resource = findResource(resources, name);
  const unknown = id !== '' && resources.length > 0 && !resource;
  // A kind that was defined since the page opened.
  useEffect(() => {
    if (unknown) void useResources.getState().load();
  }, [id, unknown]);
  const path =
    id === '' || !resource
      ? undefined
      : `${collectionPath(resource, name.namespace || undefined)}?fieldSelector=${encodeURIComponent(`metadata.name=${name.name}`)}`;
  const { rows, synced, error } = useCollection(path, 'full');
  const object = [...rows.values()].find((one) => one.metadata.name === name.name);
  return { object: object as AnyObject | undefined, synced, error, name, resource };
}
