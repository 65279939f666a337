/**
 * What every request passes, outermost first. Mirrors DefaultBuildHandlerChain of apiserver pkg/server/config.go.
 */
import { auditInit } from './audit-init.ts';
import { audit } from './audit.ts';
import { authentication } from './authentication.ts';
import { authorization } from './authorization.ts';
import { cacheControl } from './cache-control.ts';
import { cors } from './cors.ts';
import { deadline } from './deadline.ts';
import { failedRequestAudit } from './failed-request-audit.ts';
import { failures } from './failures.ts';
import { faultInjection } from './fault-injection.ts';
import type { Filter } from './filter.ts';
import { flowControl } from './flow-control.ts';
import { hsts } from './hsts.ts';
import { impersonation } from './impersonation.ts';
import { panicRecovery } from './panic-recovery.ts';
import { requestInfo } from './request-info.ts';
import { warnings } from './warnings.ts';

export const filters: readonly Filter[] = [
  auditInit,
  warnings,
  hsts,
  cacheControl,
  panicRecovery,
  failures,
  requestInfo,
  failedRequestAudit,
  deadline,
  cors,
  authentication,
  audit,
  impersonation,
  flowControl,
  faultInjection,
  authorization,
];
