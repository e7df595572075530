import type { KubeTransport } from '@podwright/kube-client-interface';
import { createTestApiServer, type ApiUser, type AuditEntry, type TestApiServer } from '@podwright/test-apiserver';
import { createSystemClock, createSystemRandom } from '@podwright/time';

/** An API server over HTTPS, in memory or real, for a kubelet to join. */
export interface ClusterServer {
  /** A connection as `user`, by default as an administrator. */
  transport(user?: ApiUser): KubeTransport;
  /** The text of a kubeconfig for the user. */
  kubeconfig(user: Pick<ApiUser, 'name' | 'groups'>): string;
  stop(): Promise<void>;
}

/** One that a kubelet can lose, while an administrator still reaches it. */
export interface LeavingServer extends ClusterServer {
  /** Where kubelets reach it. */
  readonly url: string;
  /** Connections of kubelets break, and new ones are refused. */
  leave(): Promise<void>;
  /** Is there for kubelets again, at the same place. */
  comeBack(): Promise<void>;
}

/**
 * The API server in memory, on a loopback port. While it does not listen, an administrator can still reach it in
 * process.
 */
export class MemoryClusterServer implements LeavingServer {
  private constructor(
    readonly api: TestApiServer,
    private listener: Awaited<ReturnType<TestApiServer['listen']>>,
  ) {}

  /** The options are those of the API server in memory. */
  static async start(
    options: Pick<
      Parameters<typeof createTestApiServer>[0],
      'tokens' | 'grants' | 'approve' | 'volumes' | 'resourceClaims' | 'podSigners'
    > = {},
  ): Promise<MemoryClusterServer> {
    const deps = { clock: createSystemClock(), random: createSystemRandom() };
    const api = createTestApiServer({ ...deps, auditLength: 20_000, ...options });
    return new MemoryClusterServer(api, await api.listen());
  }

  get url(): string {
    return this.listener.url;
  }

  transport(user?: ApiUser): KubeTransport {
    return this.api.transport(user);
  }

  kubeconfig(user: Pick<ApiUser, 'name' | 'groups'>): string {
    return this.listener.kubeconfig(user);
  }

  async leave(): Promise<void> {
    await this.listener.stop();
  }

  /** With a new certificate. */
  async comeBack(): Promise<void> {
    this.listener = await this.api.listen({ port: Number(new URL(this.url).port) });
  }

  /** Requests since a time in Unix milliseconds that match every given field. */
  requests(match: Partial<AuditEntry>, sinceMs = 0): readonly AuditEntry[] {
    return this.api.audit.entries.filter(
      (entry) =>
        entry.atMs >= sinceMs &&
        Object.entries(match).every(([field, value]) => entry[field as keyof AuditEntry] === value),
    );
  }

  stop(): Promise<void> {
    return this.listener.stop();
  }
}
