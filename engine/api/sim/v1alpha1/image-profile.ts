/** ImageProfile: what an image is and does in the simulation, for images that Wavetank does not know or knows differently. */
import type { KubeObject } from '../../../apimachinery/object.ts';

export interface ImageProfileRoute {
  /** A path, or a prefix that ends in `*`. */
  readonly path: string;
  /** Default 200. */
  readonly status?: number;
  readonly body?: string;
  readonly contentType?: string;
  /** After so long a run it answers 500. */
  readonly failAfterMs?: number;
  /** How long it thinks about an answer. */
  readonly delayMs?: number;
}

/** What the server says of a service when its health is asked for by gRPC. */
export interface ImageProfileGrpcHealth {
  /** Default: of all services. */
  readonly service?: string;
  /** SERVING (the default), NOT_SERVING or UNKNOWN. */
  readonly status?: string;
  readonly failAfterMs?: number;
  readonly delayMs?: number;
}

export interface ImageProfilePort {
  readonly port: number;
  readonly routes?: readonly ImageProfileRoute[];
  /** It speaks gRPC with the health protocol, and no HTTP. */
  readonly grpc?: readonly ImageProfileGrpcHealth[];
}

/** `value` holds so many milliseconds after the start; between two points stands a straight line. */
export interface ImageProfileLoadPoint {
  readonly atMs: number;
  readonly value: number;
}

/** What the program uses while it runs; absent curves are those of an idle program. */
export interface ImageProfileLoad {
  /** Thousandths of a core; throttled at the container's limit. */
  readonly milliCpu?: readonly ImageProfileLoadPoint[];
  /** Bytes of the working set; more than the container's limit kills it (OOMKilled). */
  readonly memoryBytes?: readonly ImageProfileLoadPoint[];
  /** Bytes in the container's own file system. */
  readonly diskBytes?: readonly ImageProfileLoadPoint[];
  readonly processes?: number;
  /** All curves begin anew after so long. */
  readonly periodMs?: number;
}

export interface ImageProfileSpec {
  /** Repository without tag: `nginx` or `ghcr.io/acme/shop`. */
  readonly image: string;
  readonly sizeBytes?: number;
  /** When given, other tags do not exist. */
  readonly tags?: readonly string[];
  readonly missingTags?: readonly string[];
  readonly startupMs?: number;
  /** Lines it writes when it starts; `{time}`, `{hostname}`, `{args}` are filled in. */
  readonly log?: readonly string[];
  readonly ports?: readonly ImageProfilePort[];
  /** Ends by itself after so long; absent: runs until it is stopped. */
  readonly exitAfterMs?: number;
  readonly exitCode?: number;
  /** How long it takes to end after SIGTERM, and with which code; default 100 ms and 0. */
  readonly stopMs?: number;
  readonly stopExitCode?: number;
  /** SIGTERM is not heard. */
  readonly ignoresTerm?: boolean;
  readonly load?: ImageProfileLoad;
}

export interface ImageProfile extends KubeObject {
  readonly kind: 'ImageProfile';
  readonly spec: ImageProfileSpec;
}
