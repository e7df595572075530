import { messageOf } from '@podwright/errors';
import type { Kubeconfig, KubeconfigExec } from '@podwright/kubeconfig';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { readSource } from './credential-source.js';
import { credentialsFault } from './credentials-fault.js';
import { execInfo, parseExecCredential } from './exec-credential.js';
import type { ExecCredential } from './exec-credential.js';
import type { ExecPluginMetrics } from './exec-plugin-metrics.js';
import { runPlugin } from './run-plugin.js';
import type { PluginRun } from './run-plugin.js';

export interface ExecPluginDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ExecPluginMetrics;
  /** Of the process; the plugin's own variables come on top. */
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** The plugin gave another certificate than before; connections that show the old one must end. */
  readonly onRotated: () => void;
}

// A plugin that fails is not run for each of a hundred waiting requests.
const failureKeptMs = 1_000;
const mostLoggedText = 2_000;

/**
 * Credentials from a program, kept until they expire or are refused; one run at a time, shared by all who wait. Source: kubernetes
 * v1.36 client-go/plugin/pkg/client/auth/exec/exec.go.
 */
export class ExecPlugin {
  private known: ExecCredential | undefined;
  private running: Promise<ExecCredential> | undefined;
  private readonly stopping = new AbortController();
  private saidFailure = '';
  private failed: { readonly atMs: number; readonly error: Error } | undefined;

  constructor(
    private readonly kubeconfig: Kubeconfig,
    private readonly exec: KubeconfigExec,
    private readonly deps: ExecPluginDeps,
  ) {}

  /** Rejects with `unavailable`, in upstream's words, with the install hint when there is no such program. */
  async current(): Promise<ExecCredential> {
    const known = this.known;
    if (known !== undefined && !(this.deps.clock.now() > (known.expiresAtMs ?? Number.POSITIVE_INFINITY))) return known;
    const { failed } = this;
    if (failed !== undefined && this.deps.clock.monotonic() - failed.atMs < failureKeptMs) throw failed.error;
    return this.refresh();
  }

  /** A plugin that runs is ended. */
  stop(): void {
    this.stopping.abort();
  }

  /** The server refused these: the plugin runs again, unless it has done so since. Never rejects. */
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
    const { clock, metrics, timeoutMs } = this.deps;
    const { cluster } = this.kubeconfig;
    const authority =
      cluster.certificateAuthority === undefined ? undefined : await readSource(cluster.certificateAuthority);
    const env = {
      ...this.deps.environment,
      ...Object.fromEntries(this.exec.env.map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: execInfo(this.kubeconfig, this.exec, authority),
    };
    const deadline = clock.deadline(timeoutMs, this.stopping.signal);
    const run = await runPlugin(this.exec.command, this.exec.args, env, deadline.signal).finally(() =>
      deadline.dispose(),
    );
    this.logOutput(run);
    metrics.called(run);
    if (!run.ok) throw new Error(run.kind === 'not-found' ? this.notInstalled(run.text) : run.text);
    return parseExecCredential(run.stdout, this.exec.apiVersion);
  }

  /** Upstream lets the plugin write to the kubelet's own standard error. */
  private logOutput(run: PluginRun): void {
    const text = run.stderr.trim().slice(0, mostLoggedText);
    if (run.ok) this.saidFailure = '';
    if (text === '') return;
    const fields = { command: this.exec.command, stderr: text };
    if (run.ok) this.deps.logger.info('credential plugin wrote to its standard error', fields);
    // Once per failure, not per run: waiting requests run it again and again.
    else if (text === this.saidFailure) this.deps.logger.debug(2, 'credential plugin failed', fields);
    else this.deps.logger.error('credential plugin failed', fields);
    if (!run.ok) this.saidFailure = text;
  }

  private notInstalled(text: string): string {
    const hint = this.exec.installHint === '' ? '' : `\n\n${printable(this.exec.installHint)}`;
    return `${text}\n\nIt looks like you are trying to use a client-go credential plugin that is not installed.\n\nTo learn more about this feature, consult the documentation available at:\n      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins${hint}`;
  }
}

/** A hint must not steer the terminal on which it is read. */
function printable(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\t-\r]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `U+${code}`;
  });
}
