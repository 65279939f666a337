/** What this process takes of its machine, in the names of Prometheus' client libraries. */
import { readdirSync, readFileSync } from 'node:fs';
import { metricFamily } from '../apiserver/metrics-text.ts';

export function processMetrics(): string {
  const { rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const startedSeconds = performance.timeOrigin / 1000;
  return [
    metricFamily('process_cpu_seconds_total', 'counter', 'Total user and system CPU time spent in seconds.', [[{}, (user + system) / 1e6]]),
    metricFamily('process_resident_memory_bytes', 'gauge', 'Resident memory size in bytes.', [[{}, rss]]),
    metricFamily('process_start_time_seconds', 'gauge', 'Start time of the process since unix epoch in seconds.', [[{}, startedSeconds]]),
    ofLinux(),
  ].join('');
}

/** Other systems do not say. */
function ofLinux(): string {
  if (process.platform !== 'linux') return '';
  const open = readdirSync('/proc/self/fd').length;
  const max = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 0);
  const virtual = Number(/^VmSize:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) * 1024;
  return [
    metricFamily('process_max_fds', 'gauge', 'Maximum number of open file descriptors.', [[{}, max]]),
    metricFamily('process_open_fds', 'gauge', 'Number of open file descriptors.', [[{}, open]]),
    metricFamily('process_virtual_memory_bytes', 'gauge', 'Virtual memory size in bytes.', [[{}, virtual]]),
  ].join('');
}
