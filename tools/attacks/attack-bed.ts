import { killIfAlive, readIdentity, startLab, writeIdentity, type Lab } from '@podwright/lab';
import path from 'node:path';
import { ClusterNode, type ClusterBed } from '../acceptance/cluster-node.js';
import { MemoryClusterServer } from '../acceptance/cluster-server.js';
import { RuntimeView } from '../acceptance/runtime-view.js';
import { TestNode, type TestNodeOptions } from '../acceptance/test-node.js';
import { freePort } from '../start/kubelet-process.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { AttackTarget, callers } from './attack-target.js';

const kubeletFile = path.join(repositoryRoot, 'node_modules/.cache/podwright/attacks-kubelet.json');

export interface AttackBedOptions {
  /** The kubelet's program. */
  readonly file: string;
  /** False: a kubelet of somebody else, which gets upstream's flags alone. */
  readonly ours: boolean;
  /** True: the kubelet asks nobody for credentials, so that cases about them must report harm. */
  readonly weakened: boolean;
  readonly say: (line: string) => void;
}

/** A throw-away node: a runtime of its own, an API server in memory, and the kubelet that is attacked. */
export class AttackBed implements ClusterBed {
  private constructor(
    readonly lab: Lab,
    readonly runtime: RuntimeView,
    readonly executable: string,
    private readonly server: MemoryClusterServer,
  ) {}

  private started: { readonly node: TestNode; readonly member?: ClusterNode } | undefined;

  static async open({ file, say }: AttackBedOptions): Promise<AttackBed> {
    killIfAlive(await readIdentity(kubeletFile));
    const lab = await startLab({ name: 'attacks', owned: true, log: say });
    const runtime = await RuntimeView.connect(lab.endpoint);
    return new AttackBed(lab, runtime, file, await MemoryClusterServer.start(callers));
  }

  /** Starts the kubelet and waits until its node is Ready. */
  async target({ ours, weakened }: AttackBedOptions): Promise<AttackTarget> {
    const healthz = await freePort();
    const open = {
      authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
      authorization: { mode: 'AlwaysAllow' },
    };
    const member = await ClusterNode.start(this, this.server, 'attacked', {
      foreign: !ours,
      // Everything is logged that can be, for the case that looks for secrets there.
      flags: ['-v', '10'],
      configuration: {
        healthzPort: healthz,
        ...(!weakened && { readOnlyPort: 0 }),
        featureGates: { NodeLogQuery: true },
        enableSystemLogQuery: true,
        evictionPressureTransitionPeriod: '5s',
        syncFrequency: '5s',
        ...(weakened && open),
      },
    });
    if (this.started !== undefined) this.started = { ...this.started, member };
    await member.ready({ withinMs: 60_000 });
    return AttackTarget.create(member, { ours, healthz });
  }

  async startNode(name: string, options: TestNodeOptions): Promise<TestNode> {
    const node = new TestNode(this, name, options);
    this.started = { node };
    await node.start();
    return node;
  }

  remember(pid: number): Promise<void> {
    return writeIdentity(kubeletFile, pid);
  }

  async close(): Promise<void> {
    await this.started?.member?.stop();
    await this.started?.node.stop();
    await this.server.stop();
    await this.runtime.close();
    await this.lab.stop();
  }
}
