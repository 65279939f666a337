/** One object, live. */
import { useEffect } from 'react';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { fieldSelector } from '../lib/field-selector.ts';
import { collectionPath, findResource, parseRowId, useResources, type Resource, type RowName } from './resources.ts';
import { useCollection, watchAhead } from './watches.ts';

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
  const { rows, synced, error } = useCollection(id === '' || !resource ? undefined : pathOf(resource, name), 'full');
  const object = [...rows.values()].find((one) => one.metadata.name === name.name);
  return { object: object as AnyObject | undefined, synced, error, name, resource };
}

/** Asks for it with the press that selects it, instead of after the page was drawn for that. */
export function askForObject(id: string): void {
  const name = parseRowId(id);
  const resource = findResource(useResources.getState().resources, name);
  if (resource) watchAhead(pathOf(resource, name), 'full');
}

function pathOf(resource: Resource, { namespace, name }: RowName): string {
  return `${collectionPath(resource, namespace || undefined)}?fieldSelector=${encodeURIComponent(fieldSelector({ 'metadata.name': name }))}`;
}
