/** What a cluster needs of the process that it lives in. */
import type { HttpStreamSink } from '../apiserver/http-types.ts';
import type { AdmissionPlugin } from '../apiserver/admission/plugin.ts';
import type { AuditOptions } from '../apiserver/audit/auditor.ts';
import type { TokenAuthenticator } from '../apiserver/auth/authenticator.ts';
import type { PasswordAuthenticator } from '../apiserver/auth/password-file.ts';
import type { AnonymousPolicy, RequestHeaderTrust } from '../apiserver/auth/authentication.ts';
import type { Authorizer } from '../apiserver/authorizer.ts';
import type { Crash, LoopHost } from '../base/task-loop.ts';
import type { KnownToken } from '../contracts/access.ts';
import type { CertificateJudge, CertificateReader } from '../contracts/certificates.ts';
import type { ComputedResource } from '../contracts/computed-resource.ts';
import type { Answer, Ask, Question } from '../contracts/questions.ts';
import type { SecretTokenSigner, TokenSigner } from '../contracts/tokens.ts';
import type { Cluster } from './cluster.ts';

/** What the outside lends: wall time for slices, hashing and signing. None of it enters history. */
export interface ClusterHost extends LoopHost {
  /** SHA-256 as hex. */
  hash(text: string): string;
  /** A file of the packages that say what fields are for, e.g. `kubernetes-types/core/v1.d.ts`; nothing is said of them without. */
  readTypes?(path: string): string | undefined;
  readonly rootCaPem: string;
  readonly tokenSigner?: TokenSigner;
  /** Reads certificates, and signs requests for them with the cluster's authority. */
  readonly certificates?: CertificateReader;
  /** Judges certificates that clients send. */
  readonly certificateJudge?: CertificateJudge;
  /** HMAC of SHA-256 as base64url. */
  hmac?(key: string, text: string): string;
  /** Signs the tokens that Secrets hold; without it nobody fills such Secrets. */
  readonly signSecretToken?: SecretTokenSigner;
  /** Know bearer tokens of requests from outside, asked in turn. */
  readonly authenticators?: readonly TokenAuthenticator[];
  /** Whether nobody in particular may ask; everybody about everything without it. */
  readonly anonymous?: AnonymousPolicy;
  /** Of those who say their name and a password. */
  readonly passwords?: PasswordAuthenticator;
  /** Whose word counts about for whom it asks. */
  readonly requestHeader?: RequestHeaderTrust;
  /** Whose bearer token it is; for TokenReview. */
  knownToken?(token: string, audiences: readonly string[], ask: Ask): KnownToken;
  /** Further authorizers, asked when those of the cluster have not said yes. */
  readonly authorizers?: readonly Authorizer[];
  /** Computed resources of the host, e.g. `clocks`. One of a kind that the cluster computes itself stands in its place. */
  computed?(cluster: Cluster): readonly ComputedResource[];
  /** `127.0.0.1:6443`, as discovery names it; undefined where nobody listens yet. */
  address?(): string | undefined;
  /** How long in wall time clients outside may come back to a revision; without it virtual time alone counts. */
  readonly watchWindowMs?: number;
  /** Puts a question to whom it names and waits at most its time-out, in wall time. Absent: nobody is there to answer. */
  ask?(question: Question): Promise<Answer>;
  /** Joins a client to a stream that an answer named (see apiserver/aggregation); returns what ends it. */
  followStream?(stream: string, sink: HttpStreamSink): () => void;
  /** Who signs certificates of the front proxy; servers of other APIs learn it from a ConfigMap. */
  readonly frontProxyCaPem?: string;
  /** Resolves when virtual time has come so far, or with false when a client has waited long enough. */
  until?(virtualMs: number, wallMostMs?: number): Promise<boolean>;
  /** Further admission plugins, where upstream asks its webhooks. */
  readonly admissionPlugins?: readonly AdmissionPlugin[];
  /** Which requests are logged, and where to. */
  readonly audit?: AuditOptions;
  /** A name for a request that nothing else has. No part of history. */
  newId?(): string;
  /** Calls back after so much wall time, unless it is cancelled; nobody who waits for a seat gives up without it. */
  after?(delayMs: number, call: () => void): () => void;
  /** Virtual time goes as fast as it can. */
  isRushing?(): boolean;
  /** Virtual time does not pass until somebody lets it. */
  isStanding?(): boolean;
  /** Something worth a line in the log: a reconcile that failed, a component that crashed. */
  log?(line: string): void;
  /** What the process counts of itself, in Prometheus' text form. */
  processMetrics?(): string;
  /** A component threw and was recovered; tests fail on it. */
  onCrash?(crash: Crash): void;
}
