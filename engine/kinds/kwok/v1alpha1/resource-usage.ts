/** What a pod is said to use. */
import { usageAlike, defineKindOfTarget } from './targets.ts';

export const resourceUsageKind = defineKindOfTarget('ResourceUsage', 'resourceusages', usageAlike);
