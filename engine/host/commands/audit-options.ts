/** The options of audit under upstream's names: files of this machine, and so no part of a session. */
import { errorOfAnswer } from '../../apimachinery/response-error.ts';
import { parseDuration } from '../../apimachinery/time.ts';
import type { AuditBackend, AuditOptions, AuditSink } from '../../apiserver/audit/auditor.ts';
import { AuditPolicyError, readPolicy } from '../../apiserver/audit/policy-file.ts';
import type { AuditPolicy } from '../../apiserver/audit/policy.ts';
import { AuditLog, type AuditLogOptions, type AuditMode, auditModes, systemOf } from '../audit-log.ts';
import type { ThrottleOptions } from '../audit-throttle.ts';
import { AuditSinkWays } from '../audit-sinks.ts';
import { AuditWebhook } from '../audit-webhook.ts';
import { CommandError } from '../command-error.ts';
import { KubeconfigPost } from '../kubeconfig-post.ts';
import { wallClock } from '../pacing.ts';
import { readInGo } from '../go-files.ts';
import { mustReadWebhookFile } from './configuration-files.ts';
import { readKubeconfig } from '../remote/kubeconfig-reader.ts';
import { type Given, text } from './given.ts';

export interface AuditFlag {
  readonly name: string;
  readonly value: string;
  readonly default: string;
  readonly help: string;
}

const flag = (name: string, value: string, standard: string, help: string): AuditFlag => ({ name: `audit-${name}`, value, default: standard, help });

export const auditFlags: readonly AuditFlag[] = [
  flag('policy-file', 'file', '', 'Which requests are logged (audit.k8s.io/v1 Policy)'),
  flag('log-path', 'file', '', 'Where audit events are logged; `-` is stdout'),
  flag('log-format', 'format', 'json', '`json`, or `legacy`: a line for people'),
  flag(
    'log-mode',
    'mode',
    'blocking',
    '`blocking` writes before it answers, `blocking-strict` refuses what it cannot write down, `batch` writes later',
  ),
  flag('log-version', 'version', 'audit.k8s.io/v1', 'In which version events are written; there is one'),
  flag('log-maxage', 'days', '366', 'Days for which rotated logs are kept; 0 keeps them'),
  flag('log-maxbackup', 'n', '100', 'Rotated logs that are kept; 0 keeps all'),
  flag('log-maxsize', 'megabytes', '100', 'Size at which the log is rotated; 0 never does'),
  flag('log-compress', '', 'false', 'Compress rotated logs'),
  flag('log-batch-buffer-size', 'n', '10000', 'Events that wait to be written; mode `batch` only'),
  flag('log-batch-max-size', 'n', '1', 'Events written at once; mode `batch` only'),
  flag('log-batch-max-wait', 'duration', '0s', 'How long a batch waits to become full; mode `batch` only'),
  ...batchLimits('log', 'false'),
  flag('webhook-config-file', 'file', '', 'A kubeconfig that says where audit events are sent'),
  flag(
    'webhook-mode',
    'mode',
    'batch',
    '`batch` sends later, `blocking` before it answers, `blocking-strict` refuses the requests whose first event is not taken',
  ),
  flag('webhook-version', 'version', 'audit.k8s.io/v1', 'In which version events are sent; there is one'),
  flag('webhook-batch-buffer-size', 'n', '10000', 'Events that wait to be sent; more are lost'),
  flag('webhook-batch-max-size', 'n', '400', 'Events sent at once'),
  flag('webhook-batch-max-wait', 'duration', '30s', 'How long a batch waits to become full'),
  flag('webhook-initial-backoff', 'duration', '10s', 'Before a batch that was not taken is sent again'),
  ...batchLimits('webhook', 'true'),
  flag('dynamic-configuration', 'true|false', 'false', 'Send events where AuditSinks say; the feature gate DynamicAuditing must be on'),
];

/** What a backend takes at once: throttled in mode `batch`, truncated in all. */
function batchLimits(plugin: 'log' | 'webhook', throttles: 'true' | 'false'): readonly AuditFlag[] {
  return [
    flag(`${plugin}-batch-throttle-enable`, 'true|false', throttles, 'Limit how many batches leave in a second; mode `batch` only'),
    flag(`${plugin}-batch-throttle-qps`, 'n', '10', 'Batches a second, on average; mode `batch` only'),
    flag(`${plugin}-batch-throttle-burst`, 'n', '15', 'Batches at the same moment, when none left before; mode `batch` only'),
    flag(`${plugin}-truncate-enabled`, 'true|false', 'false', 'Make events that are too large smaller, and split batches'),
    flag(`${plugin}-truncate-max-event-size`, 'bytes', String(100 * 1024), 'What is larger loses its objects, and is lost where that does not help'),
    flag(`${plugin}-truncate-max-batch-size`, 'bytes', String(10 * 1024 * 1024), 'A batch with more is split'),
  ];
}

/** As long as upstream waits for any webhook that a kubeconfig leads to. */
const webhookTimeoutMs = 30_000;

export interface StartedAudit {
  readonly options: AuditOptions;
  /** Writes and sends what waits. */
  close(): Promise<unknown>;
}

