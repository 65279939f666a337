/**
 * The one door to state (law 2): requests from outside and of the components inside are attempted here and nowhere else. What an
 * attempt wrote is committed as a whole, or made again when a key had moved; a dry run is an attempt that is not committed; a question
 * is put to the outside, and the request begins again with the answer.
 *
 * It is also the gate of law 5. What from outside changes state is numbered and written down with its place in history before it is
 * committed: a request that was refused, that only read, or that failed for a defect of ours leaves nothing to be run again. A request
 * that still asks when the process dies is forgotten too: nothing of it happened and nobody was answered. For a component's request
 * the answer itself is written down, because the request is made again by the replay.
 */
import { assert } from '../base/assert.ts';
import { type Cause, inputCause, mergeCauses } from '../base/causes.ts';
import type { JsonValue } from '../base/json.ts';
import { newInternalError } from '../apimachinery/errors.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Finish } from '../contracts/attempt.ts';
import type { Answer, AskLater, GivenAnswer, Question } from '../contracts/questions.ts';
import type { ApiPipeline, ApiRequest, ApiResult, Identity, Reopened, WatchHandle, WatchSink } from '../contracts/request.ts';
import { Awaiting, orAwaited } from '../apiserver/admission/awaited.ts';
import { isPostponed, Postponed } from '../apiserver/filters/fault-injection.ts';
import { Queued } from '../apiserver/flowcontrol/seats.ts';
import { Passage } from '../apiserver/filters/passage.ts';
import { Uninitialized, whenInitialized } from '../apiserver/filters/uninitialized.ts';
import { RecordedPanic } from '../apiserver/filters/panic-recovery.ts';
import type { Enter, Serve } from '../apiserver/http.ts';
import type { AdmittedRequest, HttpRequest, HttpResponse } from '../apiserver/http-types.ts';
import { authorizerPrefix } from '../apiserver/auth/webhook-authorizer.ts';
import { Asked, askWith, attempt, type AttemptOptions, type DoorAttempt } from '../registry/attempt.ts';
import type { ChangeMeta } from '../store/store.ts';
import {
  answerOf,
  isInsideAnswer,
  isRecordedStep,
  insideAnswersOf,
  recordInsideAnswers,
  type DoorListener,
  type RecordedInput,
  type RecordedRequest,
  type RecordedStep,
  recordRequest,
  requestOf,
} from './inputs.ts';
import type { DoorOptions, Late } from './door-options.ts';
import { Following } from './following.ts';
import type { InsideAudit } from './inside-audit.ts';
import { InsideQuestions } from './inside-questions.ts';
import { leniently, takeStep } from './steps.ts';
import { type Commits, keepInside } from './kept-inside.ts';
import { InitializedObjects } from './initialized-objects.ts';
import { LateRequests } from './late-requests.ts';
import { type Pinned, PinnedDraws } from './pinned-draws.ts';
import { isRecordedPort, PortGate } from './port-gate.ts';
import { isRecordedProcess, ProcessGate } from './process-gate.ts';
import { Questions } from './questions.ts';
import { mayFitWithoutOwners } from './request-size.ts';
import { crashText, keyOf, textOf } from './recovery.ts';

const triesMax = 100;
/** The component that a request crashes. */
const crashed = 'apiserver';

interface Entering {
  readonly admitted: AdmittedRequest;
  readonly changesState: boolean;
  readonly serve: Serve;
}

