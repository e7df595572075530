import { readFile } from 'node:fs/promises';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { fileFault } from './credential-source.js';
import { credentialsFault } from '@podwright/kube-client-interface';

/**
 * The token in a file, reread when it is too old or was refused. Keeps the last token while the file cannot be read.
 * Source: kubernetes v1.36 client-go/transport/token_source.go.
 */
export class TokenFile {
  private token: string | undefined;
  private readAtMs = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;
  private lastFault = '';

  constructor(
    private readonly file: string,
    private readonly maxAgeMs: number,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Rejects with `unavailable` when no token was read yet. */
  async current(): Promise<string> {
    if (this.clock.monotonic() - this.readAtMs >= this.maxAgeMs) await this.reload();
    if (this.token !== undefined) return this.token;
    throw credentialsFault(`no token: ${this.lastFault}`);
  }

  /** Reads the file now. Never rejects. */
  reload(): Promise<void> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  /**
   * The server refused a request sent at that time: the next request rereads the file, unless that has happened since.
   */
  refused(sentAtMs: number): void {
    if (this.readAtMs <= sentAtMs) this.readAtMs = Number.NEGATIVE_INFINITY;
  }

  private async read(): Promise<void> {
    const startedAtMs = this.clock.monotonic();
    try {
      const token = (await readFile(this.file, 'utf8')).trim();
      if (token === '') throw new Error(`read empty token from file ${JSON.stringify(this.file)}`);
      this.token = token;
      this.readAtMs = startedAtMs;
      this.lastFault = '';
    } catch (error) {
      const coded = (error as { code?: unknown }).code !== undefined;
      const fault = coded ? fileFault(this.file, error) : (error as Error).message;
      // Log once per fault, not per request.
      if (this.lastFault !== fault && this.token !== undefined) this.logger.error('Unable to rotate token', { error });
      this.lastFault = fault;
    }
  }
}
