/**
 * The fingerprint of a history (law 5): a hash chained over every change, scheduling decision, crash and line of container log, in order.
 * Key material, which differs from run to run, is replaced by a placeholder where it enters state.
 */
import type { Secret } from '../api/core/v1/types.gen.ts';
import { CommittedJson } from '../apimachinery/serializer/committed-json.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Change } from '../store/store.ts';
import { decisionText } from './decision-text.ts';
import { KeyMaterial } from './key-material.ts';

export interface DigestOptions {
  /** sha256 of the text as lower case hex; a capability of the host. */
  hash(text: string): string;
  /** Key material of the host as PEM text: it differs from run to run. */
  readonly keyMaterial?: readonly string[];
  /** Shared with those who encode the same objects after it. */
  readonly json?: CommittedJson;
}

/** A line that a container wrote. */
export interface LogLine {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly atMs: number;
  readonly text: string;
}

/** Fingerprints of client certificates, which requests for certificates note of who asked. */
const requestPrefix = '/registry/certificatesigningrequests/';
/** Tokens that Secrets hold: signed with a key of the host. */
const secretPrefix = '/registry/secrets/';
const tokenSecretType = 'kubernetes.io/service-account-token';
const tokens = /"token":"[^"]*"/;
/** Certificates that the cluster's authority signed. */
const certificates = /"certificate":"[^"]*"/;
/** Tokens of service accounts that a container tells: each run of characters is looked at once. */
const tokenBeginning = 'eyJ';
const signedTokens = /(?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g;
const fingerprints = /X509SHA256=[0-9a-f]{64}/g;
export class HistoryDigest {
  readonly #hash: (text: string) => string;
  readonly #keys: KeyMaterial;
  readonly #json: CommittedJson;
  #digest = '';

  constructor(options: DigestOptions) {
    this.#hash = (text) => options.hash(text);
    this.#json = options.json ?? new CommittedJson();
    this.#keys = new KeyMaterial(options.keyMaterial ?? []);
  }

  get value(): string {
    return this.#digest;
  }

  onChange({ revision, key, current, meta }: Change<KubeObject>): void {
    const text = current === undefined ? '' : this.#canonical(key, current.value);
    this.#add(`change ${revision}\n${key}\n${text}\n${meta.virtualMs}\n${meta.identity}\n${meta.causes.join(' ')}`);
  }

  onDecision(record: object): void {
    this.#add(`decision\n${decisionText(record)}`);
  }

  onCrash(component: string, key: string, error: string, atMs: number): void {
    this.#add(`crash\n${component}\n${key}\n${atMs}\n${error}`);
  }

  onLog({ namespace, pod, container, atMs, text }: LogLine): void {
    const said = text.includes(tokenBeginning) ? text.replace(signedTokens, '<token>') : text;
    this.#add(`log\n${namespace}/${pod}/${container}\n${atMs}\n${said}`);
  }

  /** Of the history that is gone on with. */
  goOnFrom(digest: string): void {
    this.#digest = digest;
  }

  #add(record: string): void {
    // Looked at as it is hashed: a text of parts becomes one text once.
    const text = this.#digest + record;
    this.#digest = this.#hash(this.#keys.mayBeIn(text) ? this.#digest + this.#keys.hide(record) : text);
  }

  #canonical(key: string, object: KubeObject): string {
    const text = this.#json.remember(object);
    if (key.startsWith(requestPrefix)) return text.replace(fingerprints, 'X509SHA256=<key>').replace(certificates, '"certificate":"<key>"');
    if (key.startsWith(secretPrefix) && (object as Secret).type === tokenSecretType) return text.replace(tokens, '"token":"<token>"');
    return text;
  }
}
