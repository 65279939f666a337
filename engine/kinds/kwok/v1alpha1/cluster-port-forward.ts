/** Where forwarded ports of many pods lead. */
import { forwardAlike, defineKindOfTarget } from './targets.ts';

export const clusterPortForwardKind = defineKindOfTarget('ClusterPortForward', 'clusterportforwards', forwardAlike);
