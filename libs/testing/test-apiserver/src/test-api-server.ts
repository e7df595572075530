import type { KubeTransport } from '@podwright/kube-client-interface';
import type { Clock, Random } from '@podwright/time';

/** Who asks. `system:masters` may do everything; `system:nodes` with a name `system:node:<node>` is a kubelet. */
export interface ApiUser {
  readonly name: string;
  readonly groups: readonly string[];
}

export interface TestApiServerOptions {
  readonly clock: Clock;
  readonly random: Random;
}

/** An API server in memory. */
export interface TestApiServer {
  /** A way to it without a socket, on the server's clock; ordinary HTTP semantics. The user defaults to an administrator. */
  transport(user?: ApiUser): KubeTransport;
}

export function createTestApiServer(_options: TestApiServerOptions): TestApiServer {
  throw new Error('not written yet');
}
