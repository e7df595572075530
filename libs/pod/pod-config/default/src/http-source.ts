import { withDeadline } from '@podwright/concurrency';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Journal } from '@podwright/journal-interface';
import type { Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { PodSourceReader } from '@podwright/pod-config-interface';
import type { Clock } from '@podwright/time';
import type { HttpGet } from './http-get.js';
import { maxConfigBytes } from './manifest-file.js';
import type { StaticPodReader } from './static-pod-reader.js';

export interface HttpSourceOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly checkFrequencyMs: number;
}

export interface HttpSourceDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reader: StaticPodReader;
  readonly journal?: Journal | undefined;
  readonly get: HttpGet;
}

const timeoutMs = 10_000;

/** Static pods from a URL. An unusable answer changes nothing. Source: kubernetes v1.36 pkg/kubelet/config/http.go. */
export class HttpSource implements PodSourceReader {
  readonly source = 'http' as const;
  private readonly stopping = new AbortController();
  private loop: Promise<void> = Promise.resolve();
  private lastBody: Buffer | undefined;
  private lastProblem = '';

  constructor(
    private readonly deps: HttpSourceDeps,
    private readonly options: HttpSourceOptions,
  ) {}

  async open(deliver: (pods: readonly Pod[]) => void): Promise<void> {
    this.loop = this.deps.clock.every(this.options.checkFrequencyMs, () => this.poll(deliver), this.stopping.signal);
  }

  async close(): Promise<void> {
    this.stopping.abort(new KubeletError('pod source is stopping', { code: 'cancelled' }));
    await this.loop;
  }

  private async poll(deliver: (pods: readonly Pod[]) => void): Promise<void> {
    try {
      await this.read(deliver);
      this.settled();
    } catch (error) {
      const problem = messageOf(error);
      if (this.stopping.signal.aborted || problem === this.lastProblem) return;
      this.lastProblem = problem;
      this.deps.logger.error(`static pods cannot be read from their URL: ${problem}`);
      const { url: origin } = this.options;
      this.deps.journal?.report({ kind: 'manifest.refused', source: this.source, origin, error: problem });
    }
  }

  private settled(): void {
    if (this.lastProblem === '') return;
    this.lastProblem = '';
    const { url: origin } = this.options;
    this.deps.journal?.report({ kind: 'manifest.settled', source: this.source, origin, outcome: 'accepted' });
  }

  private async read(deliver: (pods: readonly Pod[]) => void): Promise<void> {
    const { url, headers } = this.options;
    const { status, statusText, body } = await withDeadline(
      this.deps.clock,
      timeoutMs,
      (signal) => this.deps.get(url, { headers, maxBytes: maxConfigBytes, signal }),
      this.stopping.signal,
    ).catch((error: unknown) => {
      throw new KubeletError(`${url}: ${messageOf(error)}`, { code: 'unavailable', cause: error });
    });
    if (status !== 200) throw new KubeletError(`${url}: ${status} ${statusText}`, { code: 'unavailable' });
    if (this.lastBody !== undefined && body.equals(this.lastBody)) {
      if (body.length > 0) return;
      throw new KubeletError(this.emptyText(), { code: 'unavailable' });
    }
    this.lastBody = body;
    if (body.length === 0) {
      deliver([]); // the source counts as ready, its pods are removed
      throw new KubeletError(this.emptyText(), { code: 'unavailable' });
    }
    deliver(this.deps.reader.readList(body, url));
  }

  private emptyText(): string {
    return `zero-length data received from ${this.options.url}`;
  }
}
