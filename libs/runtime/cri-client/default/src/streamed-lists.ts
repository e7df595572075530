import { hasCode } from '@podwright/errors';
import type { Logger } from '@podwright/logging';

/** A list in one answer, and the same list as a stream. */
export interface ListCalls<Answer, Part> {
  /** Names of the two calls. */
  readonly names: readonly [list: string, stream: string];
  readonly list: () => Promise<Answer>;
  readonly stream: () => AsyncIterable<Part>;
  readonly join: (parts: readonly Part[]) => Answer;
}

/**
 * Asks for the lists of one service as streams, until the runtime says that it has no such call; then in one answer,
 * for good. A stream that breaks is no list. Source: kubernetes v1.36 cri-client/pkg/remote_runtime.go
 * streamPodSandboxesV1, remote_image.go streamImagesV1.
 */
export class StreamedLists {
  constructor(
    private usable: boolean,
    private readonly logger: Logger,
  ) {}

  async get<Answer, Part>({ names, list, stream, join }: ListCalls<Answer, Part>): Promise<Answer> {
    if (!this.usable) return list();
    const parts: Part[] = [];
    try {
      for await (const part of stream()) parts.push(part);
    } catch (error) {
      if (!hasCode(error, 'unimplemented')) throw error;
      this.logger.info(`${names[1]} not implemented, falling back to ${names[0]}`);
      this.usable = false;
      return list();
    }
    return join(parts);
  }
}
