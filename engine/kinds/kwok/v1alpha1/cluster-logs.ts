/** Where the logs of many pods come from. */
import { logsAlike, defineKindOfTarget } from './targets.ts';

export const clusterLogsKind = defineKindOfTarget('ClusterLogs', 'clusterlogs', logsAlike, 'clusterlogs');
