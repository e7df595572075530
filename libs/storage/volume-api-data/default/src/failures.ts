import { KubeletError, messageOf } from '@podwright/errors';

/** Several failures of one piece of work, each text once, as Go shows an aggregate; one alone is shown as it is. */
export class Failures {
  private readonly texts = new Set<string>();
  private first: unknown;

  /** Failures that were thrown together count one by one. */
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
