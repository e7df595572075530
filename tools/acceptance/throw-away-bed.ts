import path from 'node:path';
import {
  isAlive,
  killIfAlive,
  openLab,
  readIdentity,
  startLab,
  writeIdentity,
  type Lab,
  type StartLabOptions,
} from '@podwright/lab';
import { repositoryRoot } from '../workspace/repository-root.js';
import type { ClusterBed, ClusterNode } from './cluster-node.js';
import type { ClusterServer } from './cluster-server.js';
import { RuntimeView } from './runtime-view.js';
import { TestNode, type TestNodeOptions } from './test-node.js';

export interface ThrowAwayBedOptions<Server extends ClusterServer> {
  /** Name of the lab. What a killed run left under it goes first. */
  readonly name: string;
  /** The kubelet's program. */
  readonly file: string;
  readonly say: (line: string) => void;
  readonly lab?: Pick<StartLabOptions, 'dataDiskMiB' | 'runtimes'>;
  readonly server: () => Promise<Server>;
}

/** For a suite that runs a foreign kubelet without jest: a private runtime, an API server, and one kubelet. */
export class ThrowAwayBed<Server extends ClusterServer> implements ClusterBed {
  readonly lab: Lab;
  readonly runtime: RuntimeView;
  readonly server: Server;
  readonly executable: string;
  private started: TestNode | undefined;
  private member: ClusterNode | undefined;

  private constructor(
    parts: Pick<ThrowAwayBed<Server>, 'lab' | 'runtime' | 'server' | 'executable'>,
    private readonly kubeletFile: string,
  ) {
    ({ lab: this.lab, runtime: this.runtime, server: this.server, executable: this.executable } = parts);
  }

  static async open<Server extends ClusterServer>(of: ThrowAwayBedOptions<Server>): Promise<ThrowAwayBed<Server>> {
    const { name, file, say } = of;
    const kubeletFile = path.join(repositoryRoot, `node_modules/.cache/podwright/${name}-kubelet.json`);
    if (!(await isInUse(name))) killIfAlive(await readIdentity(kubeletFile));
    const lab = await startLab({ name, owned: true, log: say, ...of.lab });
    const runtime = await RuntimeView.connect(lab.endpoint);
    const server = await of.server().catch(async (error: unknown) => {
      await runtime.close();
      await lab.stop();
      throw error;
    });
    return new ThrowAwayBed({ lab, runtime, server, executable: file }, kubeletFile);
  }

  async startNode(name: string, options: TestNodeOptions): Promise<TestNode> {
    this.started = new TestNode(this, name, options);
    await this.started.start();
    return this.started;
  }

  /** Closes the client of the node, too, at the end. */
  owns(member: ClusterNode): ClusterNode {
    return (this.member = member);
  }

  remember(pid: number): Promise<void> {
    return writeIdentity(this.kubeletFile, pid);
  }

  async close(): Promise<void> {
    await this.member?.stop();
    await this.started?.stop();
    await this.server.stop();
    await this.runtime.close();
    await this.lab.stop();
  }
}

/** A run that goes on keeps its kubelet: `startLab` refuses its name. */
async function isInUse(name: string): Promise<boolean> {
  const lab = await openLab(name);
  const owner = lab && (await readIdentity(lab.layout.ownerFile));
  return owner !== undefined && isAlive(owner);
}
