/**
 * What clients connect to: the listener of the API, credentials, streams and forwarded ports. It shows one branch at a time at the
 * root, and every branch under `/branches/NAME`; when it shows another, clients are led there: their watches end with 410, their
 * forwarded ports close, and what they ask next is answered by the new one.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { assert } from '../base/assert.ts';
import { newBadRequest, newInternalError, newNotFound, newResourceExpired, newStatusError } from '../apimachinery/errors.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Gathered, HttpRequest, HttpResponse, HttpStreamResponse, HttpUpgradeResponse } from '../apiserver/http-types.ts';
import { adminIdentity } from '../cluster/identities.ts';
import { type Handler, isStream, type PlainResponse, type ServedRequest, type ServedResponse, type StreamResponse } from '../serving/exchange.ts';
import { type Listener, ListenError, listen } from '../serving/listener.ts';
import { createPortForwarder, type PortForwardHandler } from '../serving/portforward/port-forwarder.ts';
import { createProcessStreamer, type ProcessStreamer } from '../serving/remote-command/process-streamer.ts';
import { type LogResponse, sendLogMessages, wantsLogMessages } from '../serving/log-socket.ts';
import { answerSocket } from '../serving/socket-answer.ts';
import { sendWatchMessages, wantsMessages } from '../serving/watch-messages.ts';
import type { Branch } from './branch.ts';
import type { Keys } from './home.ts';
import { joinAggregated } from './reach-upgrade.ts';
import { type EndpointTrust, tlsOf } from './endpoint-trust.ts';

/** Who asks, where that is known before anybody looks at credentials. */
type Known = Pick<HttpRequest, 'identity'>;

/** An open answer of a branch that can be ended for a reason. */
interface OpenStream {
  readonly branch: Branch;
  endWith(error: StatusError): void;
}

type ForwardTarget = (HttpUpgradeResponse | LogTarget | WatchTarget) & { readonly branch: Branch };

/** A log that leaves as messages. */
interface LogTarget {
  readonly upgrade: 'log';
  readonly response: LogResponse;
  closed?(): void;
}

/** Events that leave as messages. */
interface WatchTarget {
  readonly upgrade: 'watch';
  readonly response: StreamResponse;
  closed?(): void;
}

const watchTimeoutMinMs = 1_800_000;
const branchPath = /^\/branches\/([^/]+)(\/.*)$/;

export class Endpoint {
  readonly keys: Keys;
  readonly #branches = new Map<string, Branch>();
  readonly #streams = new Set<OpenStream>();
  readonly #forwarders = new Map<Branch, PortForwardHandler>();
  readonly #streamers = new Map<Branch, ProcessStreamer>();
  /** Upgraded sockets and where they lead. */
  readonly #forwards = new Map<Duplex, Branch>();
  /** How often clients were led away from a branch. */
  readonly #departures = new Map<Branch, number>();
  readonly #trust: EndpointTrust;
  #shown: string;
  /** The highest revision that a branch which clients have left had given out. */
  #revisionsLeft = 0;
  #requests = 0;
  #listener: Listener | undefined;

  constructor(keys: Keys, name: string, branch: Branch, trust: EndpointTrust = {}) {
    this.keys = keys;
    this.#trust = trust;
    this.#shown = name;
    this.addBranch(name, branch);
  }

  /** Listens on the first port that is free, 0 for any. */
  async listen(ports: readonly number[]): Promise<void> {
    for (const [index, port] of ports.entries()) {
      try {
        this.#listener = await this.#listenOn(port);
        return;
      } catch (error) {
        if (!(error instanceof ListenError) || index === ports.length - 1) throw error;
      }
    }
  }

  /** How many requests have come so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Connections that never came to speak TLS. */
  get failedHandshakes(): number {
    return this.#listener?.failedHandshakes ?? 0;
  }

  get server(): string {
    return `https://127.0.0.1:${this.#listener?.port ?? 0}`;
  }

