/** Where the logs of a pod come from. */
import { logsAlike, defineKindOfTarget } from './targets.ts';

export const logsKind = defineKindOfTarget('Logs', 'logs', logsAlike, 'logs');
