/** What `kubectl attach` shows of many pods. */
import { attachAlike, defineKindOfTarget } from './targets.ts';

export const clusterAttachKind = defineKindOfTarget('ClusterAttach', 'clusterattaches', attachAlike);
