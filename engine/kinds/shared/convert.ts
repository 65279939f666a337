/**
 * Versions of a kind that differ in their version only: conversion changes apiVersion and shares the rest.
 */
import type { KindDefinition } from '../../contracts/kind.ts';
import { formatGroupVersion, type KubeObject } from '../../apimachinery/object.ts';

function relabel<T extends KubeObject>(object: KubeObject, apiVersion: string): T {
  return (object.apiVersion === apiVersion ? object : { ...object, apiVersion }) as T;
}

/** The storage of `group/version` in `stored` (another version, or another group's). */
export function storedAs<T extends KubeObject>(group: string, version: string, stored: string): NonNullable<KindDefinition<T>['storage']> {
  const own = formatGroupVersion({ group, version });
  const kept = formatGroupVersion({ group, version: stored });
  return {
    version: stored,
    toStorage: (object) => relabel(object, kept),
    fromStorage: (object) => relabel<T>(object, own),
  };
}
