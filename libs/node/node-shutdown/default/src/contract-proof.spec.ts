import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { NodeShutdownManager } from '@podwright/node-shutdown-interface';
import { describeNodeShutdownContract, type NodeShutdownHarness } from '@podwright/node-shutdown-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';
import { createFakeLogind } from './fixtures/fake-logind.js';

type Broken = (good: NodeShutdownHarness) => Partial<NodeShutdownHarness>;
type Refusal = Awaited<ReturnType<NodeShutdownHarness['refusal']>>;

const broken = (
  replaced: (good: NodeShutdownManager, harness: NodeShutdownHarness) => Partial<NodeShutdownManager>,
): Broken => breaksIn('manager', replaced);
const telling = (change: (shuttingDown: boolean) => readonly boolean[]): Broken =>
  broken((good) => ({ watch: (listener) => good.watch((shuttingDown) => change(shuttingDown).forEach(listener)) }));
/** One that answers a new pod otherwise. */
const refusing =
  (change: (refusal: Refusal) => Refusal): Broken =>
  (good) => ({ refusal: async () => change(await good.refusal()) });
const refusal = { reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.' };
const refusesAll = refusing(() => refusal);
const goesDown = broken(() => ({ isShuttingDown: () => true }));
const endsOne: Broken = () => ({ endedPods: () => ['one'] });

describeContractProof(
  'NodeShutdownManager',
  (create) => describeNodeShutdownContract('a broken NodeShutdownManager', create),
  async () => createContractHarness(await createFakeLogind(30_000)),
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('manager'),
      'it takes its own stop for that of the machine': goesDown,
    },
    'lets pods in and ends none as long as nothing is announced': {
      'it takes its start for a shutdown': goesDown,
      'it is not well': broken(() => ({ shutdownError: () => 'node is shutting down' })),
      'it refuses pods': refusesAll,
      'it ends a pod': endsOne,
    },
    'ends all pods, refuses new ones and says so when the machine goes down': {
      'it does not know': broken(() => ({ isShuttingDown: () => false })),
      'it says that it is well': broken(() => ({ shutdownError: () => undefined })),
      'it lets pods in': refusing(() => undefined),
      'it gives another reason': refusing((refused) => refused && { ...refused, reason: 'Shutdown' }),
      'it gives another message': refusing((refused) => refused && { ...refused, message: 'no' }),
      'it ends one pod': endsOne,
      'it tells nobody': telling(() => []),
      'it tells all twice': telling((shuttingDown) => [shuttingDown, shuttingDown]),
    },
    'lets pods in again when the shutdown is taken back': {
      'it goes down nevertheless': goesDown,
      'it refuses pods nevertheless': refusesAll,
      'it tells nobody': telling((shuttingDown) => (shuttingDown ? [true] : [])),
      'nobody can leave': broken((good) => ({
        watch: (listener) => {
          good.watch(listener);
          return () => undefined;
        },
      })),
    },
    'refuses nothing more after stop()': {
      'it goes on': refusesAll,
    },
    'leaves pods alone on SIGTERM by default': {
      'it ends them': broken((_good, { announce }) => ({ handleTermination: () => announce(true) })),
      'it fails': broken(() => ({ handleTermination: () => Promise.reject(new Error('no logind')) })),
    },
  },
);
