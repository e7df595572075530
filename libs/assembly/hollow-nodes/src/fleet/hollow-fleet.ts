import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mapLimit } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import { createSimulatedMachine } from '@podwright/kubelet-assembly';
import { createLogger, type Logger } from '@podwright/logging';
import type { StreamRequest } from '@podwright/simulated-runtime';
import { createSystemClock, type Clock } from '@podwright/time';
import { createChoices } from '../behaviour/choices.js';
import { defaultBehaviour } from '../behaviour/decode-behaviour.js';
import { HollowNode, type HollowNodeOptions } from '../node/hollow-node.js';
import type { HollowNodes } from './hollow-nodes.js';
import { StreamingServer } from '../streams/streaming-server.js';
import { calmLog } from './calm-log.js';
import { checkOptions, type HollowNodesOptions } from './hollow-nodes-options.js';
import { kubeletConfiguration } from './kubelet-configuration.js';
import { plannedFaults } from './node-faults.js';
import { liveThrough } from './node-life.js';
import { podRanges } from './pod-ranges.js';
import { PodStarts } from './pod-starts.js';

/** {@link HollowNodes} that start a few at a time, and then live through the faults that their behaviour plans. */
export class HollowFleet implements HollowNodes {
  readonly nodes: HollowNode[] = [];
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private readonly lives: Promise<void>[] = [];
  private dir: string | undefined;
  private streaming: StreamingServer | undefined;

  constructor(private readonly options: HollowNodesOptions) {
    checkOptions(options);
    this.clock = options.clock ?? createSystemClock();
    const { logger = createLogger({ clock: this.clock, component: 'hollow-nodes' }) } = options;
    this.logger = calmLog(logger, this.clock);
  }

  readyCount(): number {
    return this.nodes.reduce((count, { ready }) => count + Number(ready), 0);
  }

  async start(signal?: AbortSignal): Promise<void> {
    const { clock, logger } = this;
    const {
      nodes,
      behaviour = defaultBehaviour,
      seed = 1,
      startsAtOnce = 16,
      onFault = () => undefined,
    } = this.options;
    const choices = createChoices(seed);
    const dir = await dataFolder(this.options.dataDir);
    this.dir = dir;
    const streaming = this.options.servers && (await StreamingServer.open());
    this.streaming = streaming;
    const machine = await createSimulatedMachine(path.join(dir, 'machine'), {
      ...behaviour.node,
      osImage: 'Hollow node',
    });
    const shared = {
      ...{ dir, machine, behaviour, choices, starts: new PodStarts(clock), seed, clock, logger },
      ...(streaming && { streamingUrl: (request: StreamRequest) => streaming.url(request) }),
    };
    const indexes = Array.from({ length: nodes }, (_, index) => index);
    const life = { clock, logger, onFault };
    await mapLimit(
      indexes,
      startsAtOnce,
      async (index) => {
        const node = new HollowNode(this.nodeOptions(shared, index));
        this.nodes.push(node);
        this.options.onStart?.(node);
        await node.start();
        const faults = plannedFaults(behaviour.nodeFaults, node.name, choices);
        this.lives.push(liveThrough(faults, node, life, this.stopping.signal));
      },
      signal,
    );
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.lives);
    await Promise.all(this.nodes.map((node) => node.stop()));
    await this.streaming?.close();
    if (this.dir !== undefined) await rm(this.dir, { recursive: true, force: true });
  }

  private nodeOptions(
    shared: Omit<HollowNodeOptions, 'name' | 'transport' | 'podCidr' | 'configuration' | 'argv'>,
    index: number,
  ): HollowNodeOptions {
    const { namePrefix = 'hollow', podsPerNode = 110, transport, servers } = this.options;
    const name = `${namePrefix}-${index}`;
    // Without a server nobody reaches the node; then it has an address of those that RFC 2544 keeps for benchmarks.
    const address = servers?.address ?? `198.18.${Math.floor(index / 256)}.${index % 256}`;
    return {
      ...shared,
      name,
      dir: path.join(shared.dir, 'nodes', name),
      machine: { ...shared.machine, address },
      transport: typeof transport === 'function' ? transport(name) : transport,
      podCidr: podRanges(podsPerNode)(index),
      configuration: kubeletConfiguration(this.options, index),
      argv: [],
    };
  }
}

async function dataFolder(given: string | undefined): Promise<string> {
  if (given === undefined) return mkdtemp(path.join(tmpdir(), 'hollow-nodes-'));
  await mkdir(given, { recursive: true, mode: 0o700 });
  if ((await readdir(given)).length > 0)
    throw new KubeletError(
      `dataDir ${given} is not empty: its files would be removed at the end; name another folder`,
      {
        code: 'invalid-argument',
      },
    );
  return given;
}
