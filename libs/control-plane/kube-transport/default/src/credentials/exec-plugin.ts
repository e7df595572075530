import { isMissing, messageOf } from '@podwright/errors';
import type { Kubeconfig, KubeconfigExec } from '@podwright/kubeconfig';
import type { Logger } from '@podwright/logging';
import { endStrayPrograms, runMarkedProgram, type ProgramRun } from '@podwright/program';
import type { Clock } from '@podwright/time';
import { readSource } from './credential-source.js';
import { credentialsFault } from '@podwright/kube-client-interface';
import { execInfo, parseExecCredential } from './exec-credential.js';
import type { ExecCredential } from './exec-credential.js';
import type { ExecPluginMetrics } from './exec-plugin-metrics.js';

export interface ExecPluginDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ExecPluginMetrics;
  /** Environment of the process; the plugin's own variables override it. */
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Called when the plugin has returned another certificate; connections with the old one must be closed. */
  readonly onRotated: () => void;
}

// Do not run a failing plugin again for each of a hundred waiting requests.
const failureKeptMs = 1_000;
const mostLoggedText = 2_000;

/**
 * Credentials from a program, cached until they expire or the server refuses them; one run at a time, shared by all
 * callers. Source: kubernetes v1.36 client-go/plugin/pkg/client/auth/exec/exec.go.
 */
export class ExecPlugin {
  private known: ExecCredential | undefined;
  private running: Promise<ExecCredential> | undefined;
  private endedStrays: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private saidFailure = '';
  private failed: { readonly atMs: number; readonly error: Error } | undefined;

  constructor(
    private readonly kubeconfig: Kubeconfig,
    private readonly exec: KubeconfigExec,
    private readonly deps: ExecPluginDeps,
  ) {}

  /** Rejects with `unavailable` and upstream's text, including the install hint when the program does not exist. */
  async current(): Promise<ExecCredential> {
    const known = this.known;
    if (known !== undefined && !(this.deps.clock.now() > (known.expiresAtMs ?? Number.POSITIVE_INFINITY))) return known;
    const { failed } = this;
    if (failed !== undefined && this.deps.clock.monotonic() - failed.atMs < failureKeptMs) throw failed.error;
    return this.refresh();
  }

  /** Stops a running plugin. */
  stop(): void {
    this.stopping.abort();
  }

  /** The server refused the credential: runs the plugin again, unless that has happened since. Never rejects. */
  async refused(credential: ExecCredential): Promise<void> {
    if (credential !== this.known) return;
    try {
      await this.refresh();
    } catch (error) {
      this.deps.logger.error('refreshing credentials failed', { error });
    }
  }

  private refresh(): Promise<ExecCredential> {
    this.running ??= this.run().finally(() => (this.running = undefined));
    return this.running;
  }

  private async run(): Promise<ExecCredential> {
    try {
      if (this.exec.interactiveMode === 'Always') {
        throw new Error('exec plugin cannot support interactive mode: standard input is not a terminal');
      }
      const credential = await this.ask();
      const before = this.known;
      this.known = credential;
      this.failed = undefined;
      this.deps.metrics.known(credential, this.deps.clock.now());
      if (before !== undefined && before.pair?.certificate !== credential.pair?.certificate) this.deps.onRotated();
      return credential;
    } catch (cause) {
      const error = credentialsFault(`getting credentials: ${messageOf(cause)}`, cause);
      this.failed = { atMs: this.deps.clock.monotonic(), error };
      throw error;
    }
  }

  private async ask(): Promise<ExecCredential> {
    const { clock, logger, metrics, timeoutMs } = this.deps;
    // Not awaited: nobody needs to wait for that, and it never rejects.
    this.endedStrays ??= endStrayPrograms(logger);
    const { cluster } = this.kubeconfig;
    const authority =
      cluster.certificateAuthority === undefined ? undefined : await readSource(cluster.certificateAuthority);
    const env = {
      ...this.deps.environment,
      ...Object.fromEntries(this.exec.env.map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: execInfo(this.kubeconfig, this.exec, authority),
    };
    const deadline = clock.deadline(timeoutMs, this.stopping.signal);
    const { command: file, args } = this.exec;
    const run = await runMarkedProgram({ file, args, env }, deadline.signal).finally(() => deadline.dispose());
    this.logOutput(run);
    metrics.called(run.end);
    if (run.problem !== undefined) throw new Error(this.wordsFor(run));
    return parseExecCredential(run.stdout, this.exec.apiVersion);
  }

  /** Logs the plugin's stderr; upstream passes it to the kubelet's own. */
  private logOutput({ problem, stderr }: ProgramRun): void {
    const text = stderr.trim().slice(0, mostLoggedText);
    if (problem === undefined) this.saidFailure = '';
    if (text === '') return;
    const fields = { command: this.exec.command, stderr: text };
    if (problem === undefined) this.deps.logger.info('credential plugin wrote to its standard error', fields);
    // Log once per failure, not per run: waiting requests cause many runs.
    else if (text === this.saidFailure) this.deps.logger.debug(2, 'credential plugin failed', fields);
    else this.deps.logger.error('credential plugin failed', fields);
    if (problem !== undefined) this.saidFailure = text;
  }

  private wordsFor({ end, problem }: ProgramRun): string {
    const { command } = this.exec;
    switch (end.how) {
      case 'exited':
        return `exec: executable ${command} failed with exit code ${end.code}`;
      case 'killed':
        return `exec: executable ${command} failed with exit code -1`;
      case 'aborted':
        return `exec: executable ${command} did not end in time`;
      default:
        return end.how === 'not-started' && isMissing(end.error) ? this.notInstalled() : `exec: ${problem}`;
    }
  }

  private notInstalled(): string {
    const hint = this.exec.installHint === '' ? '' : `\n\n${printable(this.exec.installHint)}`;
    return `exec: executable ${this.exec.command} not found\n\nIt looks like you are trying to use a client-go credential plugin that is not installed.\n\nTo learn more about this feature, consult the documentation available at:\n      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins${hint}`;
  }
}

/** Removes control characters: a hint must not control the terminal that shows it. */
function printable(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\t-\r]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `U+${code}`;
  });
}
