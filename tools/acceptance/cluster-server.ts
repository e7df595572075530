import type { KubeTransport } from '@podwright/kube-client-interface';
import { createTestApiServer, type ApiUser, type AuditEntry, type TestApiServer } from '@podwright/test-apiserver';
import { createSystemClock, createSystemRandom } from '@podwright/time';

/** An API server over HTTPS, in memory or a real one, that a kubelet joins. */
export interface ClusterServer {
  /** As that user; an administrator without one. */
  transport(user?: ApiUser): KubeTransport;
  /** The text of a kubeconfig for the user. */
  kubeconfig(user: Pick<ApiUser, 'name' | 'groups'>): string;
  stop(): Promise<void>;
}

/** The server in memory on a port of loopback. While nobody listens, an administrator still has a way in. */
export class MemoryClusterServer implements ClusterServer {
  private constructor(
    readonly api: TestApiServer,
    private listener: Awaited<ReturnType<TestApiServer['listen']>>,
  ) {}

  /** `tokens` and `approve` as of the API server in memory. */
  static async start(
    options: Pick<Parameters<typeof createTestApiServer>[0], 'tokens' | 'approve'> = {},
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

  /** Connections break and are refused. */
  async leave(): Promise<void> {
    await this.listener.stop();
  }

  /** Listens where it listened before. */
  async comeBack(): Promise<void> {
    this.listener = await this.api.listen({ port: Number(new URL(this.url).port) });
  }

  /** Requests of users of that kind since a moment, Unix milliseconds, that fit in every field given. */
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
