/** Where commands in many pods are run. */
import { execAlike, defineKindOfTarget } from './targets.ts';

export const clusterExecKind = defineKindOfTarget('ClusterExec', 'clusterexecs', execAlike);
