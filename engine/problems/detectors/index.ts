/** All detectors, by the resource that they look at. */
import type { KubeObject } from '../../apimachinery/object.ts';
import type { Detector } from '../finding.ts';
import { jobDetector } from './batch.ts';
import { findHeld, isHeld, namespaceDetector } from './deletions.ts';
import { nodeDetector } from './nodes.ts';
import { podDetector } from './pods.ts';
import { budgetDetector } from './policies.ts';
import { claimDetector } from './storage.ts';
import { isWorkload, workloadDetectors } from './workloads.ts';

const all: readonly Detector[] = [podDetector, nodeDetector, ...workloadDetectors, jobDetector, claimDetector, budgetDetector, namespaceDetector];
const byResource: ReadonlyMap<string, Detector> = new Map(all.map((detector) => [detector.resource, detector]));

/** Of every other kind only what is deleted and stays. */
const ofOthers: Detector = { resource: '', isSuspect: isHeld, find: findHeld };

/** A workload of its own with fewer pods available than it asks for. */
export function isShortOfPods(resource: string, object: KubeObject): boolean {
  return isWorkload(resource) && detectorOf(resource).isSuspect(object);
}

export function detectorOf(resource: string): Detector {
  return byResource.get(resource) ?? ofOthers;
}