  /** The branch that clients see who name none. */
  get shown(): Branch {
    return this.branch(this.#shown) as Branch;
  }

  get shownName(): string {
    return this.#shown;
  }

  branch(name: string): Branch | undefined {
    return this.#branches.get(name);
  }

  /** In the order in which they were added. */
  listBranches(): readonly { readonly name: string; readonly branch: Branch }[] {
    return [...this.#branches].map(([name, branch]) => ({ name, branch }));
  }

  /** Shows a branch under `/branches/NAME`. It stays the caller's to run and, when it is removed, to close. */
  addBranch(name: string, branch: Branch): void {
    assert(!this.#branches.has(name), `no second branch ${name}`);
    this.#branches.set(name, branch);
    const { endInput, tunnel } = branch.cluster.webSockets;
    this.#forwarders.set(branch, createPortForwarder({ open: (...place) => branch.openPort(...place), tunnels: tunnel }));
    this.#streamers.set(
      branch,
      createProcessStreamer((...process) => branch.openProcess(...process), endInput),
    );
    branch.onFailure((error) => this.#endStreams(branch, failureOf(error)));
  }

  /** Leads clients to another branch. Revisions go on above all that they have seen, so that none is given out twice. */
  switchTo(name: string): void {
    const target = this.#branches.get(name);
    assert(target, `branch ${name} is there`);
    const left = this.shown;
    if (target === left) return;
    this.#revisionsLeft = Math.max(this.#revisionsLeft, left.cluster.store.currentRevision());
    target.startAnew(this.#revisionsLeft);
    this.#shown = name;
    this.#letGo(left);
  }

  /** Forgets a branch that is not shown; its clients are told that it is gone. */
  removeBranch(name: string): Branch {
    const branch = this.#branches.get(name);
    assert(branch !== undefined && name !== this.#shown, `branch ${name} is there and not shown`);
    this.#branches.delete(name);
    this.#forwarders.delete(branch);
    this.#streamers.delete(branch);
    this.#letGo(branch);
    return branch;
  }

  /** Answers a caller who is known, as the branch that is shown, or another. A promise only where somebody outside has to be asked. */
  handle(request: HttpRequest, branch = this.shown): HttpResponse | Promise<HttpResponse> {
    return this.#handle(branch, request);
  }

  /** The same for requests that ask nobody outside. */
  handleAtOnce(request: HttpRequest, branch = this.shown): HttpResponse {
    return this.#handleAtOnce(branch, request);
  }

  /** A stream of a branch that is no answer of the API; it ends when the branch's clients are led to another, or it goes. */
  stream(branch: Branch, response: HttpStreamResponse): HttpStreamResponse {
    if (branch.failure !== undefined) throw failureOf(branch.failure);
    return this.#followed(branch, response);
  }

  /** The API for callers that are already the admin (the page). */
  get adminHandler(): Handler {
    return (request) => this.#serve(request, { identity: adminIdentity });
  }

  async close(): Promise<void> {
    await this.#listener?.close();
  }

  /** A promise only where somebody outside has to be asked. */
  #handle(branch: Branch, request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    if (branch.failure !== undefined) return failed(branch.failure, request.path);
    const response = branch.handle(request);
    if (!(response instanceof Promise)) return this.#known(branch, response);
    const departures = this.#departures.get(branch);
    return response.then((one) => {
      // Its clients were led away while somebody was asked: no stream of it may begin any more.
      const isLeft = this.#departures.get(branch) !== departures;
      return isLeft && ('open' in one || 'upgrade' in one) ? this.#leftBehind(one) : this.#known(branch, one);
    });
  }

  #leftBehind(response: HttpResponse): HttpResponse {
    if ('open' in response) response.open({ write: () => undefined, end: () => undefined })();
    else if ('upgrade' in response) response.closed?.();
    return toPlain(shownElsewhere());
  }

  #handleAtOnce(branch: Branch, request: HttpRequest): HttpResponse {
    if (branch.failure !== undefined) return failed(branch.failure, request.path);
    return this.#known(branch, branch.handleAtOnce(request));
  }

  #known(branch: Branch, response: HttpResponse): HttpResponse {
    return 'open' in response ? this.#followed(branch, response) : response;
  }

  /** A stream that is known here, so that it can be ended when its branch goes. */
  #followed(branch: Branch, response: HttpStreamResponse): HttpStreamResponse {
    return {
      ...response,
      open: (sink) => {
        let closeInner: () => void = () => undefined;
        const close = (): void => {
          if (this.#streams.delete(stream)) closeInner();
        };
        const end = (): void => {
          close();
          sink.end();
        };
        const stream: OpenStream = {
          branch,
          endWith: (error) => {
            if (response.farewell !== undefined) sink.write(response.farewell(error));
            end();
          },
        };
        this.#streams.add(stream);
        closeInner = response.open({
          write: (chunk) => sink.write(chunk),
          ...(sink.gather !== undefined && { gather: (gathered: Gathered) => sink.gather?.(gathered) }),
          end,
          isBehind: () => sink.isBehind?.() === true,
        });
        if (!this.#streams.has(stream)) closeInner();
        return close;
      },
    };
  }

  #letGo(branch: Branch): void {
    this.#departures.set(branch, (this.#departures.get(branch) ?? 0) + 1);
    this.#endStreams(branch, shownElsewhere());
    for (const [socket, owner] of this.#forwards) if (owner === branch) socket.destroy();
  }

  #endStreams(branch: Branch, reason: StatusError): void {
    for (const stream of [...this.#streams]) if (stream.branch === branch) stream.endWith(reason);
  }

  #listenOn(port: number): Promise<Listener> {
    return listen({
      host: '127.0.0.1',
      port,
      tls: tlsOf(this.keys, this.#trust),
      handler: (request) => this.#serve(request, {}),
      onDefect: reportDefect,
      onUpgrade: (request, raw, socket, head) => {
        this.#forwardTarget(request)
          .then(
            (target) => ('status' in target ? answerSocket(socket, target) : this.#forward(target, raw, socket, head)),
            (error: unknown) => {
              reportDefect(error);
              answerSocket(socket, toPlain(newInternalError(error instanceof Error ? error : String(error))));
            },
          )
          .catch((error: unknown) => {
            // It may speak another protocol by now, in which nothing can be said of it.
            reportDefect(error);
            socket.destroy();
          });
      },
    });
  }

  #forward(target: ForwardTarget, raw: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { branch } = target;
    const closed = (): void => {
      this.#forwards.delete(socket);
      target.closed?.();
    };
    // It went while somebody was asked about it.
    if (socket.destroyed) return closed();
    this.#forwards.set(socket, branch);
    socket.once('close', closed);
    if (target.upgrade === 'aggregated') joinAggregated(target.call, this.keys.frontProxy?.client, socket, head);
    else if (target.upgrade === 'log') sendLogMessages(raw, socket, head, target.response);
    else if (target.upgrade === 'watch') sendWatchMessages(raw, socket, head, target.response, reportDefect);
    else if (target.upgrade === 'process') this.#streamers.get(branch)?.(raw, socket, head, target.process);
    else this.#forwarders.get(branch)?.(raw, socket, head, target);
  }

  /** The branch that a path names, and the path without it. */
  #locate(path: string): { readonly branch: Branch; readonly path: string } {
    const match = branchPath.exec(path);
    if (match === null) return { branch: this.shown, path };
    const [, name = '', inner = ''] = match;
    const branch = this.#branches.get(name);
    if (branch === undefined) throw branchNotFound(name);
    return { branch, path: inner };
  }

  /** Where a request for a connection to a pod leads, or the answer it gets instead. */
  async #forwardTarget(request: ServedRequest): Promise<ForwardTarget | PlainResponse> {
    this.#requests++;
    try {
      const { branch, path } = this.#locate(request.path);
      const { method, query, headers, body, peer, onGone } = request;
      const response = await this.#handle(branch, { method, path, query, headers, body, peer, ...(onGone && { onGone }) });
      if (!('upgrade' in response)) {
        if (wantsLogMessages(path, headers, response)) return { upgrade: 'log', response: toServed(branch, response), branch };
        if (!('open' in response)) return response;
        const served = toServed(branch, response);
        if (wantsMessages(headers) && isStream(served)) return { upgrade: 'watch', response: served, branch };
        return toPlain(newBadRequest('this path is not upgraded'));
      }
      return { ...response, branch };
    } catch (error) {
      return said(error);
    }
  }

  #serve(request: ServedRequest, known: Known): ServedResponse | Promise<ServedResponse> {
    this.#requests++;
    try {
      const { branch, path } = this.#locate(request.path);
      const { method, query, headers, body, peer, onGone } = request;
      const response = this.#handle(branch, { method, path, query, headers, body, peer, ...(onGone && { onGone }), ...known });
      return response instanceof Promise ? response.then((one) => toServed(branch, one), said) : toServed(branch, response);
    } catch (error) {
      return said(error);
    }
  }
}

