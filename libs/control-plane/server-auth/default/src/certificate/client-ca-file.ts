import { readFile } from 'node:fs/promises';
import { serialize } from '@podwright/concurrency';
import { KubeletError, messageOf } from '@podwright/errors';
import type { WatchFile } from '@podwright/filesystem';
import { TroubleLog, type Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { pemBlocks, readChainCertificate, type ChainCertificate } from '@podwright/x509';

// Source: kubernetes v1.36 apiserver/pkg/server/dynamiccertificates/dynamic_cafile_content.go, wait.Until(..., time.Minute).
const pollMs = 60_000;

export interface ClientCaFileDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly watchFile: WatchFile;
}

export interface ClientCaFileOptions {
  readonly file: string;
  readonly reload: boolean;
}

/**
 * The authorities in a file that somebody else keeps fresh. A file that is gone, empty or broken leaves the ones before in
 * use. Source: kubernetes v1.36 apiserver/pkg/server/dynamiccertificates/dynamic_cafile_content.go.
 */
export class ClientCaFile {
  private readonly stopping = new AbortController();
  private readonly fileTrouble: TroubleLog;
  private readonly watchTrouble: TroubleLog;
  private readonly serialLook = serialize(() => this.reload());
  private lookPending = false;
  private content = '';
  private authorities: readonly ChainCertificate[] = [];
  private closeWatch: (() => void) | undefined;
  private polling: Promise<void> = Promise.resolve();

  constructor(
    private readonly deps: ClientCaFileDeps,
    private readonly options: ClientCaFileOptions,
  ) {
    this.fileTrouble = new TroubleLog(deps.logger, deps.clock);
    this.watchTrouble = new TroubleLog(deps.logger, deps.clock);
  }

  current(): readonly ChainCertificate[] {
    return this.authorities;
  }

  /** Rejects with `invalid-argument` when the file cannot be used: nobody would get in, or not who should. */
  async start(): Promise<void> {
    const { file, reload } = this.options;
    try {
      await this.load();
    } catch (cause) {
      const hint =
        'name a PEM file with the certificates of the client authorities in authentication.x509.clientCAFile';
      throw new KubeletError(`${messageOf(cause)}; ${hint}`, { code: 'invalid-argument', cause });
    }
    if (!reload) return;
    this.deps.logger.info('Starting controller', { name: `client-ca-bundle::${file}` });
    const { clock } = this.deps;
    this.polling = clock.every(pollMs, () => this.watchAndLook(), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the client CA file is no longer watched', { code: 'cancelled' }));
    this.closeWatch?.();
    this.closeWatch = undefined;
    await this.polling;
    // What a change began a moment ago.
    await this.serialLook();
  }

  /** The poll looks whatever the watch says, and renews one that has ended. */
  private async watchAndLook(): Promise<void> {
    this.watch();
    await this.serialLook();
  }

  /** One look that has not begun yet is enough, however many changes there are. */
  private changed(): void {
    if (this.lookPending) return;
    this.lookPending = true;
    void this.serialLook();
  }

  private watch(): void {
    if (this.closeWatch !== undefined) return;
    const ended = (error: unknown): void => {
      this.closeWatch?.();
      this.closeWatch = undefined;
      this.watchTrouble.failed('watch', 'Failed to watch CA file, will retry later', { error });
    };
    try {
      this.closeWatch = this.deps.watchFile(this.options.file, () => this.changed(), ended);
    } catch (error) {
      ended(error);
    }
  }

  private async reload(): Promise<void> {
    this.lookPending = false;
    if (this.stopping.signal.aborted) return;
    const { file } = this.options;
    try {
      await this.load();
      this.fileTrouble.over('The client CA file can be used again', { file });
    } catch (error) {
      this.fileTrouble.failed('file', 'The client CA file cannot be used, the authorities before stay trusted', {
        file,
        error,
      });
    }
  }

  private async load(): Promise<void> {
    const { file } = this.options;
    const name = `client-ca-bundle::${file}`;
    const content = await readFile(file, 'utf8');
    if (content === '') throw broken(`missing content for CA bundle ${JSON.stringify(name)}`);
    if (content === this.content) return;
    this.authorities = authoritiesIn(content, name);
    this.content = content;
    this.deps.logger.debug(2, 'Loaded a new CA Bundle and Verifier', { name, certificates: this.authorities.length });
  }
}

function authoritiesIn(content: string, name: string): readonly ChainCertificate[] {
  const blocks = pemBlocks(content).filter(({ label }) => label === 'CERTIFICATE');
  const fault = `error loading CA bundle for ${JSON.stringify(name)}`;
  if (blocks.length === 0) throw broken(`${fault}: data does not contain any valid RSA or ECDSA certificates`);
  try {
    return blocks.map(({ der }) => readChainCertificate(der));
  } catch (cause) {
    throw broken(`${fault}: ${messageOf(cause)}`, cause);
  }
}

function broken(message: string, cause?: unknown): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument', cause });
}
