/** What `kubectl attach` shows of a pod. */
import { attachAlike, defineKindOfTarget } from './targets.ts';

export const attachKind = defineKindOfTarget('Attach', 'attaches', attachAlike);
