import { expect, it } from '@jest/globals';
import type { KubeClient, KubeObject } from '@podwright/kube-client-interface';
import type { Node } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { ReportSchedule } from './report-schedule.js';
import { StatusSender } from './status-sender.js';

const { signal } = new AbortController();
const labels = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
const nodeWith = (volumesInUse: readonly string[]): Node => ({
  metadata: { name: 'n1', labels },
  status: { volumesInUse },
});

/** The watch never delivers: it shows the node as it was at first. */
function withLateWatch(first: readonly string[]) {
  let [server, wanted] = [first, first];
  const confirmed: string[] = [];
  const calls: string[] = [];
  const clock = new VirtualClock();
  const logger = createMemoryLogger();
  const client: Pick<KubeClient, 'server' | 'get' | 'patch' | 'closeConnections'> = {
    server: 'https://api',
    closeConnections: () => undefined,
    get: async <T extends KubeObject>() => {
      calls.push('get');
      return nodeWith(server) as KubeObject as T;
    },
    patch: async <T extends KubeObject>() => {
      calls.push('patch');
      server = wanted;
      return nodeWith(server) as KubeObject as T;
    },
  };
  const sender = new StatusSender(
    {
      ...{ client, clock, logger },
      registered: { current: () => nodeWith(first) },
      schedule: new ReportSchedule(clock, createSeededRandom(1), 300_000),
      compute: async (original) => ({ ...original, status: { ...original.status, volumesInUse: wanted } }),
      podCidrs: async () => false,
      becameReady: () => undefined,
      volumesReported: (names) => void confirmed.push(names.join()),
      architecture: 'amd64',
    },
    { nodeName: 'n1', timeoutMs: 10_000 },
  );
  const round = async (names: readonly string[]): Promise<void> => {
    wanted = names;
    await sender.round(signal);
  };
  return { round, confirmed, calls, onServer: () => server };
}

it('does not confirm volumes from a watch that is late', async () => {
  const { round, confirmed, calls, onServer } = withLateWatch(['a']);
  await round(['a']);
  await round([]);
  expect(onServer()).toEqual([]);
  // The watch still shows the volume, which may be detached by now.
  await round(['a']);
  expect(onServer()).toEqual(['a']);
  expect(confirmed).toEqual(['a', '', 'a']);
  expect(calls).toEqual(['patch', 'patch', 'get', 'patch']);
});

it('asks nobody while the watch agrees', async () => {
  const { round, confirmed, calls } = withLateWatch(['a']);
  for (let count = 0; count < 3; count++) await round(['a']);
  expect(calls).toEqual(['patch']);
  expect(confirmed).toEqual(['a', 'a', 'a']);
});
