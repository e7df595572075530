import { KubeletError } from '@podwright/errors';
import type { ProgramRun, RunProgram } from '@podwright/program';
import type { Clock } from '@podwright/time';

export type Protocol = 'IPv4' | 'IPv6';

/** Upstream's limit for the check of a rule; here it is the limit of every call. */
const callTimeoutMs = 300_000;
/** What iptables exits with when the chain or rule is not there, or is there already. */
const refused = 1;
/** What it exits with when it did not get its lock in time. */
const resourceProblem = 4;

export interface IptablesDeps {
  readonly run: RunProgram;
  readonly clock: Pick<Clock, 'deadline'>;
}

/** Calls of iptables(8) or ip6tables(8). Source: kubernetes v1.36 pkg/util/iptables/iptables.go. */
export class Iptables {
  private constructor(
    readonly protocol: Protocol,
    private readonly deps: IptablesDeps,
    private readonly waitArgs: readonly string[],
  ) {}

  /** Undefined when the machine has no such program, or the kernel no such tables. */
  static async open(protocol: Protocol, deps: IptablesDeps, signal: AbortSignal): Promise<Iptables | undefined> {
    const { problem, stdout } = await new Iptables(protocol, deps, []).call(['--version'], signal);
    const opened = new Iptables(protocol, deps, problem === undefined ? waitArgs(stdout) : []);
    const { problem: absent } = await opened.call(['-S', 'POSTROUTING', '-t', 'nat'], signal);
    return absent === undefined ? opened : undefined;
  }

  async ensureChain(table: string, chain: string, signal: AbortSignal): Promise<void> {
    const made = await this.change('-N', chain, table, [], signal);
    if (made.problem !== undefined && !exitedWith(made, refused)) {
      throw failed(`error creating chain ${JSON.stringify(chain)}`, made);
    }
  }

  /** `position`: `-I` puts a new rule first, `-A` last. */
  async ensureRule(
    position: '-I' | '-A',
    { table, chain, rule }: { readonly table: string; readonly chain: string; readonly rule: readonly string[] },
    signal: AbortSignal,
  ): Promise<void> {
    const found = await this.change('-C', chain, table, rule, signal);
    if (found.problem === undefined) return;
    if (!exitedWith(found, refused)) throw failed('error checking rule', found);
    const made = await this.change(position, chain, table, rule, signal);
    if (made.problem !== undefined) throw failed('error appending rule', made);
  }

  /** Throws when iptables did not get its lock, so that nobody knows. */
  async hasChain(table: string, chain: string, signal: AbortSignal): Promise<boolean> {
    const listed = await this.change('-S', chain, table, [], signal);
    if (listed.problem === undefined) return true;
    if (exitedWith(listed, resourceProblem)) {
      throw failed(`error listing chain ${JSON.stringify(chain)} in table ${JSON.stringify(table)}`, listed);
    }
    return false;
  }

  private change(
    operation: string,
    chain: string,
    table: string,
    rule: readonly string[],
    signal: AbortSignal,
  ): Promise<ProgramRun> {
    return this.call([...this.waitArgs, operation, chain, '-t', table, ...rule], signal);
  }

  private async call(args: readonly string[], signal: AbortSignal): Promise<ProgramRun> {
    const limit = this.deps.clock.deadline(callTimeoutMs, signal);
    try {
      const result = await this.deps.run(
        { file: this.protocol === 'IPv6' ? 'ip6tables' : 'iptables', args },
        limit.signal,
      );
      signal.throwIfAborted();
      return result;
    } finally {
      limit.dispose();
    }
  }
}

/** Versions before 1.4.22 do not know how long to wait for the lock, those before 1.4.20 do not wait. */
function waitArgs(versionText: string): readonly string[] {
  const [, text = ''] = /v(\d+(?:\.\d+)+)/.exec(versionText) ?? [];
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number);
  const version = (major * 1000 + minor) * 1000 + patch;
  if (version >= 1_004_022) return ['-w', '5'];
  return version >= 1_004_020 ? ['-w'] : [];
}

const exitedWith = ({ end }: ProgramRun, code: number): boolean => end.how === 'exited' && end.code === code;

const failed = (what: string, { problem = '', stdout, stderr }: ProgramRun): KubeletError =>
  new KubeletError(`${what}: ${problem}: ${stdout}${stderr}`.trimEnd(), { code: 'unavailable' });
