/** One request of a client outside, as it is remembered: of one shape, filled in as it passes. */
import type { RequestInfo } from '../request-info.ts';
import { cut } from './request-log.ts';

const nameMax = 256;

export class LoggedRequest {
  number = 0;
  /** Virtual. */
  arrivedMs = 0;
  /** In wall time. */
  begunMs = 0;
  method = '';
  uri = '';
  userAgent = '';
  username = '';
  verb = '';
  group = '';
  version = '';
  resource = '';
  subresource = '';
  namespace = '';
  name = '';
  code = 0;
  reason = '';
  message = '';
  /** In wall time, to the last byte; NaN while it goes on. */
  latencyMs = Number.NaN;
  receivedBytes = 0;
  sentBytes = 0;
  /** The input that it was; 0 where it changed nothing. */
  input = 0;
  /** The revisions that it made, from the first to the last. */
  firstRevision = 0;
  lastRevision = 0;
  /** Of a component: how long it took is not measured. */
  isInside = false;
  /** Somebody says when it is over. */
  isMetered = false;

  /** It is another request from here on: thousands that were made anew would all live long enough to be dear. */
  reset(number: number, arrivedMs: number, begunMs: number): void {
    this.verb = this.group = this.version = this.resource = this.subresource = this.namespace = this.name = this.username = '';
    this.reason = this.message = '';
    this.code = this.sentBytes = this.input = this.firstRevision = this.lastRevision = 0;
    this.latencyMs = Number.NaN;
    this.isMetered = false;
    this.number = number;
    this.arrivedMs = arrivedMs;
    this.begunMs = begunMs;
  }

  get isOver(): boolean {
    return !Number.isNaN(this.latencyMs);
  }

  /** What its path and method mean. */
  about(info: RequestInfo): void {
    this.verb = info.verb;
    if (!info.isResource) return;
    this.group = cut(info.group, nameMax);
    this.version = cut(info.version, nameMax);
    this.resource = cut(info.resource, nameMax);
    this.subresource = cut(info.subresource, nameMax);
    this.namespace = cut(info.namespace, nameMax);
    this.name = cut(info.name, nameMax);
  }

  /** Who asks. */
  by(username: string): void {
    this.username = cut(username, nameMax);
  }

  /** What it changed. */
  changed(input: number, firstRevision: number, lastRevision: number): void {
    this.input = input;
    this.firstRevision = firstRevision;
    this.lastRevision = lastRevision;
  }
}
