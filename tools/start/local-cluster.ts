import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decodePodManifest, type Pod } from '@podwright/kube-types';
import { createTestApiServer, type ApiListener, type TestApiServer } from '@podwright/test-apiserver';
import { createSystemClock, createSystemRandom } from '@podwright/time';

const secretMode = 0o600;
const requestTimeoutMs = 10_000;
/** A container starts in a namespace only once its account is there, which the server makes in a moment. */
const accountTimeoutMs = 5_000;

/** An API server in this process with one node to come, for as long as a run lasts. Its data is in memory. */
export class LocalCluster {
  /** Kubeconfigs, readable by their owner alone. */
  readonly adminKubeconfig: string;
  readonly nodeKubeconfig: string;

  private constructor(
    readonly nodeName: string,
    private readonly server: TestApiServer,
    private readonly listener: ApiListener,
    dir: string,
  ) {
    this.adminKubeconfig = path.join(dir, 'admin.kubeconfig');
    this.nodeKubeconfig = path.join(dir, 'node.kubeconfig');
    const write = (file: string, name: string, group: string): void =>
      writeFileSync(file, listener.kubeconfig({ name, groups: [group] }), { mode: secretMode });
    write(this.adminKubeconfig, 'kubernetes-admin', 'system:masters');
    write(this.nodeKubeconfig, `system:node:${nodeName}`, 'system:nodes');
  }

  /** `dir` gets the kubeconfigs. Rejects when it cannot listen. */
  static async start(dir: string, nodeName: string, say: (line: string) => void): Promise<LocalCluster> {
    const server = createTestApiServer({
      clock: createSystemClock(),
      random: createSystemRandom(),
      schedule: true,
      onError: (error) => say(`the API server's own work failed: ${String(error)}`),
    });
    return new LocalCluster(nodeName, server, await server.listen(), dir);
  }

  get url(): string {
    return this.listener.url;
  }

  /** The node's way to the server without a socket, for a kubelet in this process. */
  nodeTransport(): ReturnType<TestApiServer['transport']> {
    return this.server.transport({ name: `system:node:${this.nodeName}`, groups: ['system:nodes'] });
  }

  /** Creates the pods of the manifests; resolves with their names. Rejects with the server's sentence when it refuses one. */
  async apply(manifests: string): Promise<readonly string[]> {
    const pods = podsOf(manifests);
    for (const pod of pods) {
      const namespace = pod.metadata.namespace ?? 'default';
      await this.account(namespace);
      const { status, body } = await this.send('POST', `/api/v1/namespaces/${namespace}/pods`, pod);
      if (status >= 300) throw new Error(`the pod ${pod.metadata.name ?? ''} is refused: ${messageIn(body)}`);
    }
    return pods.map(({ metadata }) => metadata.name ?? '');
  }

  /** Ends all connections. May come twice. */
  stop(): Promise<void> {
    return this.listener.stop();
  }

  private async account(namespace: string): Promise<void> {
    const deadline = performance.now() + accountTimeoutMs;
    for (;;) {
      const { status } = await this.send('GET', `/api/v1/namespaces/${namespace}/serviceaccounts/default`);
      if (status === 200 || performance.now() > deadline) return;
      await createSystemClock().sleep(50);
    }
  }

  private async send(method: 'GET' | 'POST', url: string, object?: unknown): Promise<{ status: number; body: string }> {
    const response = await this.server.transport().send(
      {
        method,
        path: url,
        headers: { 'content-type': 'application/json' },
        ...(object !== undefined && { body: JSON.stringify(object) }),
      },
      AbortSignal.timeout(requestTimeoutMs),
    );
    let body = '';
    for await (const chunk of response.body) body += new TextDecoder().decode(chunk);
    return { status: response.status, body };
  }
}

/** Manifests of a folder or of one file, in the order of their names. Throws for one that is no pod. */
function podsOf(manifests: string): readonly Pod[] {
  const files = statSync(manifests).isDirectory()
    ? readdirSync(manifests)
        .sort()
        .map((name) => path.join(manifests, name))
    : [manifests];
  return files.map((file) => decodePodManifest(readFileSync(file), file));
}

function messageIn(status: string): string {
  return (JSON.parse(status) as { readonly message?: string }).message ?? status;
}
