import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { serialize } from '@podwright/concurrency';
import { errnoWords, KubeletError, messageOf } from '@podwright/errors';
import { DirectoryWatch, type WatchDirectory } from '@podwright/filesystem';
import { FailureLog, type Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { pemBlocks, readChainCertificate, type ChainCertificate } from '@podwright/x509';

// Source: kubernetes v1.36 apiserver/pkg/server/dynamiccertificates/dynamic_cafile_content.go, wait.Until(...,
// time.Minute).
const pollMs = 60_000;

export interface ClientCaFileDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: inotify. */
  readonly watchDirectory?: WatchDirectory;
}

export interface ClientCaFileOptions {
  readonly file: string;
  readonly reload: boolean;
}

/**
 * The authorities in a file that something else keeps up to date. Keeps the previous ones when the file is missing,
 * empty or invalid. Source: kubernetes v1.36 apiserver/pkg/server/dynamiccertificates/dynamic_cafile_content.go.
 */
export class ClientCaFile {
  private readonly stopping = new AbortController();
  private readonly fileFailureLog: FailureLog;
  private readonly watchFailureLog: FailureLog;
  private readonly directoryWatch: DirectoryWatch;
  private readonly serialReload = serialize(() => this.reload());
  private lookPending = false;
  private content = '';
  private authorities: readonly ChainCertificate[] = [];
  private polling: Promise<void> = Promise.resolve();

  constructor(
    private readonly deps: ClientCaFileDeps,
    private readonly options: ClientCaFileOptions,
  ) {
    this.fileFailureLog = new FailureLog(deps.logger, deps.clock);
    this.watchFailureLog = new FailureLog(deps.logger, deps.clock);
    this.directoryWatch = new DirectoryWatch(deps, {
      directory: path.dirname(options.file),
      only: [path.basename(options.file)],
      onChange: () => this.changed(),
      onLost: (error) => this.watchFailureLog.failed('watch', 'Failed to watch CA file, will retry later', { error }),
    });
  }

  current(): readonly ChainCertificate[] {
    return this.authorities;
  }

  /** Rejects with `invalid-argument` when the file is unusable: the wrong clients, or none, would be let in. */
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
    this.polling = clock.every(pollMs, () => this.watchAndReload(), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the client CA file is no longer watched', { code: 'cancelled' }));
    this.directoryWatch.close();
    await this.polling;
    // Wait for a reload in progress.
    await this.serialReload();
  }

  /** The poll reads the file regardless of the watch, and renews a watch that has ended. */
  private async watchAndReload(): Promise<void> {
    await this.directoryWatch.renew();
    await this.serialReload();
  }

  /** Queues at most one reload, however many changes there are. */
  private changed(): void {
    if (this.lookPending) return;
    this.lookPending = true;
    void this.serialReload();
  }

  private async reload(): Promise<void> {
    this.lookPending = false;
    if (this.stopping.signal.aborted) return;
    const { file } = this.options;
    try {
      await this.load();
      this.fileFailureLog.over('The client CA file can be used again', { file });
    } catch (error) {
      this.fileFailureLog.failed('file', 'The client CA file cannot be used, the authorities before stay trusted', {
        file,
        error,
      });
    }
  }

  private async load(): Promise<void> {
    const { file } = this.options;
    const name = `client-ca-bundle::${file}`;
    const content = await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new Error(`open ${file}: ${errnoWords(cause)}`, { cause });
    });
    if (content === '') throw new Error(`missing content for CA bundle ${JSON.stringify(name)}`);
    if (content === this.content) return;
    this.authorities = authoritiesIn(content, name);
    this.content = content;
    this.deps.logger.debug(2, 'Loaded a new CA Bundle and Verifier', { name, certificates: this.authorities.length });
  }
}

function authoritiesIn(content: string, name: string): readonly ChainCertificate[] {
  const blocks = pemBlocks(content).filter(({ label }) => label === 'CERTIFICATE');
  const fault = `error loading CA bundle for ${JSON.stringify(name)}`;
  if (blocks.length === 0) throw new Error(`${fault}: data does not contain any valid RSA or ECDSA certificates`);
  try {
    return blocks.map(({ der }) => readChainCertificate(der));
  } catch (cause) {
    throw new Error(`${fault}: ${messageOf(cause)}`, { cause });
  }
}
