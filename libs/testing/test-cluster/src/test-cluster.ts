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
  /** Everything random follows from it. Default 1. */
  readonly seed?: number | string;
  /** The server approves and signs certificate requests. Default true. */
  readonly sign?: boolean;
  /** Who tokens stand for, and what they may do; see the API server. Default nobody and nothing. */
  readonly tokens?: TestApiServerOptions['tokens'];
  readonly grants?: TestApiServerOptions['grants'];
}

/** An API server in memory and real clients to it, all on one virtual clock. */
export class TestCluster {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly server: TestApiServer;
  /** What the clients logged. */
  readonly logger: MemoryLogger = createMemoryLogger();
  private readonly clients: KubeClient[] = [];

  constructor(options: TestClusterOptions = {}) {
    const { clock = new VirtualClock(), seed = 1, sign = true, tokens = {}, grants = [] } = options;
    this.clock = clock;
    this.random = createSeededRandom(`client ${seed}`);
    this.server = createTestApiServer({
      clock,
      random: createSeededRandom(`api server ${seed}`),
      sign,
      tokens,
      grants,
    });
  }

  /** A started client; an administrator's when no user is given. `system:node:<name>` in `system:nodes` is a kubelet's. */
  client(user?: ApiUser): KubeClient {
    const { clock, random, logger } = this;
    const transport = this.server.transport(user);
    const client = createKubeClient({ transport, clock, random, logger, metrics: createMetricsRegistry() });
    void client.start(); // has nothing to wait for
    this.clients.push(client);
    return client;
  }

  /** Stops all clients that are left; afterwards the clock has no timer of theirs. */
  async stop(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.stop()));
  }
}