/**
 * Undefined where nothing is logged: that takes a policy, and a path or a webhook, or AuditSinks. Refusals are upstream's, exit code 1.
 * `takesSinks`: the feature gate of AuditSinks is on.
 */
export function startAudit(given: Given, say: (line: string) => void, takesSinks = false): StartedAudit | undefined {
  const dynamic = booleanOf(given, 'audit-dynamic-configuration');
  if (dynamic && !takesSinks) refuse(['--audit-dynamic-configuration set, but DynamicAuditing feature gate is not enabled']);
  const fixed = startFixed(given, say);
  if (!dynamic) return fixed;
  const sinks = new AuditSinkWays(say);
  const options = { ...(fixed?.options ?? { backends: [] }), openSink: sinks.open };
  return { options, close: () => Promise.all([fixed?.close(), sinks.close()]) };
}

function startFixed(given: Given, say: (line: string) => void): StartedAudit | undefined {
  const logOptions = readLogOptions(given);
  const file = text(given, 'audit-policy-file') ?? '';
  if (file === '') return undefined;
  const policy = policyOf(file, say);
  const log = logOptions.path === '' ? undefined : new AuditLog(logOptions, systemOf(say));
  const webhook = startWebhook(given, say);
  if (log === undefined && webhook === undefined) {
    say('--audit-policy-file is given without --audit-log-path or --audit-webhook-config-file: nothing is logged');
    return undefined;
  }
  const format = valueOf(given, 'audit-log-format') as AuditBackend['format'];
  const backends = [
    ...(log === undefined ? [] : [backendOf('log', format, log, readLimits(given, 'log').truncation, say)]),
    ...(webhook === undefined ? [] : [backendOf('webhook', 'json', webhook, readLimits(given, 'webhook').truncation, say)]),
  ];
  return { options: { policy, backends }, close: () => Promise.all([log?.close(), webhook?.close()]) };
}

interface BatchLimits {
  readonly throttle: ThrottleOptions | undefined;
  readonly truncation: Truncation | undefined;
  /** In upstream's words. */
  readonly faults: readonly string[];
}

interface Truncation {
  readonly eventBytesMax: number;
  readonly batchBytesMax: number;
}

function readLimits(given: Given, plugin: 'log' | 'webhook'): BatchLimits {
  const valueText = (name: string): string => valueOf(given, `audit-${plugin}-${name}`);
  const [qps, burst] = [Number(valueText('batch-throttle-qps')), wholeOf(given, `audit-${plugin}-batch-throttle-burst`)];
  const eventBytesMax = wholeOf(given, `audit-${plugin}-truncate-max-event-size`);
  const batchBytesMax = wholeOf(given, `audit-${plugin}-truncate-max-batch-size`);
  const mode = valueText('mode');
  const isBatch = mode === 'batch';
  const isThrottled = isBatch && booleanOf(given, `audit-${plugin}-batch-throttle-enable`);
  if (!Number.isFinite(qps))
    throw new CommandError(
      `invalid value ${JSON.stringify(valueText('batch-throttle-qps'))} for --audit-${plugin}-batch-throttle-qps: expected a number`,
    );
  const bufferSize = wholeOf(given, `audit-${plugin}-batch-buffer-size`);
  const batchSize = wholeOf(given, `audit-${plugin}-batch-max-size`);
  const batch: readonly (readonly [isWrong: boolean, fault: string])[] = [
    [!auditModes.some((known) => known === mode), `invalid audit ${plugin} mode ${mode}, allowed modes are ${JSON.stringify(auditModes.join(','))}`],
    [isBatch && bufferSize <= 0, `invalid audit batch ${plugin} buffer size ${bufferSize}, must be a positive number`],
    [isBatch && batchSize <= 0, `invalid audit batch ${plugin} max batch size ${batchSize}, must be a positive number`],
    [isThrottled && qps <= 0, `invalid audit batch ${plugin} throttle QPS ${qps}, must be a positive number`],
    [isThrottled && burst <= 0, `invalid audit batch ${plugin} throttle burst ${burst}, must be a positive number`],
  ];
  const truncate: typeof batch = [
    [eventBytesMax <= 0, `invalid audit truncate ${plugin} max event size ${eventBytesMax}, must be a positive number`],
    [
      batchBytesMax < eventBytesMax,
      `invalid audit truncate ${plugin} max batch size ${batchBytesMax}, must be greater than max event size (${eventBytesMax})`,
    ],
  ];
  // Of each family only the first.
  const faults = [batch, truncate].flatMap((family) => family.find(([isWrong]) => isWrong)?.[1] ?? []);
  if (valueText('version') !== 'audit.k8s.io/v1') faults.push('invalid group version, allowed versions are ["audit.k8s.io/v1"]');
  return {
    throttle: isThrottled ? { qps, burst } : undefined,
    truncation: booleanOf(given, `audit-${plugin}-truncate-enabled`) ? { eventBytesMax, batchBytesMax } : undefined,
    faults,
  };
}