export class Door implements ApiPipeline {
  readonly #options: DoorOptions;
  readonly #questions: Questions;
  readonly #inside: InsideQuestions;
  readonly #late: LateRequests;
  readonly #initialized: InitializedObjects;
  /** Connections of clients to ports of pods. */
  readonly ports: PortGate;
  /** Commands that clients run in containers. */
  readonly processes: ProcessGate;
  #listener: DoorListener = {};
  #inputs = 0;
  readonly #pins = new PinnedDraws();
  readonly #following = new Following((request) => void this.serve(request));

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#questions = new Questions(options.loop, options.outside, () => this.#listener.onReleased?.(), options.requests);
    this.#inside = new InsideQuestions(options.loop, this.#questions, (given) => this.#record(() => recordInsideAnswers(given)));
    this.#late = new LateRequests(options.loop, options.outside);
    this.#initialized = new InitializedObjects(options.loop, options.store, options.outside);
    this.ports = new PortGate(options.kubelets, this.#admit, () => this.#listener);
    this.processes = new ProcessGate(options.kubelets, this.#admit);
  }

  listen(listener: DoorListener): void {
    this.#listener = listener;
  }

  /** Number of the last input. */
  get inputs(): number {
    return this.#inputs;
  }

  continueAfter(inputs: number): void {
    this.#inputs = inputs;
  }

  /** A request from outside, between two tasks. A promise only where it has to ask. */
  serve(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    const passage = new Passage();
    passage.mayWait = true;
    const response = this.#begin(request, [], passage);
    return response instanceof Promise ? response.then((answer) => passage.whenDelivered(answer)) : passage.whenDelivered(response);
  }

  /** A request of the API server's own that one from outside brings about. A replay has it in its log. */
  follow(request: HttpRequest): void {
    if (!this.#inside.isReplaying) this.#following.add(request);
  }

  /** For callers that cannot wait. Throws a StatusError (500) where the request would have to ask the outside, or to wait for a seat. */
  serveAtOnce(request: HttpRequest): HttpResponse {
    const passage = new Passage();
    try {
      return this.#handle(request, [], passage);
    } catch (error) {
      if (!isPostponed(error)) throw error;
      if (error instanceof Queued) error.leave();
      passage.seat?.release();
      const { message } = error as Error;
      throw newInternalError(`${message}, and who wants the answer to ${request.method} ${request.path} at once cannot wait`);
    }
  }

  /** What a replay does again was written down when it happened. */
  get #audit(): InsideAudit | undefined {
    return this.#inside.isReplaying ? undefined : this.#options.audit;
  }

  /** A request of a component, inside one of its tasks. */
  handle(request: ApiRequest): ApiResult | Promise<ApiResult> {
    const serve = (commits: Commits, asked = request): ApiResult | Promise<ApiResult> => this.#attemptInside(asked, commits);
    return keepInside(this.#options, request, (commits) => this.#audit?.handle(request, (asked) => serve(commits, asked)) ?? serve(commits));
  }

  watch(request: ApiRequest, sink: WatchSink): WatchHandle | Promise<WatchHandle> {
    this.#options.requests.insideWatch(request);
    return this.#audit?.watch(request, sink, (ending) => this.#watch(request, ending, [])) ?? this.#watch(request, sink, []);
  }

  /** For whoever follows from outside, and so outside of history. */
  askLater: AskLater = (questions, take) => void this.#questions.put(questions, take);

  /** A component asks by itself, in one of its tasks. `goOn` is called with the answers in order, which are an input of their own. */
  ask(questions: readonly Question[], component: string, goOn: (answers: readonly Answer[]) => void): void {
    const asked = this.#inside.ask(questions, (given) => goOn(given.map(({ answer }) => answer)));
    this.#options.loop.track(asked, component, `question to ${questions[0]?.to}`);
  }

  reopen(request: ApiRequest, sink: WatchSink): Reopened {
    return this.#options.api.reopen(request, sink);
  }

  #watch(request: ApiRequest, sink: WatchSink, answers: readonly GivenAnswer[]): WatchHandle | Promise<WatchHandle> {
    try {
      return this.#options.api.watch(request, sink, askWith(answers));
    } catch (error) {
      if (error instanceof Asked) return this.#inside.ask(error.questions, (given) => this.#watch(request, sink, [...answers, ...given]));
      throw this.#asStatus(error, request);
    }
  }

  /** From here on answers come from a log, until `endReplay`. */
  beginReplay(): void {
    this.#inside.beginReplay();
  }

  /** The log is over. Who still waits for an answer that it does not have asks now. */
  endReplay(): void {
    this.#inside.endReplay();
  }

  /** Lets a recorded input happen again; the loop must be at its place. */
  replay({ input, what }: Pick<RecordedInput, 'input' | 'what'>): void {
    this.#inputs = input;
    if (isInsideAnswer(what)) this.#inside.take(insideAnswersOf(what), input);
    else if (isRecordedPort(what)) this.#options.loop.enter(() => this.ports.replay(what));
    else if (isRecordedProcess(what)) this.#options.loop.enter(() => this.processes.replay(what));
    else if (isRecordedStep(what)) this.#options.loop.enter(() => takeStep(this.#options, what));
    else this.#replayRequest(what as unknown as RecordedRequest, input);
  }

  /**
   * Clients of another branch come to this one: its revisions go on above all that they have seen, and what they ask for below that
   * is expired (410), so that each lists anew. Or others decide from now on what somebody may: what webhooks said of that counts no more. Or other webhooks and policies lie on disk.
   */
  step(what: RecordedStep): void {
    this.#admit(what, () => takeStep(this.#options, what));
    if ('configured' in what && 'authorization-config' in what.configured) this.#questions.forget(authorizerPrefix);
  }

  /** Nobody is asked any more; resolves when those who waited have gone on. */
  close(): Promise<void> {
    this.#late.close();
    this.#initialized.close();
    this.#options.limiter?.close();
    return this.#questions.close();
  }

  /** From the start: who asks, whether she may, what the body says, and the attempts. */
  #begin(request: HttpRequest, answers: readonly GivenAnswer[], passage: Passage, late?: Late): HttpResponse | Promise<HttpResponse> {
    try {
      return this.#handle(request, answers, passage, late);
    } catch (error) {
      if (error instanceof Postponed)
        return this.#late.wait(error.delayMs, (isInTime) =>
          this.#begin(request, answers, passage, { waited: isInTime ? 'enough' : 'in vain', causes: error.causes }),
        );
      if (error instanceof Awaiting) return this.#late.wait(error.delayMs, () => this.#begin(request, answers, passage, late), error.wallMostMs);
      if (error instanceof Queued) return this.#whenSeated(error, request, () => this.#begin(request, answers, passage, late));
      if (error instanceof Uninitialized) return this.#whenComplete(error, request, passage);
      if (!(error instanceof Asked)) throw error;
      return this.#questions.put(error.questions, (given) => this.#begin(request, [...answers, ...given], passage, late), answers);
    }
  }

  /** Throws Postponed, Awaiting, Queued or Asked where it has to begin again. */
  #handle(request: HttpRequest, answers: readonly GivenAnswer[], passage: Passage, late?: Late): HttpResponse {
    const enter: Enter = (admitted, changesState, serve) => {
      if (passage.outcome !== undefined) return passage.outcome();
      const act = (): ApiResult => this.#enter({ admitted, changesState, serve }, answers, passage, late?.causes ?? []);
      const result = orAwaited(passage, () => this.#following.outside(act));
      return whenInitialized(result, passage.mayWait);
    };
    const ask = askWith(answers, this.#questions.known);
    const handle = (): HttpResponse => this.#options.http.handle(request, enter, ask, late?.waited, passage);
    return request.method === 'GET' || request.method === 'HEAD' ? leniently(this.#options.store, handle) : handle();
  }

  /** In a turn of its own, like all that comes from outside. A client that goes away is taken out of the queue. */
  async #whenSeated<T>({ ready, leave }: Queued, { onGone }: HttpRequest, goOn: () => T | Promise<T>): Promise<T> {
    const forget = onGone?.(leave);
    await ready;
    forget?.();
    await this.#options.outside.hop();
    return goOn();
  }

  async #whenComplete({ result }: Uninitialized, request: HttpRequest, passage: Passage): Promise<HttpResponse> {
    passage.outcome = await this.#initialized.fromOutside(result, request);
    await this.#options.outside.hop();
    return this.#begin(request, [], passage);
  }

  /** Attempts what a request from outside is about; what it changed is an input. */
  #enter({ admitted, changesState, serve }: Entering, answers: readonly GivenAnswer[], passage: Passage, late: readonly Cause[]): ApiResult {
    if (changesState) this.#listener.onBefore?.();
    const input = this.#inputs + 1;
    const causes = changesState ? mergeCauses([inputCause(input)], late) : [];
    const key = keyOf(admitted);
    let last: DoorAttempt | undefined;
    const enter = <T>(act: () => T): T => {
      this.#record(() => recordRequest(admitted, last?.used ?? [], late, passage.draws));
      const acted = this.#options.loop.enter(act);
      this.#listener.onEntered?.();
      return acted;
    };
    const finish = this.#noting(
      () =>
        this.#settle(
          answers,
          passage,
          (made) => {
            last = made;
            return serve(made, causes);
          },
          (made) => {
            assert(changesState, `${key} writes, so its operation says that it changes state`);
            const before = this.#options.store.currentRevision();
            const isWhole = enter(() => this.#recovering(key, () => made.commit(this.#meta(admitted.identity, causes))));
            passage.logged?.changed(input, before + 1, this.#options.store.currentRevision());
            if (!isWhole) throw new RecordedPanic();
          },
        ),
      (error) => {
        if (changesState) enter(() => this.#options.loop.crashed(crashed, key, error));
        return changesState;
      },
    );
    return finish();
  }

  /** It counts as one task, whatever comes of it now, so that all that follows keeps its place. */
  #replayRequest(recorded: RecordedRequest, input: number): void {
    const answers = (recorded.answers ?? []).map(answerOf);
    const causes = mergeCauses([inputCause(input)], recorded.causes ?? []);
    const { loop, http } = this.#options;
    loop.enter(() => {
      http.replay(requestOf(recorded), (admitted, _changesState, serve) => {
        const note = (error: unknown): boolean => {
          loop.crashed(crashed, keyOf(admitted), error);
          return true;
        };
        const keep = (made: DoorAttempt): void => made.commit(this.#meta(admitted.identity, causes));
        return this.#noting(() => this.#settle(answers, { draws: recorded.draws }, (made) => serve(made, causes), keep), note)();
      });
    });
  }

  /** `note` hears of a defect, and says whether history knows of it now. */
  #noting<T>(act: () => T, note: (error: unknown) => boolean): T {
    try {
      return act();
    } catch (error) {
      if (error instanceof StatusError || error instanceof Asked || error instanceof RecordedPanic) throw error;
      throw note(error) ? new RecordedPanic() : error;
    }
  }

  /** Inside an input: what throws is a request that crashed. False when it did. */
  #recovering(key: string, act: () => void): boolean {
    try {
      act();
      return true;
    } catch (error) {
      this.#options.loop.crashed(crashed, key, error);
      return false;
    }
  }

  #attemptInside(
    request: ApiRequest,
    commits: Commits,
    answers: readonly GivenAnswer[] = [],
    pinned: Pinned = { draws: undefined, isInside: true },
  ): ApiResult | Promise<ApiResult> {
    try {
      const finish = this.#following.inside(() =>
        this.#settle(
          answers,
          pinned,
          (made) => this.#options.api.attempt(request, made),
          (made) => commits(() => made.commit(this.#meta(request.identity, request.causes))),
        ),
      );
      const result = finish();
      const { initializing } = result;
      return initializing === undefined ? result : this.#initialized.inside({ ...result, initializing });
    } catch (error) {
      if (error instanceof Asked)
        return this.#inside.ask(error.questions, (given) => this.#attemptInside(request, commits, [...answers, ...given], pinned));
      throw this.#asStatus(error, request);
    }
  }

  #meta({ name }: Identity, causes: readonly Cause[]): ChangeMeta {
    return { virtualMs: this.#options.loop.nowMs(), identity: name, causes };
  }

  /** The caller gets 500, as from upstream's WithPanicRecovery. */
  #asStatus(error: unknown, request: ApiRequest): StatusError {
    if (error instanceof StatusError) return error;
    this.#options.loop.crashed(crashed, textOf(request), error);
    return newInternalError(crashText);
  }

  /** Attempts until the changes are as the store stands, and lets `keep` commit them. */
  #settle<R>(answers: readonly GivenAnswer[], pinned: Pinned, serve: (made: DoorAttempt) => Finish<R>, keep: (made: DoorAttempt) => void): Finish<R> {
    const { store, random, requestSize } = this.#options;
    let leavesOwners: boolean = false;
    for (let tries = 1; ; tries++) {
      const options: AttemptOptions = { pinned: pinned.draws, leavesOwners, request: pinned };
      const attempted = this.#pins.unlessFirstAsked(pinned, this.#inputs, () => attempt(store, random, answers, serve, options));
      if (attempted === undefined) continue;
      const { attempt: made, finish } = attempted;
      if (!made.changes) return finish;
      const refusal: StatusError | undefined = made.isOutdated ? undefined : requestSize.refusal(made);
      if (!made.isOutdated && refusal === undefined) {
        keep(made);
        return finish;
      }
      made.draws.giveBack();
      if (refusal !== undefined) leavesOwners = mayFitWithoutOwners(refusal, leavesOwners);
      assert(tries < triesMax, 'an attempt does not move the keys it writes');
    }
  }

  readonly #admit = <T>(what: unknown, act: () => T): T => {
    this.#record(() => what as object);
    return this.#options.loop.enter(act);
  };

  /** Counts an input, and lets who keeps inputs write it down with its place in history. */
  #record(what: () => object): void {
    const { loop } = this.#options;
    const input = this.#inputs + 1;
    this.#listener.onInput?.({ input, tasksRun: loop.tasksRun, nowMs: loop.nowMs(), what: what() as JsonValue });
    this.#inputs = input;
  }
}
