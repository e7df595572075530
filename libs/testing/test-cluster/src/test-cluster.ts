import { createKubeClient } from '@podwright/kube-client';
import type { KubeClient } from '@podwright/kube-client-interface';
import { createMemoryLogger, type MemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import {
  createTestApiServer,
  type ApiUser,
  type TestApiServer,
  type TestApiServerOptions,
} from '@podwright/test-apiserver';
import { createSeededRandom, VirtualClock, type Random } from '@podwright/time';

export interface TestClusterOptions {
  readonly clock?: VirtualClock;
  /** Seed of all random numbers. Default 1. */
  readonly seed?: number | string;
  /** Whether the server approves and signs certificate requests. Default true. */
  readonly sign?: boolean;
  /** Who answers requests for certificates of pods; see {@link TestApiServerOptions}. Default: nobody. */
  readonly podSigners?: TestApiServerOptions['podSigners'];
  /** Users of bearer tokens, and grants for users and groups; see {@link TestApiServerOptions}. Default: none. */
  readonly tokens?: TestApiServerOptions['tokens'];
  readonly grants?: TestApiServerOptions['grants'];
  /** How many requests the server's `audit` keeps. Default 1000. */
  readonly auditLength?: number;
}

/** An API server in memory and real clients of it, all on one virtual clock. */
export class TestCluster {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly server: TestApiServer;
  /** The log of the clients. */
  readonly logger: MemoryLogger = createMemoryLogger();
  private readonly clients: KubeClient[] = [];

  constructor(options: TestClusterOptions = {}) {
    const { clock = new VirtualClock(), seed = 1, sign = true, podSigners = {}, tokens = {}, grants = [] } = options;
    const { auditLength = 1_000 } = options;
    this.clock = clock;
    this.random = createSeededRandom(`client ${seed}`);
    this.server = createTestApiServer({
      clock,
      random: createSeededRandom(`api server ${seed}`),
      sign,
      podSigners,
      tokens,
      grants,
      auditLength,
    });
  }

  /** Starts a client, by default of an administrator. The user `system:node:<name>` in `system:nodes` is a kubelet. */
  client(user?: ApiUser): KubeClient {
    const { clock, random, logger } = this;
    const transport = this.server.transport(user);
    const client = createKubeClient({ transport, clock, random, logger, metrics: createMetricsRegistry() });
    void client.start(); // there is nothing to wait for
    this.clients.push(client);
    return client;
  }

  /** Stops all clients, so that they leave no timers on the clock. */
  async stop(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.stop()));
  }
}