function backendOf(
  plugin: 'log' | 'webhook',
  format: AuditBackend['format'],
  sink: AuditSink & { readonly errors: number },
  truncation: Truncation | undefined,
  say: (line: string) => void,
): AuditBackend {
  let tooLarge = 0;
  const losses: AuditBackend['losses'] = () => [
    [plugin, sink.errors],
    ['truncate', tooLarge],
  ];
  if (truncation === undefined) return { format, sink, losses };
  const onTooLarge = (): void => {
    if (tooLarge++ === 0) say("Error in audit plugin 'truncate' affecting 1 audit events: event is too large even after truncating");
  };
  return { format, sink, losses, eventBytesMax: truncation.eventBytesMax, onTooLarge };
}

function startWebhook(given: Given, say: (line: string) => void): AuditWebhook | undefined {
  const file = valueOf(given, 'audit-webhook-config-file');
  if (file === '') return undefined;
  const { throttle, truncation, faults } = readLimits(given, 'webhook');
  refuse(faults);
  const place = new KubeconfigPost(readKubeconfig(mustReadWebhookFile(file, 'initializing audit webhook: ')), wallClock);
  return new AuditWebhook(
    {
      mode: valueOf(given, 'audit-webhook-mode') as AuditMode,
      bufferSize: wholeOf(given, 'audit-webhook-batch-buffer-size'),
      batchSize: wholeOf(given, 'audit-webhook-batch-max-size'),
      batchWaitMs: durationOf(given, 'audit-webhook-batch-max-wait'),
      backoffMs: durationOf(given, 'audit-webhook-initial-backoff'),
      ...(truncation && { batchBytesMax: truncation.batchBytesMax }),
      ...(throttle && { throttle }),
    },
    { post: (json) => take(place, json), after: wallClock.after, nowMs: () => performance.now(), say },
  );
}

/** Rejects where it is not taken; what is answered does not matter otherwise. */
async function take(place: KubeconfigPost, json: string): Promise<void> {
  const { code, contentType, text: answer } = await place.post(json, webhookTimeoutMs);
  if (code < 200 || code > 206) throw errorOfAnswer({ code, contentType, text: answer, method: 'POST', group: '', resource: '', name: '' });
}

function policyOf(file: string, say: (line: string) => void): AuditPolicy {
  try {
    const { policy, warning } = readPolicy(readText(file), file);
    if (warning !== undefined) say(warning);
    return policy;
  } catch (error) {
    if (error instanceof AuditPolicyError) throw new CommandError(error.message, 1);
    throw error;
  }
}

function readText(file: string): string {
  try {
    return readInGo(file);
  } catch (error) {
    throw new AuditPolicyError(`loading audit policy file: failed to read file path ${JSON.stringify(file)}: ${(error as Error).message}`);
  }
}

function readLogOptions(given: Given): AuditLogOptions {
  const path = valueOf(given, 'audit-log-path');
  const limits = readLimits(given, 'log');
  const faults = [...limits.faults];
  const format = valueOf(given, 'audit-log-format');
  if (format !== 'json' && format !== 'legacy') faults.push(`invalid audit log format ${format}, allowed formats are "legacy,json"`);
  const number = (name: string): number => wholeOf(given, name);
  const [maxage, maxbackup, maxsize] = ['maxage', 'maxbackup', 'maxsize'].map((name) => {
    const value = number(`audit-log-${name}`);
    if (value < 0) faults.push(`--audit-log-${name} ${value} can't be a negative number`);
    return value;
  }) as [number, number, number];
  if (path !== '') refuse(faults);
  return {
    path,
    mode: valueOf(given, 'audit-log-mode') as AuditMode,
    bytesMax: maxsize * 1024 * 1024,
    backupsMax: maxbackup,
    backupDaysMax: maxage,
    compresses: given['auditLogCompress'] === true,
    bufferSize: number('audit-log-batch-buffer-size'),
    batchSize: number('audit-log-batch-max-size'),
    batchWaitMs: durationOf(given, 'audit-log-batch-max-wait'),
    ...(limits.throttle && { throttle: limits.throttle }),
  };
}

/** All that is wrong at once, as upstream says it. */
function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new CommandError(faults.length === 1 ? (faults[0] ?? '') : `[${faults.join(', ')}]`, 1);
}

function booleanOf(given: Given, name: string): boolean {
  const value = valueOf(given, name);
  if (value !== 'true' && value !== 'false')
    throw new CommandError(`invalid value ${JSON.stringify(value)} for --${name}: expected \`true\` or \`false\``);
  return value === 'true';
}

function valueOf(given: Given, name: string): string {
  return text(given, name) ?? auditFlags.find((entry) => entry.name === name)?.default ?? '';
}

function wholeOf(given: Given, name: string): number {
  const value = valueOf(given, name);
  if (!/^-?\d+$/.test(value)) throw new CommandError(`invalid value ${JSON.stringify(value)} for --${name}: expected a whole number`);
  return Number(value);
}

function durationOf(given: Given, name: string): number {
  const value = parseDuration(valueOf(given, name));
  if (value === undefined)
    throw new CommandError(`invalid value ${JSON.stringify(valueOf(given, name))} for --${name}: expected a duration such as 30s`);
  return value;
}
