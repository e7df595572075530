import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startHollowNodes } from '@podwright/hollow-nodes';
import { createKubeTransport } from '@podwright/kube-transport';
import { createLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock } from '@podwright/time';

/** What one node has used since the last question. */
export interface NodeUse {
  readonly ready: boolean;
  readonly containers: number;
  readonly cpuMs: number;
  readonly rssMiB: number;
  readonly delayP99Ms: number;
  /** Lists and inspections that the runtime has answered. */
  readonly looks: number;
}

/** One hollow node in a process of its own; answers each message of its parent with a {@link NodeUse}. */
const [kubeconfig = '', pods = '', evented = '', dataDir = ''] = process.argv.slice(2);
const clock = createSystemClock();
const parts = { clock, logger: createLogger({ clock }), metrics: createMetricsRegistry() };
const transport = createKubeTransport(parts, { kubeconfig });
const loopDelay = monitorEventLoopDelay({ resolution: 5 });
await transport.start();
const fleet = await startHollowNodes({
  nodes: 1,
  podsPerNode: Number(pods),
  transport,
  dataDir,
  configuration: { featureGates: { EventedPLEG: evented === 'true' } },
});
const [node] = fleet.nodes;
const looks = ['listPodSandbox', 'listContainers', 'podSandboxStatus', 'containerStatus'] as const;
const looked = (): number => looks.reduce((sum, rpc) => sum + (node?.runtime.calls.count(rpc) ?? 0), 0);
let [cpu, before] = [process.cpuUsage(), 0];
loopDelay.enable();

function use(): NodeUse {
  const used = process.cpuUsage(cpu);
  const made = looked() - before;
  return {
    ready: node?.ready ?? false,
    containers: node?.runtime.control.containers().filter(({ running }) => running).length ?? 0,
    cpuMs: (used.user + used.system) / 1000,
    rssMiB: process.memoryUsage.rss() / 2 ** 20,
    delayP99Ms: loopDelay.percentile(99) / 1e6,
    looks: made,
  };
}

process.on('message', (message) => {
  process.send?.(use());
  if (message !== 'reset') return;
  [cpu, before] = [process.cpuUsage(), looked()];
  loopDelay.reset();
});
process.once('disconnect', () => void fleet.stop().then(() => process.exit(0)));
