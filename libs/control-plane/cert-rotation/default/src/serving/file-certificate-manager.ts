import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Health } from '@podwright/assembly-interface';
import type { CertificateManager, CertificatePair } from '@podwright/cert-rotation-interface';
import { serialize } from '@podwright/concurrency';
import { KubeletError, messageOf } from '@podwright/errors';
import { DirectoryWatch } from '@podwright/filesystem';
import { FailureLog, type Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { readPair } from '../store/stored-pair.js';
import type { PairFiles } from './self-signed-pair.js';

// The two files are written one after another: a read in between would find no matching pair.
const settle = { quietMs: 200, mostMs: 200 };

export interface FileCertificateManagerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface FileCertificateManagerOptions extends PairFiles {
  /** Time between two checks of the files, in milliseconds; 0: only read them at the start. */
  readonly pollMs: number;
}

/**
 * {@link CertificateManager} of two files that something else renews. Keeps the previous pair when the files are
 * unusable, for example half-written. Source: kubernetes v1.36 pkg/kubelet/certificate/kubelet.go
 * NewKubeletServerCertificateDynamicFileManager.
 */
export class FileCertificateManager implements CertificateManager {
  private readonly listeners = new Set<(pair: CertificatePair) => void>();
  private readonly stopping = new AbortController();
  private readonly failureLog: FailureLog;
  private pair: CertificatePair | undefined;
  private fault: string | undefined;
  private seen = '';
  private readonly watches: readonly DirectoryWatch[];
  private readonly look = serialize(() => this.renewAndReload());
  private polling: Promise<void> | undefined;

  constructor(
    private readonly deps: FileCertificateManagerDeps,
    private readonly options: FileCertificateManagerOptions,
  ) {
    this.failureLog = new FailureLog(deps.logger, deps.clock);
    const { certFile, keyFile } = options;
    const files = [certFile, keyFile];
    this.watches = [...new Set(files.map((file) => path.dirname(file)))].map(
      (directory) =>
        new DirectoryWatch(deps, {
          ...{ directory, settle },
          only: files.map((file) => path.basename(file)),
          onChange: () => void this.look(),
          onLost: (error) =>
            deps.logger.debug(2, 'the serving certificate is polled, not watched', { certFile, keyFile, error }),
        }),
    );
  }

  /**
   * Rejects when the files cannot be read or do not match: a kubelet must not serve without its configured certificate.
   */
  async start(): Promise<void> {
    if (this.polling !== undefined || this.stopping.signal.aborted) return;
    await this.reload();
    if (this.pair === undefined) throw new KubeletError(this.fault ?? 'no certificate', { code: 'invalid-argument' });
    const { signal } = this.stopping;
    const { pollMs } = this.options;
    this.polling = pollMs === 0 ? Promise.resolve() : this.deps.clock.every(pollMs, () => this.look(), signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the certificate manager was stopped', { code: 'cancelled' }));
    for (const watch of this.watches) watch.close();
    await this.polling;
    // Wait for a reload in progress.
    await this.look();
  }

  /** Also returns an expired pair: whoever provides the files must replace it. */
  current(): CertificatePair | undefined {
    return this.pair;
  }

  watch(listener: (pair: CertificatePair) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  waitingFor(): string | undefined {
    return this.fault;
  }

  healthy(): Health {
    return this.pair === undefined ? { ok: false, reason: this.fault ?? 'the files were not read yet' } : { ok: true };
  }

  /** Without a working watch, the poll still finds changes. */
  private async renewAndReload(): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    for (const watch of this.watches) await watch.renew();
    if (!signal.aborted) await this.reload();
  }

  private async reload(): Promise<void> {
    const { certFile, keyFile } = this.options;
    try {
      const stamp = `${await fileStamp(certFile)} ${await fileStamp(keyFile)}`;
      if (stamp === this.seen && this.fault === undefined) return;
      const pair = readPair(await readFile(certFile, 'utf8'), await readFile(keyFile, 'utf8'));
      this.seen = stamp;
      this.fault = undefined;
      this.failureLog.over('The serving certificate and key can be used again', { certFile, keyFile });
      if (pair.certificate !== this.pair?.certificate || pair.privateKey !== this.pair.privateKey) this.adopt(pair);
    } catch (error) {
      this.fault = `invalid certificate and key pair from file ${certFile} and ${keyFile}: ${messageOf(error)}`;
      this.failureLog.failed('pair', 'invalid certificate and key pair from file', { certFile, keyFile, error });
    }
  }

  private adopt({ certificate, privateKey, notBeforeMs, notAfterMs }: CertificatePair): void {
    const pair = { certificate, privateKey, notBeforeMs, notAfterMs };
    this.pair = pair;
    const { certFile, keyFile } = this.options;
    this.deps.logger.debug(4, 'loaded certificate and key pair in kubelet server certificate manager', {
      certFile,
      keyFile,
    });
    for (const listener of [...this.listeners]) listener(pair);
  }
}

async function fileStamp(file: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(file);
  return `${ino}:${size}:${mtimeMs}`;
}
