import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { EvictionDecision, EvictionManager } from '@podwright/eviction-interface';
import { describeEvictionManagerContract } from '@podwright/eviction-interface/contract';
import type { ContractPod, EvictionManagerHarness } from '@podwright/eviction-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: EvictionManagerHarness) => Partial<EvictionManagerHarness>;

const broken = (
  replaced: (good: EvictionManager, harness: EvictionManagerHarness) => Partial<EvictionManager>,
): Broken => breaksIn('manager', replaced);
/** One that takes each pod for another than it is. */
const seeing =
  (change: (pod: ContractPod) => ContractPod): Broken =>
  ({ run }) => ({ run: (pod) => run(change(pod)) });
/** One that says something else about what it did. */
const recording = (change: (decision: EvictionDecision) => EvictionDecision): Broken =>
  broken((good) => ({
    synchronize: async () => {
      const decision = await good.synchronize();
      return decision && change(decision);
    },
    decisions: () => good.decisions().map(change),
  }));
const dryRunning = (change: (decision: EvictionDecision) => EvictionDecision): Broken =>
  broken((good) => ({ dryRun: async () => change(await good.dryRun()) }));
/** One that keeps what its dry runs say. */
const keepsDryRuns = (call: 'synchronize' | 'dryRun'): Broken =>
  broken((good) => {
    const kept: EvictionDecision[] = [];
    const dryRun = async (): Promise<EvictionDecision> => {
      const decision = await good.dryRun();
      kept.push(decision);
      return decision;
    };
    const synchronize = async (): Promise<undefined> => void (await dryRun());
    return { ...(call === 'dryRun' ? { dryRun } : { synchronize }), decisions: () => kept };
  });
const doesNothing = broken(() => ({ synchronize: () => Promise.resolve(undefined) }));

describeContractProof(
  'EvictionManager',
  (create) => describeEvictionManagerContract('a broken EvictionManager', create),
  createContractHarness,
  {
    'can be stopped before it was started, and twice, and leaves no timer': {
      'a second stop is refused': refusesSecondStop('manager'),
      'a timer is left': () => ({ pendingTimers: () => 1 }),
      'it is not healthy while it runs': broken(() => ({ healthy: () => ({ ok: false, reason: 'no pass yet' }) })),
      'it is healthy once stopped': broken(() => ({ healthy: () => ({ ok: true }) })),
      'it makes passes once stopped': doesNothing,
    },
    'does nothing while nothing is short': {
      'it evicts': () => ({ killed: () => ['a'] }),
      'it says what it did': broken((good) => ({ synchronize: () => good.dryRun() })),
      'it keeps that it did nothing': keepsDryRuns('synchronize'),
    },
    'evicts one pod per pass: above its request before others, then by priority, then by excess': {
      'it evicts none': doesNothing,
      'it evicts two in a pass': broken((good, { advance }) => ({
        synchronize: async () => {
          await good.synchronize();
          await advance(2_000);
          return good.synchronize();
        },
      })),
      'it does not look at requests': seeing(({ memoryRequest: _, ...pod }) => pod),
      'it does not look at priorities': seeing(({ priority: _, ...pod }) => pod),
      'the smallest excess goes first': seeing((pod) => ({
        ...pod,
        memory: pod.name === 'large' ? pod.memory / 4 : pod.memory,
      })),
    },
    'never evicts a critical pod': {
      'it evicts any': seeing(({ critical: _, ...pod }) => pod),
      'it says nothing of what is short': doesNothing,
    },
    'records why: signals, thresholds, the whole ranking with its numbers, and what was evicted': {
      'it names no condition': recording((decision) => ({ ...decision, conditions: [] })),
      'it leaves the critical pod out': recording((decision) => ({
        ...decision,
        rankings: decision.rankings.map((each) => ({ ...each, pods: each.pods.filter(({ exempt }) => !exempt) })),
      })),
      'it leaves the numbers out': recording((decision) => ({
        ...decision,
        rankings: decision.rankings.map((each) => ({
          ...each,
          pods: each.pods.map(({ usage: _, ...pod }) => pod),
        })),
      })),
      'it names no signal': recording((decision) => ({ ...decision, signals: [] })),
      'no threshold is met': recording((decision) => ({
        ...decision,
        thresholds: decision.thresholds.map((each) => ({ ...each, met: false })),
      })),
      'it does not say whom it evicted': recording((decision) => ({ ...decision, evicted: [] })),
      'it does not keep it': broken(() => ({ decisions: () => [] })),
      'JSON does not have its numbers': recording((decision) => ({
        ...decision,
        signals: decision.signals.map((each) => ({ ...each, capacity: Infinity })),
      })),
    },
    'keeps the last decisions, newest first, and no more than it says': {
      'the oldest comes first': broken((good) => ({ decisions: () => good.decisions().toReversed() })),
      'it forgets the last': broken((good) => ({ decisions: () => good.decisions().slice(1) })),
      'it keeps one more': broken((good) => ({
        decisions: () => [...good.decisions(), ...good.decisions().slice(0, 1)],
      })),
    },
    'tells in a dry run what a pass would do, and does nothing': {
      'it does it': broken((good) => ({ dryRun: async () => (await good.synchronize()) ?? good.dryRun() })),
      'it keeps it': keepsDryRuns('dryRun'),
      'it does not say that it was dry': dryRunning((decision) => ({ ...decision, dryRun: false })),
      'it ranks nothing while nothing is short': dryRunning((decision) => ({
        ...decision,
        rankings: decision.conditions.length === 0 ? [] : decision.rankings,
      })),
      'it does not say whom it would evict': dryRunning((decision) => ({ ...decision, evicted: [] })),
      'later passes take it for done': doesNothing,
    },
    'observes every ten seconds, and sooner when it has evicted': {
      'it does not': broken(() => ({ start: () => Promise.resolve() })),
      'it observes twice as often': ({ advance }) => ({ advance: (ms) => advance(2 * ms) }),
      'it observes no sooner when it has evicted': ({ advance, killed }) => ({
        advance: (ms) => advance(killed().length === 0 ? ms : 0),
      }),
    },
    'waits out a time without statistics': {
      'it evicts by those from before': () => ({ setReadable: () => undefined }),
      'a dry run takes those from before': broken((good, { setReadable }) => ({
        dryRun: async () => {
          setReadable(true);
          const decision = await good.dryRun();
          setReadable(false);
          return decision;
        },
      })),
      'it gives up': ({ manager, setReadable }) => ({
        setReadable: (readable) => {
          if (readable) void manager.stop();
          setReadable(readable);
        },
      }),
    },
  },
);
