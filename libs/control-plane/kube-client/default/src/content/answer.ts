import type { ContentFormat } from './content-format.js';

/** The body of an answer, and how objects in it are written. */
export interface Answer {
  readonly body: Buffer;
  readonly format: ContentFormat;
}
