import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import type { ProgramRun, RunProgram } from '@podwright/program';
import { VirtualClock } from '@podwright/time';
import { createIptablesRules } from './iptables-rules.module.js';

const ended = (code: number, stdout = ''): ProgramRun => ({
  end: { how: 'exited', code },
  problem: code === 0 ? undefined : `exit status ${code}`,
  stdout,
  stderr: '',
});

/** Tables in memory: what `iptables` and `ip6tables` would do with the calls of the kubelet. */
function setUp({ version = 'v1.8.9', programs = ['iptables', 'ip6tables'] } = {}) {
  const clock = new VirtualClock();
  const logger = createMemoryLogger();
  const calls: string[] = [];
  const entries = new Set<string>();
  const faults = new Map<string, number>();
  const run: RunProgram = async ({ file, args }) => {
    if (!programs.includes(file)) {
      return { ...ended(1), end: { how: 'not-started', error: 'no such file' }, problem: 'not found' };
    }
    if (args[0] === '--version') return ended(0, `${file} ${version} (nf_tables)\n`);
    const [operation = '', chain = '', , table = '', ...rule] = args.filter((word) => word !== '-w' && word !== '5');
    const call = `${file} ${operation} ${table} ${chain}`;
    calls.push(`${file} ${args.join(' ')}`);
    const fault = faults.get(call);
    if (fault !== undefined) return ended(fault, 'broken\n');
    const key = [file, table, chain, ...rule].join(' ');
    if (operation === '-N' && entries.has(key)) return ended(1);
    if (operation === '-N' || operation === '-I' || operation === '-A') entries.add(key);
    return ended(chain === 'POSTROUTING' || entries.has(key) ? 0 : 1);
  };
  const rules = createIptablesRules({ clock, logger, run });
  return { clock, logger, calls, entries, faults, rules };
}

const canaries = ['mangle', 'nat', 'filter'].map((table) => `${table} KUBE-KUBELET-CANARY`);
const ofIpv6 = ['mangle KUBE-IPTABLES-HINT', ...canaries].map((entry) => `ip6tables ${entry}`);
const ofIpv4 = [
  'mangle KUBE-IPTABLES-HINT',
  'filter KUBE-FIREWALL',
  'filter OUTPUT -j KUBE-FIREWALL',
  'filter INPUT -j KUBE-FIREWALL',
  'filter KUBE-FIREWALL -m comment --comment block incoming localnet connections --dst 127.0.0.0/8 ! --src 127.0.0.0/8 -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP',
  ...canaries,
].map((entry) => `iptables ${entry}`);

describe('IptablesRules', () => {
  it("makes upstream's chains and rules for both families, in its order", async () => {
    const { clock, calls, entries, rules, logger } = setUp();
    await rules.start();
    await clock.advance(0);
    expect([...entries].filter((entry) => entry.startsWith('iptables'))).toEqual(ofIpv4);
    expect([...entries].filter((entry) => entry.startsWith('ip6tables'))).toEqual(ofIpv6);
    expect(calls).toContain('iptables -w 5 -I OUTPUT -t filter -j KUBE-FIREWALL');
    expect(calls).toContain('iptables -w 5 -N KUBE-IPTABLES-HINT -t mangle');
    expect(logger.messages()).toEqual(['Initialized iptables rules.', 'Initialized iptables rules.']);
    await rules.stop();
    await rules.stop();
    expect(entries.size).toBe(ofIpv4.length + ofIpv6.length);
  });

  it('changes nothing that is there already', async () => {
    const { clock, calls, entries, rules } = setUp();
    for (const entry of [...ofIpv4, ...ofIpv6]) entries.add(entry);
    await rules.start();
    await clock.advance(0);
    expect(calls.filter((call) => / -[IA] /.test(call))).toEqual([]);
    await rules.stop();
  });

  it('makes them again within a minute after another program has flushed them', async () => {
    const { clock, entries, rules } = setUp();
    await rules.start();
    await clock.advance(0);
    const made = [...entries];
    entries.clear();
    await clock.advance(60_000);
    expect([...entries].sort()).toEqual(made.sort());
    await rules.stop();
  });

  it('does not take a lock that it did not get for a flush', async () => {
    const { clock, faults, rules, logger } = setUp();
    await rules.start();
    await clock.advance(0);
    faults.set('iptables -S mangle KUBE-KUBELET-CANARY', 4);
    await clock.advance(60_000);
    expect(logger.messages('error')).toEqual(['Could not check for iptables canary']);
    expect(logger.messages()).not.toContain('Reloading after iptables flush');
    await rules.stop();
  });

  it('waits at most five seconds for the other tables to be flushed', async () => {
    const { clock, entries, rules, logger } = setUp();
    await rules.start();
    await clock.advance(0);
    entries.delete('iptables mangle KUBE-KUBELET-CANARY');
    await clock.advance(64_900);
    expect(logger.messages()).not.toContain('Reloading after iptables flush');
    await clock.advance(200);
    expect(logger.messages()).toContain('Inconsistent iptables state detected');
    expect(entries).toContain('iptables mangle KUBE-KUBELET-CANARY');
    await rules.stop();
  });

  it('says what failed, and watches only the family that works', async () => {
    const { clock, calls, faults, rules, logger } = setUp();
    faults.set('iptables -I filter OUTPUT', 2);
    await rules.start();
    await clock.advance(0);
    expect(logger.messages()).toEqual([
      'Failed to ensure that OUTPUT chain jumps to KUBE-FIREWALL',
      'Failed to initialize iptables rules; some functionality may be missing.',
      'Initialized iptables rules.',
    ]);
    expect(String(logger.entries[0]?.fields['error'])).toContain('error appending rule: exit status 2: broken');
    expect(calls.filter((call) => call.startsWith('iptables ') && call.includes('CANARY'))).toEqual([]);
    await rules.stop();
  });

  it('says that the machine has no iptables', async () => {
    const { clock, calls, rules, logger } = setUp({ programs: [] });
    await rules.start();
    await clock.advance(120_000);
    expect([calls, logger.messages()]).toEqual([
      [],
      ['No iptables support on this system; not creating the KUBE-IPTABLES-HINT chain'],
    ]);
    await rules.stop();
  });

  it.each([
    ['v1.4.21', 'iptables -w -N KUBE-IPTABLES-HINT -t mangle'],
    ['v1.4.19', 'iptables -N KUBE-IPTABLES-HINT -t mangle'],
  ])('waits for the lock as %s can', async (version, call) => {
    const { clock, calls, rules } = setUp({ version });
    await rules.start();
    await clock.advance(0);
    expect(calls).toContain(call);
    await rules.stop();
  });
});
