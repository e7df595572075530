import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nodeVmSupport } from '@podwright/lab';
import { CaseResults } from './case-results.js';
import { kubeadmCases } from './cases/kubeadm-cases.js';
import { DNS_PROGRAM, missingKubeadmProgram } from './kubeadm/kubeadm-assets.js';
import { KubeadmMachines } from './kubeadm/kubeadm-machines.js';

const assets = process.env['PODWRIGHT_KUBEADM_ASSETS'] ?? '';
const has = (program: string): boolean => existsSync(path.join(assets, program));
const support = nodeVmSupport();
const missing = support.ok ? missingKubeadmProgram(assets, has) : support.reason;
/** Images are built and two machines start. */
const START_MS = 600_000;
/** An hour on emulated processors of a busy machine. */
const ALL_CASES_MS = 3_600_000;

if (missing !== undefined) {
  describe.skip(`a cluster that kubeadm makes of two machines (skipped: ${missing})`, () => {
    it('runs on this kubelet', () => undefined);
  });
} else {
  describe(`a cluster that kubeadm makes of two machines, ${has(DNS_PROGRAM) ? 'with' : 'without'} ${DNS_PROGRAM}`, () => {
    const results = new CaseResults();
    const lines: string[] = [];
    let machines: KubeadmMachines | undefined;

    beforeAll(async () => {
      machines = await KubeadmMachines.start({
        assets,
        hasDns: has(DNS_PROGRAM),
        cases: kubeadmCases,
        log: (line) => lines.push(line),
        report: results.take,
      });
      void machines.first.ended.finally(() => results.finish());
    }, START_MS);

    afterAll(() => machines?.stop(), 30_000);

    it.each(kubeadmCases.map(({ name }) => name))(
      '%s',
      async (name) => {
        await results.passed(name, ALL_CASES_MS).catch(async (error: Error) => {
          throw new Error(`${error.message}\n---- ${lines.join('; ')}\n${(await machines?.lastWords()) ?? ''}`);
        });
        expect.assertions(0); // they are made in the guest
      },
      ALL_CASES_MS + 5_000,
    );
  });
}
