import type { KubeClient } from '@podwright/kube-client-interface';
import { createTestApiServer, type ApiUser, type TestApiServer } from '@podwright/test-apiserver';
import { createSeededRandom, VirtualClock } from '@podwright/time';

export interface TestClusterOptions {
  readonly clock?: VirtualClock;
  /** Everything random follows from it. Default 1. */
  readonly seed?: number | string;
}

/** An API server in memory and real clients to it, all on one virtual clock. */
export class TestCluster {
  readonly clock: VirtualClock;
  readonly server: TestApiServer;

  constructor({ clock = new VirtualClock(), seed = 1 }: TestClusterOptions = {}) {
    this.clock = clock;
    this.server = createTestApiServer({ clock, random: createSeededRandom(`api server ${seed}`) });
  }

  /** A started client; an administrator's when no user is given. `system:node:<name>` in `system:nodes` is a kubelet's. */
  client(_user?: ApiUser): KubeClient {
    throw new Error('not written yet');
  }
}
