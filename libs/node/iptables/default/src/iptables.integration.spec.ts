import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { iptablesVariants, labSupport, type IptablesVariant } from '@podwright/lab';
import { createMemoryLogger } from '@podwright/logging';
import { runProgram, type RunProgram } from '@podwright/program';
import { createSystemClock, eventually } from '@podwright/time';
import type { IptablesRules } from './iptables-rules.js';
import { createIptablesRules } from './iptables-rules.module.js';

const support = labSupport();

(support.ok ? describe : describe.skip)(
  `the rules in a network${support.ok ? '' : ` (skipped: ${support.reason})`}`,
  () => {
    let dir: string;
    let variants: readonly IptablesVariant[];
    let holder: ChildProcess;
    let rules: IptablesRules | undefined;

    beforeAll(async () => {
      dir = await mkdtemp(path.join(os.tmpdir(), 'podwright-iptables-'));
      variants = await iptablesVariants(dir);
    });
    afterAll(() => rm(dir, { recursive: true, force: true }));
    beforeEach(async () => {
      holder = spawn('unshare', ['--net', 'sh', '-c', 'echo ready; exec sleep 1000000'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise((resolve) => holder.stdout?.once('data', resolve));
    });
    afterEach(async () => {
      await rules?.stop();
      holder.kill('SIGKILL');
    });

    /** Runs a program of the variant in the network that {@link holder} keeps. */
    const inNetwork =
      ({ env }: IptablesVariant): RunProgram =>
      ({ file, args }, signal) =>
        runProgram({ file: 'nsenter', args: [`--net=/proc/${holder.pid}/ns/net`, '--', file, ...args], env }, signal);

    it.each(['nft', 'legacy'] as const)('are made by iptables (%s), and again after a flush', async (name) => {
      const variant = variants.find((candidate) => candidate.name === name);
      if (variant === undefined) {
        // The kernel or the machine lacks one of the two; the other one is tested.
        expect(variants.length).toBeGreaterThan(0);
        return;
      }
      const run = inNetwork(variant);
      const rulesOf = async (program: string, table: string): Promise<readonly string[]> => {
        const { problem, stdout, stderr } = await run({ file: program, args: ['-t', table, '-S'] });
        if (problem !== undefined) throw new Error(`${program} -t ${table} -S: ${problem}: ${stderr}`);
        return stdout.trim().split('\n');
      };
      const logger = createMemoryLogger();
      rules = createIptablesRules({ clock: createSystemClock(), logger, run }, { canaryPeriodMs: 100 });
      await rules.start();
      const drop =
        /^-A KUBE-FIREWALL ! -s 127\.0\.0\.0\/8 -d 127\.0\.0\.0\/8 .*"block incoming localnet connections".* -j DROP$/;
      const missing = async (): Promise<readonly string[]> => {
        const wanted: readonly (readonly [program: string, table: string, rules: readonly (string | RegExp)[]])[] = [
          [
            ...(['iptables', 'filter'] as const),
            ['-N KUBE-KUBELET-CANARY', '-A INPUT -j KUBE-FIREWALL', '-A OUTPUT -j KUBE-FIREWALL', drop],
          ],
          ...['iptables', 'ip6tables'].flatMap((program) => [
            [program, 'mangle', ['-N KUBE-IPTABLES-HINT']] as const,
            [program, 'nat', ['-N KUBE-KUBELET-CANARY']] as const,
          ]),
        ];
        const lists = wanted.map(async ([program, table, expected]) => {
          const there = await rulesOf(program, table);
          const has = (rule: string | RegExp): boolean =>
            there.some((line) => (typeof rule === 'string' ? line === rule : rule.test(line)));
          return expected.filter((rule) => !has(rule)).map((rule) => `${program} ${table} ${rule}`);
        });
        return (await Promise.all(lists)).flat();
      };
      const untilMade = async (): Promise<void> => {
        // The comparison after it fails with the names of what is missing.
        await eventually(async () => (await missing()).length === 0).catch(() => undefined);
        expect(await missing()).toEqual([]);
      };
      await untilMade();

      for (const table of ['mangle', 'nat', 'filter']) {
        for (const operation of ['-F', '-X'])
          await run({ file: 'iptables', args: ['-w', '5', '-t', table, operation] });
      }
      await untilMade();
      expect(await rulesOf('ip6tables', 'filter')).not.toContain('-N KUBE-FIREWALL');
      expect(logger.messages('error')).toEqual([]);
      expect(logger.messages()).toContain('Reloading after iptables flush');
    });
  },
);
