import { afterAll, describe, it } from '@jest/globals';
import { describeCriContract, type ContractProgram, type CriHarness } from '@podwright/cri-client-interface/contract';
import type { ContainerConfig, DeepPartial } from '@podwright/cri-client-interface';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock } from '@podwright/time';
import { crioSupport, labSupport, startLab, type Lab } from '@podwright/lab';
import { createCriClient } from './cri-client.module.js';

const clock = createSystemClock({ keepAlive: true });

async function harnessOn(lab: Lab): Promise<CriHarness> {
  const deps = { clock, logger: createMemoryLogger(), metrics: createMetricsRegistry() };
  const cri = createCriClient(deps, { runtimeEndpoint: lab.endpoint, requestTimeoutMs: 60_000 });
  await cri.start();
  const shell = (script: string): DeepPartial<ContainerConfig> => ({
    image: { image: lab.images.busybox },
    command: ['sh', '-c', script],
  });
  const programs: Record<ContractProgram, DeepPartial<ContainerConfig>> = {
    'runs-until-stopped': { image: { image: lab.images.busybox }, command: ['sleep', '3600'] },
    'ignores-stop': shell("trap '' TERM; while :; do sleep 1; done"),
    'exits-0': shell('exit 0'),
    'exits-7': shell('exit 7'),
    'runs-out-of-memory': {
      ...shell('tail /dev/zero'),
      linux: { resources: { memoryLimitInBytes: 16n * 1024n * 1024n } },
    },
  };
  return {
    runtime: cri,
    images: cri,
    connection: cri,
    image: lab.images.busybox,
    ...(lab.registry === undefined ? {} : { pullable: lab.registry.busybox }),
    sandbox: { logDirectory: `${lab.dir}/logs`, linux: { cgroupParent: lab.cgroupRoot } },
    program: (program) => programs[program],
    exec: { speaks: ['sh', '-c', 'echo out; echo err >&2; exit 3'], hangs: ['sleep', '60'] },
    outage: { begin: () => lab.killRuntime(), end: () => lab.startRuntime() },
    pass: (ms) => clock.sleep(ms),
    close: () => cri.stop(),
  };
}

const support = labSupport();
if (!support.ok)
  describe.skip(`the CRI client on containerd (skipped: ${support.reason})`, () => it('needs a lab', () => undefined));
else
  describe.each(['1.6', '2'] as const)('the CRI client on containerd %s', (containerd) => {
    let lab: Lab | undefined;
    afterAll(async () => lab?.stop(), 120_000);
    describeCriContract(`containerd ${containerd}`, {
      capabilities: { containerEvents: containerd !== '1.6', outage: true, pull: true, outOfMemory: true },
      create: async () => {
        lab = await startLab({ name: `cri-spec-${containerd.replace('.', '')}`, containerd, registry: true });
        return harnessOn(lab);
      },
    });
  });

const crio = crioSupport();
if (!crio.ok)
  describe.skip(`the CRI client on CRI-O (skipped: ${crio.reason})`, () => it('needs a CRI-O', () => undefined));
else
  describe('the CRI client on CRI-O', () => {
    let lab: Lab | undefined;
    afterAll(async () => lab?.stop(), 120_000);
    describeCriContract('CRI-O', {
      capabilities: {
        containerEvents: true,
        outage: true,
        pull: true,
        outOfMemory: true,
        differences: [
          'repeated-creation-answers-the-first',
          'streams-check-late',
          'errors-without-code',
          'commands-in-created-containers',
          'late-commands-answer',
          'lists-show-runtime-creation',
        ],
      },
      create: async () => {
        lab = await startLab({ name: 'cri-spec-crio', registry: true });
        return harnessOn(lab);
      },
    });
  });
