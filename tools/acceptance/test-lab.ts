import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { buildKubelet } from '../build/kubelet.js';
import {
  describeLeftovers,
  killIfAlive,
  leftovers,
  readIdentity,
  readTraces,
  startLab,
  wantsCrio,
  writeIdentity,
  type Lab,
  type LabRuntime,
  type StartLabOptions,
} from '@podwright/lab';
import { repositoryRoot } from '../workspace/repository-root.js';
import { RuntimeView } from './runtime-view.js';
import { TestNode, type NodeBed, type TestNodeOptions } from './test-node.js';

// One lab per working copy and process, so that several can run tests on one machine.
const copy = createHash('sha256').update(repositoryRoot).digest('hex').slice(0, 6);
const labName = `${process.env['PODWRIGHT_ACCEPTANCE_LAB'] ?? `acceptance-${copy}`}-${process.env['JEST_WORKER_ID'] ?? '1'}`;
// The kubelet of a killed run keeps running and would use the next run's containerd.
const kubeletFile = path.join(repositoryRoot, `node_modules/.cache/podwright/${labName}-kubelet.json`);
const given = process.env['PODWRIGHT_ACCEPTANCE_CONTAINERD'];
// Undefined leaves the choice to the lab: the CRI-O that PODWRIGHT_CRIO names, else containerd 2.
const defaultContainerd = given === '1.6' || given === '2' ? given : undefined;
/** What labs run that name no containerd. */
export const defaultRuntime: LabRuntime = defaultContainerd === undefined && wantsCrio() ? 'cri-o' : 'containerd';
// Above the default of a case: what a hook of a lab does takes longest on a busy machine.
const hookTimeoutMs = 300_000;

/** A lab with the kubelet's executable, for the tests of one describe block. */
export class TestLab implements NodeBed {
  private readonly nodes: TestNode[] = [];

  constructor(
    readonly lab: Lab,
    readonly runtime: RuntimeView,
    readonly executable: string,
  ) {}

  /**
   * Starts a kubelet with an empty manifest folder, after it has ended earlier ones: two kubelets on one runtime would
   * remove each other's pods as orphans.
   */
  async startNode(name: string, options: TestNodeOptions = {}): Promise<TestNode> {
    await this.stopNodes();
    const node = new TestNode(this, name, options);
    this.nodes.push(node);
    await node.start();
    return node;
  }

  async stopNodes(): Promise<void> {
    for (const node of this.nodes.splice(0)) await node.stop();
  }

  async close(): Promise<void> {
    await this.stopNodes();
    await this.runtime.close();
  }

  async remember(pid: number): Promise<void> {
    await mkdir(path.dirname(kubeletFile), { recursive: true });
    await writeIdentity(kubeletFile, pid);
  }
}

/**
 * Starts the lab before the tests of the enclosing describe block and removes it after them; fails when anything
 * remains on the machine. PODWRIGHT_ACCEPTANCE_KUBELET names another executable than the one built here,
 * PODWRIGHT_ACCEPTANCE_CONTAINERD the containerd series for tests that name none.
 */
export function useLab({
  containerd = defaultContainerd,
  dataDiskMiB,
}: Pick<StartLabOptions, 'containerd' | 'dataDiskMiB'> = {}): () => TestLab {
  let bed: TestLab | undefined;
  beforeAll(async () => {
    killIfAlive(await readIdentity(kubeletFile));
    const executable = process.env['PODWRIGHT_ACCEPTANCE_KUBELET'] ?? (await buildKubelet()).file;
    const lab = await startLab({
      name: labName,
      ...(containerd !== undefined && { containerd }),
      owned: true,
      ...(dataDiskMiB !== undefined && { dataDiskMiB }),
    });
    bed = new TestLab(lab, await RuntimeView.connect(lab.endpoint), executable);
  }, hookTimeoutMs);
  afterAll(async () => {
    if (bed === undefined) return;
    await bed.close();
    const { layout } = bed.lab;
    const traces = await readTraces(layout);
    await bed.lab.stop();
    expect(describeLeftovers(await leftovers(layout, traces))).toEqual([]);
  }, hookTimeoutMs);
  return () => {
    if (bed === undefined) throw new Error('the lab is there only while tests run');
    return bed;
  };
}
