/**
 * Rolling updates of which half is said. Where another strategy is named they had no defaults, and what was not said could not be converted. Mirrors
 * pkg/apis/apps (v1, v1beta1, v1beta2: conversion.go) and pkg/apis/extensions/v1beta1 of release 1.13.
 */
import type { KubeObject } from '../../apimachinery/object.ts';

interface Strategy {
  readonly type?: string | null;
  readonly rollingUpdate?: { readonly [part: string]: unknown } | null;
}

type Workload = KubeObject & { readonly spec?: { readonly strategy?: Strategy; readonly updateStrategy?: Strategy } };

const cannotConvert = 'expected pointer, but got nil';

function isHalf({ type, rollingUpdate }: Strategy = {}, parts: readonly string[], standard: string): boolean {
  if ((type || standard) === 'RollingUpdate' || !rollingUpdate) return false;
  return parts.some((part) => (rollingUpdate[part] ?? null) === null);
}

export function misreadDeployment(object: KubeObject): string | undefined {
  return isHalf((object as Workload).spec?.strategy, ['maxSurge', 'maxUnavailable'], 'RollingUpdate') ? cannotConvert : undefined;
}

export function misreadDaemonSet(object: KubeObject): string | undefined {
  return isHalf((object as Workload).spec?.updateStrategy, ['maxUnavailable'], 'RollingUpdate') ? cannotConvert : undefined;
}

/** Of the first version, which waits for deletions where nobody says how. */
export function misreadFirstDaemonSet(object: KubeObject): string | undefined {
  return isHalf((object as Workload).spec?.updateStrategy, ['maxUnavailable'], 'OnDelete') ? cannotConvert : undefined;
}
