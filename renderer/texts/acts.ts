/** Words of acts upon objects. */
import { plural } from '../lib/format.ts';

export const acts = {
  bar: 'Acts',
  open: 'Acts (X)',
  copy: 'Copy the kubectl line',
  copied: 'Copied',
  notCopied: 'The browser does not let this page write to the clipboard. Select the line instead.',
  doIt: (label: string) => label,
  cancel: 'Cancel',
  close: 'Close',
  working: 'Asking the API server…',
  done: (count: number) => (count === 1 ? 'Done.' : `Done: ${count}.`),
  refused: (count: number, of: number) => (of === 1 ? 'Refused:' : `Refused: ${count} of ${of}.`),
  /** Of several; of one the message says it. */
  unanswered: (refused: number, unknown: number, of: number) =>
    of === 1 ? '' : `${refused > 0 ? `Refused: ${refused}. ` : ''}Not answered: ${unknown} of ${of}.`,
  one: (name: string, why: string) => `${name}: ${why}`,
  more: (count: number) => `… and ${count} more`,
  /** Of an act whose buttons are out of sight by then. */
  outcomeOf: (label: string, names: string) => `${label} ${names}`,
  chosen: (count: number) => `${count} chosen`,
  clear: 'Clear',
  choose: (name: string) => `Choose ${name}`,
  chooseAll: (count: number) => (count === 1 ? 'Choose the one that is listed' : `Choose all ${count} that are listed`),
  replicas: 'Replicas',
  /** In a line of what was not read. */
  count: 'COUNT',
  badReplicas: 'Write a number from 0 up.',
  labels: {
    scale: 'Scale',
    restart: 'Restart',
    undo: 'Roll back',
    pause: 'Pause rollout',
    resume: 'Resume rollout',
    cordon: 'Cordon',
    uncordon: 'Uncordon',
    drain: 'Drain',
    trigger: 'Run now',
    suspend: 'Suspend',
    unsuspend: 'Resume',
    heal: 'Heal',
    delete: 'Delete',
  },
  reasons: {
    past: (instant: string) => `What you look at, ${instant}, lies in the past. Acts change the cluster as it is now.`,
    gone: 'It does not exist now: there is nothing to act on.',
    lost: 'The engine is not heard. Acts are offered again, and what you write can be checked and applied, when it is back.',
  },
  backToNow: 'Back to now',
  restartPaused: 'A rollout that is paused cannot be restarted: resume it first.',
  undoPaused: 'A rollout that is paused cannot be rolled back: resume it first.',
  forecast: {
    of: (name: string, said: string) => `${name}: ${said}`,
    more: (count: number) => `${plural(count, 'other')} likewise.`,
    heal: 'The fault ends. What came of it meanwhile stays until controllers have put it right.',
    delete: (count: number) =>
      count === 1
        ? 'The object is deleted, and what it owns after it. This cannot be taken back.'
        : `${count} objects are deleted, and what they own after them. This cannot be taken back.`,
    deleteNamespace: 'All that is in the namespace is deleted with it. This cannot be taken back.',
    undo: (to: string) => `Its pods are replaced by those of revision ${to}.`,
    others: (paths: readonly string[], more: number) => `Also changed: ${paths.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    image: (container: string, from: string, to: string) => `${container}: ${from || '(none)'} becomes ${to}.`,
    noRevision: 'There is no revision before this one.',
    drain: (nodes: number, count: number, ignored: number) =>
      `${nodes === 1 ? 'The node is' : `${nodes} nodes are`} cordoned and ${plural(count, 'pod')} asked to leave${ignored === 0 ? '' : `; ${ignored} of DaemonSets or of the ${nodes === 1 ? 'node itself' : 'nodes themselves'} ${ignored === 1 ? 'stays' : 'stay'}`}.`,
    budget: (budget: string, allowed: number, matching: number, nodes: number) =>
      allowed === 0
        ? `The budget ${budget} lets no pod go now: ${plural(matching, 'pod')} of ${nodes === 1 ? 'this node' : 'these nodes'} ${matching === 1 ? 'is' : 'are'} refused until that changes.`
        : `The budget ${budget} lets ${allowed} of ${matching} go now; the others are refused until pods are ready elsewhere.`,
    manyBudgets: (budgets: string, count: number) =>
      `${plural(count, 'pod')} covered by more than one budget (${budgets}) cannot be evicted until only one covers ${count === 1 ? 'it' : 'them'}.`,
    leaving: (count: number) => `${plural(count, 'pod')} of these ${count === 1 ? 'is' : 'are'} being deleted already.`,
    silent: (nodes: readonly string[]) =>
      `${nodes.slice(0, 3).join(', ')}${nodes.length > 3 ? ` and ${nodes.length - 3} more` : ''} ${nodes.length === 1 ? 'is' : 'are'} not heard: pods there stay Terminating until the kubelet is back, or they are deleted by force.`,
    local: (count: number) => `${plural(count, 'pod')} ${count === 1 ? 'loses what it keeps' : 'lose what they keep'} in emptyDir volumes.`,
    unowned: (count: number) => `${plural(count, 'pod')} that no controller manages will not come back.`,
  },
  drained: (evicted: number, refused: number) =>
    refused === 0
      ? `${plural(evicted, 'pod')} asked to leave.`
      : `${plural(refused, 'pod')} ${refused === 1 ? 'stays' : 'stay'}, ${evicted === 0 ? 'none leaves' : `${evicted} asked to leave`}.`,
  notDrained: (why: string, pods: readonly string[], more: number) => `${pods.join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${why}`,
} as const;
