/** What `/metrics` tells in release 1.13, of what is counted here. Mirrors its apiserver pkg/endpoints/metrics and pkg/admission/metrics. */
import type { ReleaseMetrics } from '../../contracts/release-documents.ts';

const build = {
  build_date: 'buildDate',
  git_commit: 'gitCommit',
  git_tree_state: 'gitTreeState',
  git_version: 'gitVersion',
  go_version: 'goVersion',
};

export const metrics: ReleaseMetrics = {
  tellsClients: true,
  admissionBounds: [25_000, 62_500, 156_250, 390_625, 976_562.5],
  families: {
    apiserver_admission_controller_admission_duration_seconds: {
      name: 'apiserver_admission_controller_admission_latencies_seconds',
      help: 'Admission controller latency histogram, identified by name and broken out for each operation and API resource and type (validate or admit).',
    },
    apiserver_admission_step_admission_duration_seconds: {
      name: 'apiserver_admission_step_admission_latencies_seconds',
      help: 'Admission sub-step latency histogram, broken out for each operation and API resource and step type (validate or admit).',
    },
    apiserver_audit_error_total: {},
    apiserver_audit_event_total: {},
    apiserver_audit_requests_rejected_total: {},
    apiserver_current_inflight_requests: {
      help: 'Maximal mumber of currently used inflight request limit of this apiserver per request kind in last second.',
      labels: { request_kind: 'requestKind' },
    },
    apiserver_dropped_requests_total: { name: 'apiserver_dropped_requests', help: "Number of requests dropped with 'Try again later' response" },
    apiserver_longrunning_gauge: {},
    apiserver_registered_watchers: {},
    apiserver_request_count: {},
    apiserver_request_latencies: {},
    apiserver_response_sizes: {},
    apiserver_storage_objects: { name: 'etcd_object_counts', help: 'Number of stored objects at the time of last check split by kind.' },
    authenticated_user_requests: {},
    kubernetes_build_info: { labels: build },
    process_cpu_seconds_total: {},
    process_max_fds: {},
    process_open_fds: {},
    process_resident_memory_bytes: {},
    process_start_time_seconds: {},
    process_virtual_memory_bytes: {},
  },
  contentType: 'text/plain; version=0.0.4',
};
