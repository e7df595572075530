import path from 'node:path';
import { messageOf } from '@podwright/errors';
import { readPlainFile } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { parseDockerConfig, type DockerConfig, type DockerConfigFormat } from './docker-config.js';

/** Folders that may hold the node's own configuration. */
export interface NodeDockerConfigFolders {
  readonly rootDir: string;
  readonly workingDir: string;
  /** Empty when `$HOME` is not set; the working directory takes its place. */
  readonly homeDir: string;
  readonly topDir: string;
}

export interface NodeDockerConfigDeps {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
}

/** How long the files stay cached; upstream's value. */
const lifetimeMs = 300_000;
const mostBytes = 10 * 1024 * 1024;

/**
 * The credentials that every pod of the node may use: the first `config.json` that can be read, else the first
 * `.dockercfg`. Logs and skips a file that exists but cannot be read. Source: kubernetes v1.36
 * pkg/credentialprovider/{config,provider}.go.
 */
export class NodeDockerConfig {
  private readonly files: readonly (readonly [file: string, format: DockerConfigFormat])[];
  private readAt: number | undefined;
  private config: Promise<DockerConfig> = Promise.resolve([]);

  constructor(
    private readonly deps: NodeDockerConfigDeps,
    { rootDir, workingDir, homeDir, topDir }: NodeDockerConfigFolders,
  ) {
    const home = homeDir === '' ? workingDir : homeDir;
    const json = [rootDir, workingDir, path.join(home, '.docker'), path.join(topDir, '.docker')];
    this.files = [
      ...json.map((folder) => [path.resolve(folder, 'config.json'), 'config.json'] as const),
      ...[rootDir, workingDir, home, topDir].map(
        (folder) => [path.resolve(folder, '.dockercfg'), '.dockercfg'] as const,
      ),
    ];
  }

  /** Empty when there is none. Never rejects. */
  read(): Promise<DockerConfig> {
    const nowMs = this.deps.clock.monotonic();
    if (this.readAt === undefined || nowMs - this.readAt >= lifetimeMs) {
      this.readAt = nowMs;
      this.config = this.readFirst();
    }
    return this.config;
  }

  private async readFirst(): Promise<DockerConfig> {
    for (const [file, format] of this.files) {
      try {
        const config = parseDockerConfig(await readPlainFile(file, mostBytes, 'it'), format, file);
        this.deps.logger.debug(4, 'found registry credentials of the node', { file });
        return config;
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (code === 'ENOENT' || code === 'ENOTDIR') continue;
        this.deps.logger.warn('a file with registry credentials of the node cannot be used', {
          file,
          reason: messageOf(error),
        });
      }
    }
    return [];
  }
}
