import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@podwright/lab';

/** One page to scrape, in one format. */
export interface ScrapeJob {
  readonly name: string;
  /** `127.0.0.1:10255`. */
  readonly target: string;
  readonly path: string;
  /** As in `scrape_protocols`. */
  readonly protocol: 'PrometheusText0.0.4' | 'OpenMetricsText1.0.0' | 'PrometheusProto';
}

export interface ScrapeTarget {
  readonly labels: { readonly job: string };
  readonly health: string;
  readonly lastError: string;
}

/** A Prometheus on loopback that scrapes each job every five seconds. */
export class PrometheusServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly ended: Promise<void>,
    private readonly port: number,
    private readonly logFile: string,
  ) {}

  /** Starts it without waiting until it answers. */
  static async start(program: string, dir: string, jobs: readonly ScrapeJob[]): Promise<PrometheusServer> {
    await mkdir(dir, { recursive: true });
    const configuration = {
      global: { scrape_interval: '5s', scrape_timeout: '5s' },
      scrape_configs: jobs.map(({ name, target, path: metrics_path, protocol }) => ({
        job_name: name,
        metrics_path,
        scrape_protocols: [protocol],
        static_configs: [{ targets: [target] }],
      })),
    };
    const configFile = path.join(dir, 'prometheus.yml');
    await writeFile(configFile, JSON.stringify(configuration)); // JSON is YAML
    const port = await freePort();
    const args = [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${path.join(dir, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const logFile = path.join(dir, 'prometheus.log');
    const log = createWriteStream(logFile);
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    const ended = new Promise<void>((resolve) => child.once('close', () => log.end(resolve)));
    return new PrometheusServer(child, ended, port, logFile);
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  async targets(): Promise<readonly ScrapeTarget[]> {
    const { activeTargets } = (await this.ask('/api/v1/targets')) as { activeTargets: readonly ScrapeTarget[] };
    return activeTargets;
  }

  /** Results of an instant query, by job. */
  async query(expression: string): Promise<Readonly<Record<string, number>>> {
    interface Found {
      readonly result: readonly { readonly metric: { readonly job?: string }; readonly value: [number, string] }[];
    }
    const { result } = (await this.ask(`/api/v1/query?query=${encodeURIComponent(expression)}`)) as Found;
    return Object.fromEntries(result.map(({ metric, value }) => [metric.job ?? '', Number(value[1])]));
  }

  /** Its warnings and errors so far. */
  complaints(): readonly string[] {
    return readFileSync(this.logFile, 'utf8')
      .split('\n')
      .filter((line) => /\blevel=(warn|error)\b/i.test(line));
  }

  private async ask(where: string): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${this.port}${where}`, { signal: AbortSignal.timeout(5_000) });
    const { data, error } = (await answer.json()) as { readonly data?: unknown; readonly error?: string };
    if (error !== undefined) throw new Error(error);
    return data;
  }
}
