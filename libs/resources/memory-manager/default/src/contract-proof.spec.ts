import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from '@jest/globals';
import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import type { MemoryBlock, MemoryManager } from '@podwright/memory-manager-interface';
import { describeMemoryManagerContract } from '@podwright/memory-manager-interface/contract';
import type { MemoryManagerHarness } from '@podwright/memory-manager-interface/contract';
import { createMetricsRegistry } from '@podwright/metrics';
import { createNumaMemoryManager } from './numa-memory-manager.module.js';

const mi = 2 ** 20;
const nodes = [0, 1].map((id) => ({ id, memoryBytes: 1100 * mi, hugePages: [], cores: [] }));
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});
async function create(): Promise<MemoryManagerHarness> {
  const rootDir = await mkdtemp(path.join(tmpdir(), 'memory-manager-'));
  folders.push(rootDir);
  let active: readonly Pod[] = [];
  const memory = createNumaMemoryManager(
    {
      activePods: { list: () => active },
      podConfig: { allSourcesReady: () => true },
      affinity: { affinityOf: () => ({ preferred: false }) },
      machine: { read: async () => ({ nodes, cpuCount: 0, socketCount: 1 }) },
      logger: createMemoryLogger(0),
      metrics: createMetricsRegistry(),
    },
    {
      rootDir,
      policy: 'Static',
      reservedMemory: nodes.map(({ id }) => ({ numaNode: id, limits: { memory: '100Mi' } })),
      nodeReserved: { cpu: '1', memory: '200Mi' },
    },
  );
  return { memory, setActive: (pods) => void (active = pods) };
}

const broken = (
  replaced: (good: MemoryManager, harness: MemoryManagerHarness) => Partial<MemoryManager>,
): ((good: MemoryManagerHarness) => Partial<MemoryManagerHarness>) => breaksIn('memory', replaced);
const onNodes = (change: (nodes: readonly number[], podUid: string) => readonly number[]): ReturnType<typeof broken> =>
  broken((good) => ({ numaNodesOf: (podUid, container) => change(good.numaNodesOf(podUid, container), podUid) }));
const holding = (change: (blocks: readonly MemoryBlock[]) => readonly MemoryBlock[]): ReturnType<typeof broken> =>
  broken((good) => ({ memoryOf: (podUid, container) => change(good.memoryOf(podUid, container)) }));
const twice = <T>(list: readonly T[]): readonly T[] => [...list, ...list];

describeContractProof(
  'MemoryManager',
  (make) => describeMemoryManagerContract('a broken MemoryManager', make),
  create,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('memory'),
      'its health cannot be asked for': broken(() => ({
        healthy: () => {
          throw new Error('not started');
        },
      })),
    },
    'gives Guaranteed pods memory of one node each as long as that has enough': {
      'it gives half': holding((blocks) => blocks.map((block) => ({ ...block, bytes: block.bytes / 2 }))),
      'it gives from both': onNodes(() => [0, 1]),
      'it gives all from one': onNodes(() => [0]),
      'what is reserved can be given out': broken((good) => ({
        allocatableMemory: () => good.allocatableMemory().map((block) => ({ ...block, bytes: 1100 * mi })),
      })),
    },
    'gives more than one node has from both, which then serve nobody alone': {
      'it gives from one': onNodes((given, podUid) => (podUid === 'uid-wide' ? [0] : given)),
      'one serves another alone': onNodes((given, podUid) => (podUid === 'uid-small' ? [0] : given)),
    },
    'leaves other pods alone, and refuses what it has not': {
      'it pins them too': onNodes(() => [0]),
      'it never refuses': broken((good) => ({
        allocate: (pod, container) => good.allocate(pod, container).catch(() => undefined),
      })),
      'it refuses in other words': broken((good) => ({
        allocate: (pod, container) => good.allocate(pod, container).catch(() => Promise.reject(new Error('no'))),
      })),
    },
    'takes back what pods hold that are not active any more': {
      'a repeated call gives more': holding(twice),
      'it takes what active pods hold': broken((good, { setActive }) => ({
        releaseInactive: () => {
          setActive([]);
          good.releaseInactive();
        },
      })),
      'it takes nothing': broken(() => ({ releaseInactive: () => undefined })),
      'others do not get it': onNodes(() => []),
    },
  },
);
