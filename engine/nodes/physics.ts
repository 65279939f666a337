/**
 * How long things take on a simulated machine and how big they are: named numbers in one place (law 7). Milliseconds and bytes.
 * They are those of a small virtual machine with a fast disk in the same region as its registry.
 */
/** From power-on to a running kubelet. */
export const bootMinMs = 12_000;
export const bootMaxMs = 25_000;
/** From a started kubelet to its registration, and from there to its first Ready. */
export const registerMinMs = 50;
export const registerMaxMs = 900;
export const runtimeUpMinMs = 300;
export const runtimeUpMaxMs = 1_200;

/** Pod sandbox with its network. */
export const sandboxMinMs = 300;
export const sandboxMaxMs = 800;
/** Container created and started in a ready sandbox. */
export const containerStartMinMs = 60;
export const containerStartMaxMs = 220;
/** Tearing down the sandbox and cgroups after the last container has ended. */
export const teardownMinMs = 150;
export const teardownMaxMs = 600;

/** Manifest and authentication before the first layer. */
export const registryLatencyMinMs = 350;
export const registryLatencyMaxMs = 900;
/** Download and unpacking together. */
export const pullBytesPerSecond = 42_000_000;
/** A registry that cannot be reached fails after this long. */
export const registryTimeoutMs = 10_000;
/** Compressed size of an image nobody has described. */
export const unknownImageBytes = 48_000_000;
/** How long an init container runs whose program nobody has described. */
export const unknownInitMs = 1_000;

/** The kubelet looks at its runtime once a second (PLEG relist); changes of one pod within it become one status write. */
/** How long a pod waits after its worker failed (upstream's backOffPeriod). */
export const crashBackoffMs = 10_000;
export const relistMs = 1_000;
/** How often a kubelet cleans up after pods that are gone, and how often it looks at each pod without a reason (upstream's sync frequency). */
export const housekeepingMs = 2_000;
export const podResyncMs = 60_000;
/** A pod at which something failed is looked at again after so long (the pod workers' backOffPeriod), and after no longer than this (sync frequency). */
export const syncBackoffMs = 10_000;
export const syncPeriodMs = 60_000;
/** Such times are longer by up to this part. */
export const syncJitter = 0.5;
/** Between tries of what cannot work yet: missing ConfigMaps, invalid names. */
export const retryMinMs = 10_000;
export const retryMaxMs = 15_000;

/** How often a kubelet asks its runtime how it is, and after how long without an answer it says that it is down. */
export const runtimeAskMs = 5_000;
export const runtimeSilenceMs = 30_000;
/** A list of pods that is older than this is told, too. */
export const relistSilenceMs = 180_000;
/** The init system starts a kubelet that has crashed again after so long (kubeadm's RestartSec). */
export const kubeletRestartMs = 10_000;

export const backoffBaseMs = 10_000;
export const backoffMaxMs = 300_000;
/** A back-off is forgotten after so long a good run. */
export const backoffResetMs = 600_000;

/** Staging and mounting the volumes of a pod's claims, once they are attached. */
export const mountMinMs = 200;
export const mountMaxMs = 800;
/** A pod that waits for its volumes is told so after so long, again and again (podAttachAndMountTimeout). */
export const attachTimeoutMs = 123_000;
/** From an attached volume to the kubelet that sees it (its reconciler's period). */
export const attachSeenMs = 100;
/** From a grown disk to its grown file system. */
export const growMs = 800;

export const mountBackoffBaseMs = 500;
export const mountBackoffMaxMs = 122_000;

export const heartbeatMs = 10_000;
export const leaseDurationSeconds = 40;
/** A node status without changes is reported this often. */
export const statusReportMs = 300_000;

/** A simulated shell runs this many simple commands, then needs a second of CPU. */
export const shellCommandsPerSecond = 1_000;
/** The shortest sleep: the process has to be started, put aside and woken. */
export const shellSleepMinMs = 10;
/** Memory of one simulated process: its variables, its output on the way, the text in its hands. Beyond, the machine kills it. */
export const shellMemoryBytesMax = 4 * 1024 * 1024;
/** What a container may write into its own file system, and in how many files. */
export const shellFileBytesMax = 2 * 1024 * 1024;
export const shellFilesMax = 1_000;

/** From an allocation of other resources to their being in force, and between tries where the node has not enough. */
export const resizeMinMs = 200;
export const resizeMaxMs = 900;
export const resizeRetryMs = 30_000;
/** What a fault leaves of a machine's memory and of its process numbers. */
export const starvedMemoryBytes = 48 * 1024 * 1024;
export const starvedProcesses = 400;
/** How often a kubelet looks for images that nobody uses. */
export const imageGcPeriodMs = 300_000;
/** How often all kubelets are asked for what is used, and how old a container must be then to count (metrics-server). */
export const scrapeMs = 15_000;
export const freshContainerMs = 10_000;
/** What a program that nobody has described uses. */
export const idleMilliCpu = 1;
export const idleMemoryBytes = 6 * 1024 * 1024;
/** A shell that holds nothing. */
export const shellBaseBytes = 768 * 1024;
/** Kubelet, runtime and operating system of a machine. */
export const systemMilliCpu = 60;
export const systemMemoryBytes = 420 * 1024 * 1024;
export const systemDiskBytes = 3 * 1024 ** 3;
export const systemInodes = 120_000;
export const systemProcesses = 120;
/** Of a machine's file system: one inode for so many bytes. */
export const bytesPerInode = 16_384;
export const inodesPerImage = 900;
export const inodesPerContainer = 12;
export const processesMax = 32_768;
/** An image takes so many times its compressed size on the disk. */
export const unpackedFactor = 2.5;

/** Lines and bytes that a node keeps of a container's output. */
export const logLinesMax = 2_000;
export const logBytesMax = 256 * 1024;
/** Images a node keeps; beyond, the least recently used unused ones go. */
export const imagesReportedMax = 50;
/** A kubelet gives up a connection over which nothing comes: HTTP/2 health checks at 30 s and 15 s. */
export const connectionDeadMs = 45_000;
/** What could not be written of a pod is written again after so long (the status manager's syncPeriod). */
export const statusRetryMs = 10_000;
/** The status manager looks at all statuses so often, from the start of the kubelet on (its syncPeriod). */
export const statusSyncMs = 10_000;
