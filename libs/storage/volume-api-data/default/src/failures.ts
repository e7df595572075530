import { KubeletError, messageOf } from '@podwright/errors';

/**
 * Collects several failures without duplicate texts and formats them as Go's aggregate; a single one is shown as it is.
 */
export class Failures {
  private readonly texts = new Set<string>();
  private first: unknown;

  /** Adds the parts of an aggregate one by one. */
  add(error: unknown): void {
    this.first ??= error;
    const texts = error instanceof AggregatedError ? error.texts : [messageOf(error)];
    for (const text of texts) this.texts.add(text);
  }

  throwIfAny(): void {
    if (this.texts.size > 0) throw new AggregatedError([...this.texts], this.first);
  }
}

class AggregatedError extends KubeletError {
  constructor(
    readonly texts: readonly string[],
    first: unknown,
  ) {
    const message = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`;
    super(message, { code: texts.length === 1 ? KubeletError.from(first).code : 'failed-precondition', cause: first });
  }
}
