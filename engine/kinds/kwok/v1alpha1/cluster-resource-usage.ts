/** What many pods are said to use. */
import { usageAlike, defineKindOfTarget } from './targets.ts';

export const clusterResourceUsageKind = defineKindOfTarget('ClusterResourceUsage', 'clusterresourceusages', usageAlike);
