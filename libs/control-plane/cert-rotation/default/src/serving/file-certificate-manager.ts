import { readFile, stat } from 'node:fs/promises';
import type { Health } from '@podwright/assembly-interface';
import type { CertificateManager, CertificatePair } from '@podwright/cert-rotation-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { watchFile } from '@podwright/filesystem';
import { TroubleLog, type Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { readPair } from '../store/stored-pair.js';
import type { PairFiles } from './self-signed-pair.js';

const settleMs = 200;

export interface FileCertificateManagerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface FileCertificateManagerOptions extends PairFiles {
  /** How often the files are looked at, in milliseconds; 0: at the start only. */
  readonly pollMs: number;
}

/**
 * {@link CertificateManager} of two files that somebody else keeps fresh. A pair that cannot be used, as while it is being
 * written, leaves the one before in use. Source: kubernetes v1.36 pkg/kubelet/certificate/kubelet.go
 * NewKubeletServerCertificateDynamicFileManager.
 */
export class FileCertificateManager implements CertificateManager {
  private readonly listeners = new Set<(pair: CertificatePair) => void>();
  private readonly stopping = new AbortController();
  private readonly trouble: TroubleLog;
  private pair: CertificatePair | undefined;
  private fault: string | undefined;
  private seen = '';
  private polling: Promise<void> | undefined;
  private readonly watches: (() => void)[] = [];
  private settling: Promise<void> | undefined;

  constructor(
    private readonly deps: FileCertificateManagerDeps,
    private readonly options: FileCertificateManagerOptions,
  ) {
    this.trouble = new TroubleLog(deps.logger, deps.clock);
  }

  /** Rejects when the files cannot be read or are no pair: a kubelet must not serve without the certificate it was given. */
  async start(): Promise<void> {
    if (this.polling !== undefined || this.stopping.signal.aborted) return;
    await this.look();
    if (this.pair === undefined) throw new KubeletError(this.fault ?? 'no certificate', { code: 'invalid-argument' });
    const { signal } = this.stopping;
    const { pollMs } = this.options;
    this.polling = pollMs === 0 ? Promise.resolve() : this.deps.clock.every(pollMs, () => this.look(), signal);
    if (pollMs !== 0) this.watchFiles();
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the certificate manager was stopped', { code: 'cancelled' }));
    for (const close of this.watches.splice(0)) close();
    await Promise.all([this.polling, this.settling]);
  }

  /** Also an expired one: whoever gave it must replace it. */
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

  /** Where watching fails, looking at intervals remains. */
  private watchFiles(): void {
    const { certFile, keyFile } = this.options;
    const failed = (error: unknown): void =>
      this.deps.logger.debug(2, 'the serving certificate is looked at, not watched', { certFile, keyFile, error });
    for (const file of [certFile, keyFile]) {
      try {
        this.watches.push(watchFile(file, () => this.changed(), failed));
      } catch (error) {
        failed(error);
      }
    }
  }

  /** The two files are written one after the other: a look in between would find no pair. */
  private changed(): void {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    const settle = async (): Promise<void> => {
      await this.deps.clock.sleep(settleMs, signal).catch(() => undefined);
      this.settling = undefined;
      if (!signal.aborted) await this.look();
    };
    this.settling ??= settle();
  }

  private async look(): Promise<void> {
    const { certFile, keyFile } = this.options;
    try {
      const stamp = `${await fileStamp(certFile)} ${await fileStamp(keyFile)}`;
      if (stamp === this.seen && this.fault === undefined) return;
      const pair = readPair(await readFile(certFile, 'utf8'), await readFile(keyFile, 'utf8'));
      this.seen = stamp;
      this.fault = undefined;
      this.trouble.over('The serving certificate and key can be used again', { certFile, keyFile });
      if (pair.certificate !== this.pair?.certificate || pair.privateKey !== this.pair.privateKey) this.adopt(pair);
    } catch (error) {
      this.fault = `invalid certificate and key pair from file ${certFile} and ${keyFile}: ${messageOf(error)}`;
      this.trouble.failed('pair', 'invalid certificate and key pair from file', { certFile, keyFile, error });
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
