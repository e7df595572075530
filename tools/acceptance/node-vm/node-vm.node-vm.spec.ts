import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nodeVmSupport, type NodeVm } from '@podwright/lab';
import { CaseResults } from './case-results.js';
import { guestCases } from './cases/index.js';
import { startGuestMachine } from './guest-machine.js';

const isAll = process.env['PODWRIGHT_NODE_VM_CASES'] === 'all';
const cases = guestCases.filter(({ extra }) => isAll || extra !== true);
const support = nodeVmSupport();
// All of the tier; fetching packages is most of it, on a machine that has none yet.
const START_MS = 240_000;
/** Two minutes where nothing else is busy; emulated processors suffer from neighbours. */
const ALL_CASES_MS = 720_000;

(support.ok ? describe : describe.skip)(
  support.ok ? 'a node in a virtual machine: systemd, cgroup v2, containerd 2' : support.reason,
  () => {
    const results = new CaseResults();
    const lines: string[] = [];
    let machine: NodeVm | undefined;

    beforeAll(async () => {
      machine = await startGuestMachine(cases, (line) => lines.push(line), results.take);
      void machine.ended.finally(() => results.finish());
    }, START_MS);

    afterAll(() => machine?.stop(), 30_000);

    it.each(cases.map(({ name }) => name))(
      '%s',
      async (name) => {
        await results.passed(name, ALL_CASES_MS).catch(async (error: Error) => {
          throw new Error(`${error.message}\n---- ${lines.join('; ')}\n${(await machine?.lastWords()) ?? ''}`);
        });
        expect.assertions(0); // they are made in the guest
      },
      ALL_CASES_MS + 5_000,
    );
  },
);
