/** Where commands in a pod are run. */
import { execAlike, defineKindOfTarget } from './targets.ts';

export const execKind = defineKindOfTarget('Exec', 'execs', execAlike);
