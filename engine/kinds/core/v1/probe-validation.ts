/** Probes, lifecycle handlers and their actions. Mirrors validateProbe and validateHandler of pkg/apis/core/validation. */
import type { Int64 } from '../../../base/int64.ts';
import type { HTTPGetAction, Lifecycle, Probe } from '../../../api/core/v1/types.gen.ts';
import { type FieldPath, forbidden, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { isHTTPHeaderName, isValidPortName, isValidPortNum, negativeText } from '../../../apimachinery/validation.ts';
import type { Faults } from './resource-validation.ts';

type Handler = Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> & { readonly sleep?: { readonly seconds: Int64 } };
export type ProbeRole = 'livenessProbe' | 'readinessProbe' | 'startupProbe';

export function validatePortNumOrName(port: number | string, path: FieldPath, out: Faults): void {
  const faults = typeof port === 'number' ? isValidPortNum(port) : isValidPortName(port);
  for (const fault of faults) out.push(invalid(path, port, fault));
}

const counters = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const;

export function validateProbe(probe: Probe, role: ProbeRole, grace: Int64 | undefined, path: FieldPath, out: Faults): void {
  validateHandler(probe, grace, path, out);
  for (const name of counters) {
    const value = probe[name] ?? 0;
    if (value < 0) out.push(invalid(path.child(name), value, negativeText));
  }
  const own = probe.terminationGracePeriodSeconds;
  if (own !== undefined && own <= 0) out.push(invalid(path.child('terminationGracePeriodSeconds'), own, 'must be greater than 0'));
  if (role === 'readinessProbe') {
    if (own !== undefined) out.push(invalid(path.child('terminationGracePeriodSeconds'), own, 'must not be set for readinessProbes'));
  } else if ((probe.successThreshold ?? 0) !== 1) out.push(invalid(path.child('successThreshold'), probe.successThreshold ?? 0, 'must be 1'));
}

const order = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

export function validateHandler(handler: Handler, grace: Int64 | undefined, path: FieldPath, out: Faults): void {
  let count = 0;
  for (const name of order) {
    if (!handler[name]) continue;
    if (count > 0) out.push(forbidden(path.child(name), 'may not specify more than 1 handler type'));
    else validateAction(handler, name, grace, path.child(name), out);
    count++;
  }
  if (count === 0) out.push(required(path, 'must specify a handler type'));
}

function validateAction(handler: Handler, name: (typeof order)[number], grace: Int64 | undefined, path: FieldPath, out: Faults): void {
  switch (name) {
    case 'exec':
      if (!handler.exec?.command?.length) out.push(required(path.child('command')));
      return;
    case 'httpGet':
      if (handler.httpGet) validateHttpGet(handler.httpGet, path, out);
      return;
    case 'tcpSocket':
      return validatePortNumOrName(handler.tcpSocket?.port ?? 0, path.child('port'), out);
    case 'grpc':
      return validatePortNumOrName(handler.grpc?.port ?? 0, path.child('port'), out);
    case 'sleep': {
      const seconds = handler.sleep?.seconds ?? 0;
      if (grace !== undefined && (seconds < 0 || seconds > grace)) {
        out.push(invalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`));
      }
      return;
    }
  }
}

function validateHttpGet(action: HTTPGetAction, path: FieldPath, out: Faults): void {
  if (!action.path) out.push(required(path.child('path')));
  validatePortNumOrName(action.port ?? 0, path.child('port'), out);
  if (action.scheme !== 'HTTP' && action.scheme !== 'HTTPS') out.push(notSupported(path.child('scheme'), action.scheme ?? '', ['HTTP', 'HTTPS']));
  for (const header of action.httpHeaders ?? []) {
    for (const fault of isHTTPHeaderName(header.name)) out.push(invalid(path.child('httpHeaders'), header.name, fault));
  }
}

const numbered = (name: string, from: number, to: number): readonly string[] => Array.from({ length: to - from + 1 }, (_, i) => `${name}${from + i}`);
const windowsSignals = ['SIGKILL', 'SIGTERM'];
const linuxSignals = [
  ...'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG'.split(' '),
  ...'USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX'.split(' '),
  ...numbered('RTMIN+', 1, 15),
  ...numbered('RTMAX-', 1, 14),
].map((name) => `SIG${name}`);

export function validateLifecycle(lifecycle: Lifecycle, grace: Int64 | undefined, os: string | undefined, path: FieldPath, out: Faults): void {
  if (lifecycle.postStart) validateHandler(lifecycle.postStart, grace, path.child('postStart'), out);
  if (lifecycle.preStop) validateHandler(lifecycle.preStop, grace, path.child('preStop'), out);
  if (lifecycle.stopSignal === undefined) return;
  const at = path.child('stopSignal');
  if (os === undefined) return void out.push(forbidden(at, 'may not be set for containers with empty `spec.os.name`'));
  const signals = os === 'windows' ? windowsSignals : os === 'linux' ? linuxSignals : undefined;
  if (signals?.includes(lifecycle.stopSignal) === false) out.push(notSupported(at, lifecycle.stopSignal, signals));
}
