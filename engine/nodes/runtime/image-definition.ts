/**
 * What an image is and does, as data: size, tags, default command and the programs in it. Built-in definitions are in `images/`,
 * those of a cluster are ImageProfile objects; both have this form.
 */
import type { PodAnswer, PodQuestion } from '../../contracts/connect.ts';
import type { LoadProfile } from './load.ts';

export interface HttpRoute {
  /** Exact path, or a prefix that ends in `*`. */
  readonly path: string;
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
  /** After so long a run the route answers 500 (`agnhost liveness`). */
  readonly failAfterMs?: number;
  /** How long it thinks about an answer. */
  readonly delayMs?: number;
  /** It leads on to where this parameter of the query says. */
  readonly redirectsTo?: string;
}

/** Where somebody is asked, and by whom (`10.244.1.7:40112`). */
export interface RespondingPort {
  readonly port: number;
  readonly remote: string;
}

export interface RoutedAnswer extends PodAnswer {
  /** Where it leads on to. */
  readonly location?: string;
}

/** What a server says of one of its services when its health is asked for by gRPC. */
export interface GrpcHealth {
  /** Empty: of all of them. */
  readonly service: string;
  readonly status: 'SERVING' | 'NOT_SERVING' | 'UNKNOWN';
  /** After so long a run it is NOT_SERVING. */
  readonly failAfterMs?: number;
  readonly delayMs?: number;
}

export interface ListeningPort {
  readonly port: number;
  /** The flag by which the program's arguments name another one, e.g. `--port`. */
  readonly argument?: string;
  /** Asked before the routes; undefined leaves it to them. */
  readonly respond?: (question: PodQuestion, at: RespondingPort) => RoutedAnswer | undefined;
  /** Files below this folder of the container are what it answers with. */
  readonly folder?: string;
  /** Without routes the port takes connections and says nothing. */
  readonly routes?: readonly HttpRoute[];
  /** It speaks gRPC and knows the health protocol. */
  readonly grpc?: readonly GrpcHealth[];
}

export interface ProgramDefinition {
  /** What it uses while it runs; that of an idle program without it. */
  readonly load?: LoadProfile;
  /** Its arguments say what it uses (`stress`). */
  readonly loadFromArguments?: true;
  /** Until its ports answer. */
  readonly startupMs?: number;
  /** Lines it writes when it starts; `{time}`, `{hostname}`, `{args}` and the value of a flag with its default (`{--port=80}`) are filled in. */
  readonly log?: readonly string[];
  readonly ports?: readonly ListeningPort[];
  /** What listens at ports that its environment and its arguments name. */
  readonly listens?: (port: number, env: { readonly [name: string]: string }, args: readonly string[]) => ListeningPort | undefined;
  /** Answers `/` with the pod's name etc.; see `http.ts`. */
  readonly server?: 'nginx' | 'apache' | 'agnhost' | 'plain';
  /** What it does instead, as a shell script made from its arguments. */
  readonly script?: (args: readonly string[]) => string;
  /** Ends by itself after so long. */
  readonly exitAfterMs?: number;
  readonly exitCode?: number;
  /** How it takes SIGTERM; absent: as PID 1 without a handler, not at all. */
  readonly onTerm?: { readonly afterMs: number; readonly exitCode: number };
}

export interface ImageDefinition {
  /** Without tag, with registry: `docker.io/library/nginx`. */
  readonly repository: string;
  readonly sizeBytes: number;
  /** When given, other tags do not exist. */
  readonly tags?: readonly string[];
  readonly missingTags?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
  /** Whom its programs run as, a number or a name; root without it. */
  readonly user?: string;
  readonly env?: { readonly [name: string]: string };
  /** Holds `sh` and the usual small commands. */
  readonly shell: boolean;
  /** Folders that it is known for, with those above them. */
  readonly folders?: readonly string[];
  /** Files it has beside its programs, by path: containers may change theirs. */
  readonly files?: { readonly [path: string]: string };
  /** By the name of argv[0] without its folder. */
  readonly programs: { readonly [name: string]: ProgramDefinition };
  /** Commands that the image brings for questions to its server, by name: each says this and succeeds while the server answers. */
  readonly tools?: { readonly [name: string]: string };
  /** Runs whatever it is told (images nobody has described). */
  readonly anyCommand?: boolean;
}

/** Checks one definition and returns it. */
export function defineImage(definition: ImageDefinition): ImageDefinition {
  if (!definition.repository.includes('/')) throw new Error(`image ${definition.repository} lacks its registry`);
  if (!(definition.sizeBytes > 0)) throw new Error(`image ${definition.repository} lacks a size`);
  return definition;
}
