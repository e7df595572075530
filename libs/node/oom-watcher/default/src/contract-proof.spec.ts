import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { OomKill, OomWatcher } from '@podwright/oom-watcher-interface';
import { describeOomWatcherContract, type OomWatcherHarness } from '@podwright/oom-watcher-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: OomWatcherHarness) => Partial<OomWatcherHarness>;

const broken = (replaced: (good: OomWatcher) => Partial<OomWatcher>): Broken => breaksIn('watcher', replaced);
const telling = (change: (kill: OomKill) => readonly OomKill[]): Broken =>
  broken((good) => ({ watch: (listener) => good.watch((kill) => change(kill).forEach(listener)) }));
const events = (change: (events: readonly string[]) => readonly string[]): Broken => {
  return ({ nodeEvents }) => ({ nodeEvents: () => change(nodeEvents()) });
};
const tellsNobody = telling(() => []);
const invents = events(() => ['Warning SystemOOM: System OOM encountered']);
const leavesTimer: Broken = () => ({ pendingTimers: () => 1 });

describeContractProof(
  'OomWatcher',
  (create) => describeOomWatcherContract('a broken OomWatcher', create),
  createContractHarness,
  {
    'records an event on the node when the system was short, and tells its listeners': {
      'it records none': events(() => []),
      'it records it twice': events((one) => [...one, ...one]),
      'the event does not name the victim': events((all) => all.map((one) => one.replace(/, victim.*/, ''))),
      'it tells nobody': tellsNobody,
      'it tells it twice': telling((kill) => [kill, kill]),
      'it tells of another limit': telling((kill) => [{ ...kill, limitCgroup: '/kubepods' }]),
    },
    'tells its listeners alone of a kill within a limit, until they leave': {
      'it records an event too': invents,
      'it tells nobody': tellsNobody,
      'it tells of another limit': telling((kill) => [{ ...kill, limitCgroup: '/' }]),
      'nobody can leave': broken((good) => ({
        watch: (listener) => {
          good.watch(listener);
          return () => undefined;
        },
      })),
    },
    'does not stop the node when it cannot watch': {
      'it is not healthy then': broken(() => ({ healthy: () => ({ ok: false, reason: 'EIO' }) })),
      'the stop fails then': broken(() => ({ stop: () => Promise.reject(new Error('EIO')) })),
      'a timer is left': leavesTimer,
    },
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('watcher'),
      'it records events': invents,
      'a timer is left': leavesTimer,
    },
  },
);
