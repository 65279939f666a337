/** Where forwarded ports of a pod lead. */
import { forwardAlike, defineKindOfTarget } from './targets.ts';

export const portForwardKind = defineKindOfTarget('PortForward', 'portforwards', forwardAlike);
