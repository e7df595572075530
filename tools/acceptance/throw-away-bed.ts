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
import { MemoryClusterServer } from './cluster-server.js';
import { RuntimeView } from './runtime-view.js';
import { TestNode, type TestNodeOptions } from './test-node.js';

export interface ThrowAwayBedOptions {
  /** Name of the lab. What a killed run left under it goes first. */
  readonly name: string;
  /** The kubelet's program. */
  readonly file: string;
  readonly say: (line: string) => void;
  readonly lab?: Pick<StartLabOptions, 'dataDiskMiB' | 'runtimes'>;
  readonly server?: Parameters<typeof MemoryClusterServer.start>[0];
}

/** For a suite that runs a foreign kubelet without jest: a private runtime, an API server in memory, and one kubelet. */
export class ThrowAwayBed implements ClusterBed {
  readonly lab: Lab;
  readonly runtime: RuntimeView;
  readonly server: MemoryClusterServer;
  readonly executable: string;
  private started: TestNode | undefined;
  private member: ClusterNode | undefined;

  private constructor(
    parts: Pick<ThrowAwayBed, 'lab' | 'runtime' | 'server' | 'executable'>,
    private readonly kubeletFile: string,
  ) {
    ({ lab: this.lab, runtime: this.runtime, server: this.server, executable: this.executable } = parts);
  }

  static async open({ name, file, say, lab: options, server }: ThrowAwayBedOptions): Promise<ThrowAwayBed> {
    const kubeletFile = path.join(repositoryRoot, `node_modules/.cache/podwright/${name}-kubelet.json`);
    if (!(await isInUse(name))) killIfAlive(await readIdentity(kubeletFile));
    const lab = await startLab({ name, owned: true, log: say, ...options });
    const runtime = await RuntimeView.connect(lab.endpoint);
    const api = await MemoryClusterServer.start(server);
    return new ThrowAwayBed({ lab, runtime, server: api, executable: file }, kubeletFile);
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
