/** Wrongs of the beams: questions, sessions, the wire, faults, workers, branches, releases. Most are seen by a test that they name. */
import type { Mutation } from './mutation.ts';

const attempt = 'engine/registry/attempt.ts';
const insideQuestions = 'engine/cluster/inside-questions.ts';
const storeSteps = 'engine/cluster/steps.ts';
const questions = ['test/simulation/questions.test.ts'];
const resume = 'engine/host/session-resume.ts';
const marks = ['test/simulation/session-marks.test.ts'];
const sessions = ['test/simulation/sessions.test.ts'];
const points = 'engine/base/fault-points.ts';
const pointTests = ['engine/base/fault-points.test.ts'];
const protobuf = 'engine/apimachinery/serializer/protobuf.ts';
const wire = ['engine/apimachinery/serializer'];
const queue = 'engine/controller-runtime/work-queue.ts';
const endpoint = 'engine/host/endpoint.ts';
const endpointTests = ['engine/host/endpoint.test.ts'];
const view = 'engine/apiserver/field-view.ts';
const viewTests = ['test/contract/release-fields.contract.test.ts'];

export const beamMutations: readonly Mutation[] = [
  {
    name: 'answer-of-another-question',
    breaks: 'a question gets the answer to another one put to the same webhook',
    edits: [
      {
        file: attempt,
        from: 'given.to === question.to && (given.body === undefined || deepEqual(given.body, question.body))',
        to: 'given.to === question.to',
      },
    ],
    caughtBy: questions,
  },
  {
    name: 'answer-used-twice',
    breaks: 'two questions of one request are both answered by the first answer',
    edits: [{ file: attempt, from: '!this.#used.includes(one) && ', to: '' }],
    caughtBy: ['engine/registry/attempt.test.ts'],
  },
  {
    name: 'time-held-after-answer',
    breaks: 'virtual time stands still when a question has been answered',
    edits: [{ file: 'engine/cluster/questions.ts', from: '      release();\n', to: '      if (questions.length === 0) release();\n' }],
    caughtBy: questions,
  },
  {
    name: 'time-goes-on-while-asked',
    breaks: 'virtual time passes while a question is open',
    edits: [{ file: 'engine/cluster/questions.ts', from: 'const release = this.#loop.hold();', to: 'const release = (): void => undefined;' }],
    caughtBy: questions,
  },
  {
    name: 'answer-not-written-down',
    breaks: 'a replay has no answers to what outside requests asked',
    edits: [
      {
        file: 'engine/cluster/inputs.ts',
        from: 'const answers = used.length === 0 ? {} : { answers: used.map(recordAnswer) };',
        to: 'const answers = {};',
      },
    ],
    caughtBy: questions,
  },
  {
    name: 'inside-answer-not-written-down',
    breaks: 'a replay has no answers to what components asked',
    edits: [{ file: insideQuestions, from: '        this.#record(given);\n', to: '' }],
    caughtBy: questions,
  },
  {
    name: 'question-asked-in-a-replay',
    breaks: 'a replay puts questions to the outside',
    edits: [{ file: insideQuestions, from: 'if (!this.#isReplaying) {', to: 'if (loop.tasksRun >= 0) {' }],
    caughtBy: questions,
  },
  {
    name: 'open-question-forgotten-at-end-of-replay',
    breaks: 'a component whose question had no answer when the process died waits for ever',
    edits: [{ file: insideQuestions, from: '    awaited?.goOn(undefined);\n', to: '' }],
    caughtBy: questions,
  },
  {
    name: 'marks-digest-not-compared',
    breaks: 'a session that runs differently from what it recorded is taken for the same',
    edits: [{ file: resume, from: 'if (digest !== mark.digest) throw', to: "if (digest === '') throw" }],
    caughtBy: marks,
  },
  {
    name: 'marks-revision-not-compared',
    breaks: 'a session whose revisions are others is gone on with, and revisions that clients know are given out again',
    edits: [{ file: resume, from: 'if (revision !== mark.revision) throw', to: 'if (revision < 0) throw' }],
    caughtBy: marks,
  },
  {
    name: 'marks-time-not-compared',
    breaks: 'a session whose inputs come at another virtual time is taken for the same',
    edits: [
      {
        file: resume,
        from: "if (loop.nowMs() > nowMs || dueMs < nowMs) throw this.#difference(place, 'time is not the same');",
        to: 'if (dueMs < 0) return;',
      },
    ],
    caughtBy: marks,
  },
  {
    name: 'checksum-ignored',
    breaks: 'a flipped byte in a session starts another history silently',
    edits: [
      {
        file: 'engine/persistence/log-line.ts',
        from: 'checksumOf(line, start) === crc32(line.subarray(start + checksumLength, end))',
        to: '(checksumOf(line, start) ?? 0) + crc32(line.subarray(start + checksumLength, end)) >= 0',
      },
    ],
    caughtBy: sessions,
  },
  {
    name: 'delta-forgets-a-shift',
    breaks: 'a queue that lost its first entry is restored with it',
    edits: [{ file: 'engine/persistence/delta.ts', from: '.slice(first as number), ...(second', to: '.slice((first as number) - 1), ...(second' }],
    caughtBy: ['engine/persistence/delta.test.ts'],
  },
  {
    name: 'pairs-leave-next-to-theirs',
    breaks: 'a component that is restored remembers what it had forgotten',
    edits: [{ file: 'engine/persistence/delta.ts', from: 'next.fill(undefined, first, first +', to: 'next.fill(undefined, first + 1, first + 1 +' }],
    caughtBy: ['engine/persistence/delta.test.ts'],
  },
  {
    name: 'points-of-a-base-forgotten',
    breaks: 'restore points that were written while a base was do not stand on it',
    edits: [
      {
        file: 'engine/persistence/session-state.ts',
        from: 'this.#pointAddress = record.same ?? line.offset',
        to: 'this.#pointAddress = line.offset',
      },
    ],
    caughtBy: ['test/simulation/session-points.test.ts'],
  },
  {
    name: 'past-taken-unchecked',
    breaks: 'a session whose older lines are damaged tells clients of changes that never were',
    edits: [{ file: 'engine/persistence/session-state.ts', from: 'if (!isWhole(block, start, end)) return false;', to: 'void [block, start, end];' }],
    caughtBy: ['test/simulation/session-past.test.ts'],
  },
  {
    name: 'past-not-linked',
    breaks: 'after a restart a watch from an older revision tells an update of an object as its creation',
    edits: [{ file: 'engine/store/key-index.ts', from: 'first.follow(last);', to: 'void first;' }],
    caughtBy: ['engine/store/past.test.ts'],
  },
  {
    name: 'found-rows-stay-found',
    breaks: 'a row that came under the number of one that was forgotten is taken for it by a search that is asked again',
    edits: [{ file: 'engine/history/timeline-rows.ts', from: 'this.#texts.forget(slot);', to: '' }],
    caughtBy: ['engine/history/row-index/row-index.test.ts'],
  },
  {
    name: 'rows-saved-too-late',
    breaks: 'a row of the timeline that changes while a base is written is in it twice',
    edits: [{ file: 'engine/history/recorder.ts', from: 'if (living !== undefined) this.#willChange(living);', to: '' }],
    caughtBy: ['engine/history/saved-pieces.test.ts'],
  },
  {
    name: 'what-changed-is-saved-as-it-was',
    breaks: 'a restore point holds what a component remembered at the one before',
    edits: [
      {
        file: 'engine/base/codecs.ts',
        from: 'return changed ?? before;\n}\n\nfunction mustBeKnown',
        to: 'return before;\n}\n\nfunction mustBeKnown',
      },
    ],
    caughtBy: ['engine/base/slots.test.ts'],
  },
  {
    name: 'field-lost-on-the-way-out',
    breaks: 'protobuf clients never see the ninth field of large messages',
    edits: [
      {
        file: protobuf,
        from: '      else this.#writeField(writer, object[entry.name], entry);',
        to: '      else if (entry.number !== 9 || message.wire.length < 12) this.#writeField(writer, object[entry.name], entry);',
      },
    ],
    caughtBy: wire,
  },
  {
    name: 'field-lost-on-the-way-in',
    breaks: 'what protobuf clients say in the ninth field of large messages is dropped',
    edits: [
      {
        file: protobuf,
        from: 'if (entry === undefined) reader.skipType(wire);',
        to: 'if (entry === undefined || (message.wire.length > 12 && tag >>> 3 === 9)) reader.skipType(wire);',
      },
    ],
    caughtBy: wire,
  },
  {
    name: 'token-skips-what-begins-alike',
    breaks: 'the page after web-1 begins behind web-10',
    edits: [{ file: 'engine/registry/continue-token.ts', from: '\\u0000`;', to: '\\uffff`;' }],
  },
  {
    name: 'stream-loses-one',
    breaks: 'a client that is sent a thousand events at once misses one of them',
    edits: [
      {
        file: 'engine/serving/open-streams.ts',
        from: 'const next = this.#leaving[this.#next++] as Written;',
        to: "const next = this.#next === 1000 ? ((this.#next++, '') as Written) : (this.#leaving[this.#next++] as Written);",
      },
    ],
    caughtBy: ['engine/serving'],
  },
  {
    name: 'stream-sent-to-another',
    breaks: 'a watch gets the events of another that wrote as many',
    edits: [
      {
        file: 'engine/serving/open-streams.ts',
        from: 'some.every((chunk, index) => chunk === others[index]);',
        to: 'some.every((chunk, index) => chunk.length === others[index]?.length);',
      },
    ],
    caughtBy: ['engine/serving'],
  },
  {
    name: 'cell-wrong',
    breaks: 'kubectl get deployments shows available where up-to-date belongs',
    edits: [
      {
        file: 'engine/kinds/apps/v1/deployment.ts',
        from: '      updatedReplicas,\n      availableReplicas,',
        to: '      availableReplicas,\n      updatedReplicas,',
      },
    ],
    caughtBy: ['test/contract/columns-of-status.test.ts'],
  },
  {
    name: 'heal-leaves-its-effect',
    breaks: 'what a fault did goes on when it is healed',
    edits: [
      {
        file: points,
        from: '    this.#reindex();\n    for (const effect of effects) this.#tell([effect]',
        to: '    for (const effect of effects) this.#tell([effect]',
      },
    ],
    caughtBy: pointTests,
  },
  {
    name: 'first-heal-ends-both',
    breaks: 'of two faults on one point the first that heals ends both',
    edits: [
      {
        file: points,
        from: '    this.#held.delete(fault);\n',
        to: '    this.#held.delete(fault);\n    for (const [other, theirs] of this.#held) if (theirs.some(({ point }) => point === effects[0]?.point)) this.#held.set(other, []);\n',
      },
    ],
    caughtBy: pointTests,
  },
  {
    name: 'healed-fault-is-no-cause',
    breaks: 'what a fault led to after it was healed names no cause',
    edits: [
      {
        file: points,
        from: 'if (held.length === 0) return this.#past.get(`${point.name} ${subject}`) ?? [];',
        to: 'if (held.length === 0) return [];',
      },
    ],
    caughtBy: pointTests,
  },
  {
    name: 'restored-faults-do-nothing',
    breaks: 'a restored cluster knows its faults and does not feel them',
    edits: [{ file: points, from: 'this.slots.onRestored(() => this.#reindex());', to: '' }],
    caughtBy: pointTests,
  },
  {
    name: 'key-added-while-worked-on-is-lost',
    breaks: 'a change that comes while its object is worked on is never looked at',
    edits: [{ file: queue, from: '    this.#dirty.delete(key);\n    this.add(key, causes);', to: '    this.#dirty.delete(key);' }],
    caughtBy: ['engine/controller-runtime'],
  },
  {
    name: 'later-delay-wins',
    breaks: 'a key that should come soon waits for its later delay',
    edits: [{ file: queue, from: 'if (pending !== undefined && pending.dueMs <= dueMs) {', to: 'if (pending !== undefined) {' }],
    caughtBy: ['engine/controller-runtime'],
  },
  {
    name: 'restored-queue-sleeps',
    breaks: 'keys that waited at a checkpoint are not worked on after it',
    edits: [{ file: queue, from: 'if (this.#waiting.size > 0) this.#host.wake();', to: '' }],
    caughtBy: ['engine/controller-runtime'],
  },
  {
    name: 'left-branch-keeps-its-watches',
    breaks: 'clients that watch the branch they are led away from are not told (410)',
    edits: [{ file: endpoint, from: '    this.#letGo(left);\n', to: '' }],
    caughtBy: endpointTests,
  },
  {
    name: 'branch-gives-revisions-out-again',
    breaks: 'revisions that clients know from one branch mean something else in the next',
    edits: [{ file: storeSteps, from: 'store.advanceRevisionTo(Math.max(revision, store.currentRevision()) + 1);', to: '' }],
    caughtBy: endpointTests,
  },
  {
    name: 'branch-lets-old-revisions-in',
    breaks: 'a client goes on in another branch from where it was',
    edits: [{ file: storeSteps, from: '  store.compact(store.currentRevision());\n  store.expire(store.currentRevision());', to: '' }],
    caughtBy: endpointTests,
  },
  {
    name: 'branch-keeps-forwarded-ports',
    breaks: 'a forwarded port leads to a pod of the branch that was left',
    edits: [{ file: endpoint, from: 'for (const [socket, owner] of this.#forwards) if (owner === branch) socket.destroy();', to: '' }],
    caughtBy: endpointTests,
  },
  {
    name: 'later-field-is-shown',
    breaks: 'clients of an old release see fields that came later',
    edits: [{ file: view, from: 'linked(counted, kind) : counted, this.schemaOf(schema));', to: 'linked(counted, kind) : counted, schema);' }],
    caughtBy: viewTests,
  },
  {
    name: 'unseen-field-is-wiped',
    breaks: 'an update by a client of an old release wipes what it could not see',
    edits: [{ file: view, from: 'if (found.owner.has(key)) setOwn(result, key, value);', to: 'if (found.owner.has(key)) continue;' }],
    caughtBy: viewTests,
  },
];
