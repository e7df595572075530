import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildTestImagesForGuest, controlPlaneGuestRecipe, NodeVm, type ReportLine } from '@podwright/lab';
import { buildKubelet } from '../../../build/kubelet.js';
import { repositoryRoot } from '../../../workspace/repository-root.js';
import type { GuestCase } from '../guest-case.js';
import { bundleForGuest } from '../guest-machine.js';
import { controlPlane, worker, type MachineShape } from './cluster-shape.js';
import { buildKubeadmImages } from './kubeadm-images.js';

const PAGE = 'docs/joining-a-kubeadm-cluster.md';
const controlPlaneMib = 2_600;
const workerMib = 1_200;

export interface KubeadmMachinesOptions {
  /** Folder with kubeadm and a control plane. */
  readonly assets: string;
  readonly hasDns: boolean;
  readonly cases: readonly GuestCase[];
  readonly log: (line: string) => void;
  readonly report: (line: ReportLine) => void;
}

/** Two machines with a cable between them. */
export class KubeadmMachines {
  private constructor(
    private readonly dir: string,
    readonly first: NodeVm,
    private readonly second: NodeVm,
  ) {}

  /** Builds images and starts both; the cases run on the first one. */
  static async start({ assets, hasDns, cases, log, report }: KubeadmMachinesOptions): Promise<KubeadmMachines> {
    const dir = await mkdtemp(path.join(tmpdir(), 'podwright-cable-'));
    const socket = path.join(dir, 'cable');
    const kubelet = process.env['PODWRIGHT_ACCEPTANCE_KUBELET'] ?? (await buildKubelet()).file;
    const images = await buildKubeadmImages(assets, hasDns, log);
    const contents = {
      'images.tar': await buildTestImagesForGuest(log),
      'node-images.tar': images.node,
      ...(await unitOfPage()),
    };
    const files = { kubelet, kubeadm: path.join(assets, 'kubeadm') };
    const start = async (
      shape: MachineShape,
      options: Pick<Parameters<typeof NodeVm.start>[0], 'programs' | 'memoryMib' | 'report'>,
    ) =>
      NodeVm.start({
        ...options,
        recipe: controlPlaneGuestRecipe,
        link: { socket, role: shape === controlPlane ? 'listens' : 'connects' },
        // The card keeps the name eth0.
        kernelArguments: [`systemd.hostname=${shape.name}`, `systemd.machine_id=${machineId(shape)}`, 'net.ifnames=0'],
        log,
      });
    const first = await start(controlPlane, {
      memoryMib: controlPlaneMib,
      report,
      programs: {
        entry: 'cases.cjs',
        files: { ...files, kubectl: path.join(assets, 'kubectl') },
        contents: {
          ...contents,
          'control-plane-images.tar': images.controlPlane,
          'cases.cjs': await bundleForGuest('tools/acceptance/node-vm/guest-main.ts'),
          'cases.json': JSON.stringify(cases.map(({ name }) => name)),
          'kubeadm.json': JSON.stringify({ hasDns }),
        },
      },
    });
    try {
      const second = await start(worker, {
        memoryMib: workerMib,
        programs: {
          entry: 'worker.cjs',
          files,
          contents: {
            ...contents,
            'worker.cjs': await bundleForGuest('tools/acceptance/node-vm/kubeadm/worker-main.ts'),
          },
        },
      });
      return new KubeadmMachines(dir, first, second);
    } catch (error) {
      await first.stop();
      throw error;
    }
  }

  async lastWords(): Promise<string> {
    return `${controlPlane.name}: ${await this.first.lastWords()}\n${worker.name}: ${await this.second.lastWords()}`;
  }

  async stop(): Promise<void> {
    await this.second.stop();
    await this.first.stop();
    await rm(this.dir, { recursive: true, force: true });
  }
}

const machineId = ({ address }: MachineShape): string => address.split('.').at(-1)?.padStart(32, '0') ?? '';

/** The unit and its drop-in as the page for operators shows them. */
async function unitOfPage(): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(path.join(repositoryRoot, PAGE), 'utf8');
  const block = (name: string): string => {
    const found = [...text.matchAll(/```ini\n# (\S+)\n([\s\S]*?)```/g)].find(([, file = '']) => file.endsWith(name));
    if (found?.[2] === undefined) throw new Error(`${PAGE} shows no ${name}`);
    return found[2];
  };
  return { 'kubelet.service': block('/kubelet.service'), '10-kubeadm.conf': block('/10-kubeadm.conf') };
}
