/**
 * What a container leaves to say about its end. Mirrors getTerminationMessage of pkg/kubelet/kuberuntime/kuberuntime_container.go and
 * normalizeStatus of pkg/kubelet/status/status_manager.go.
 */
import { assert } from '../../base/assert.ts';
import { getOwn } from '../../base/dictionary.ts';
import { shownLine } from '../runtime/log-buffer.ts';
import { containerSpec } from './environment.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

const fileBytesMax = 4096;
const logBytesMax = 2048;
const logLinesMax = 80;
const podBytesMax = 12 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The end of the file that the container was told to write, or of its log where it failed and the policy says so. */
export function terminationMessage(worker: PodWorker, run: ContainerRun, exitCode: number): string {
  const { terminationMessagePath = '/dev/termination-log', terminationMessagePolicy } = containerSpec(worker.pod, run);
  const written = lastBytes(getOwn(run.files, terminationMessagePath) ?? '', fileBytesMax);
  if (written !== '' || exitCode === 0 || terminationMessagePolicy !== 'FallbackToLogsOnError') return written;
  const lines = (run.log ?? []).slice(-logLinesMax).map(shownLine);
  return lastBytes(lines.join(''), logBytesMax);
}

/** As the status shows it: the containers of a pod share 12 KiB. */
export function shownMessage(worker: PodWorker, message: string): string {
  assert(worker.containers.length > 0, 'a message is that of a container');
  return firstBytes(message, Math.floor(podBytesMax / Math.max(1, worker.containers.length)));
}

function lastBytes(text: string, most: number): string {
  if (text.length * 3 <= most) return text;
  const bytes = encoder.encode(text);
  return bytes.length <= most ? text : decoder.decode(bytes.subarray(bytes.length - most));
}

function firstBytes(text: string, most: number): string {
  if (text.length * 3 <= most) return text;
  const bytes = encoder.encode(text);
  return bytes.length <= most ? text : decoder.decode(bytes.subarray(0, most));
}