function reportDefect(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

function toServed(branch: Branch, response: HttpResponse): ServedResponse {
  if ('upgrade' in response) return toPlain(newStatusError(400, 'BadRequest', 'Upgrade request required'));
  if (!('open' in response)) return response;
  return {
    ...response,
    timeoutMs: response.timeoutMs ?? watchTimeoutMinMs * (1 + Math.random()),
    open: (sink) =>
      response.open({
        write: (chunk) => {
          branch.pacer.delivered();
          sink.write(chunk);
        },
        ...(sink.gather !== undefined && {
          gather: (gathered: Gathered) => {
            branch.pacer.delivered();
            // Where time waits for watchers, it waits for each of their events.
            if (branch.pacer.settleMs > 0) gathered.close();
            sink.gather?.(gathered);
          },
        }),
        end: () => sink.end(),
        isBehind: () => sink.isBehind?.() === true,
      }),
  };
}

function shownElsewhere(): StatusError {
  return newResourceExpired('the server shows another branch of history now');
}

/** There is no branch of the name, or no more. */
export function branchNotFound(name: string): StatusError {
  return newNotFound({ group: 'sim.wavetank.dev', resource: 'branches' }, name);
}

/** The cluster has stopped for good: everybody who asks is told why. */
function failureOf(error: Error): StatusError {
  return newInternalError(`the cluster has stopped: ${error.message}`);
}

function failed(error: Error, path: string): PlainResponse {
  const [, check] = /^\/(livez|readyz|healthz)(\/|$)/.exec(path) ?? [];
  if (check === undefined) return toPlain(failureOf(error));
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
  return { status: 500, headers, body: `[-]cluster failed: ${error.message}\n${check} check failed\n` };
}

/** The answer to what failed; a defect is thrown on. */
function said(error: unknown): PlainResponse {
  if (error instanceof StatusError) return toPlain(error);
  throw error;
}

function toPlain({ status }: StatusError): PlainResponse {
  return { status: status.code, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(status)}\n` };
}
