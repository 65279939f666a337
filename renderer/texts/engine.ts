/** Words about the engine: whether it is heard, and how fast its time passes. */
import { formatDuration } from '../lib/format.ts';

export const engine = {
  connecting: 'connecting…',
  running: 'running',
  paused: 'paused',
  hearing: {
    lost: [
      'engine lost',
      'The engine has ended or was stopped. Start it again (npm start, or npx wavetank up with the same --name): this page comes back by itself.',
    ],
    gone: [
      'cluster put away',
      'This cluster was made for a scenario run and has been put away: its run was deleted, or newer runs have ended since. Your own cluster is where it was.',
    ],
    silent: [
      'engine not answering',
      'The connection stands, but the engine says nothing: it is busy with one instant, was suspended, or hangs. If it stays so, stop it (npx wavetank stop) and start it again.',
    ],
    stranger: ['not signed in', 'An engine answers here that does not know this browser. npx wavetank status shows a link that signs it in.'],
  },
  lostFor: (word: string, ms: number) => `${word} for ${formatDuration(ms)}`,
  lastKnown: (time: string) => `What is shown is of ${time}, when the engine was last heard; what came after is not known.`,
  notFetched: 'This part of the page was not fetched before the engine fell silent. It comes by itself when the engine is heard again.',
  notRead: 'Nothing more can be read until the engine is heard again; then it comes by itself.',
  nothingKnown: 'It was not heard since this page was opened.',
  unknownSince: (time: string) => `not known since ${time}`,
  speed: (achieved: string, wished: string) => `${achieved}× of ${wished}×`,
  speedAtMost: (achieved: string) => `${achieved}×`,
  speedTitle: 'How fast virtual time passed over the last two seconds, of the speed that is asked for',
  slowedBy: { Settling: 'settling', WaitingForAnswer: 'waiting for an answer', MachineBusy: 'machine busy' },
  slowedTitle: {
    Settling: 'Time stands still after each delivery to a watcher until it has been quiet for a while (settle).',
    WaitingForAnswer: 'Time is held until somebody outside (a webhook, an extender, an authenticator) has answered.',
    MachineBusy: 'The machine does not get done in time with what happens at this speed.',
  },
} as const;
