import type { FindEventEnd } from './split-events.js';

/** A list whose items are decoded one by one. */
export interface OpenedList {
  /** The list without its items. */
  readonly envelope: unknown;
  /** Each with the bytes of the answer that were read so far; 0 when all were at once. */
  readonly items: Iterable<readonly [item: unknown, bytesRead: number]>;
}

/** How objects are written in requests and answers. Malformed bytes make its methods throw. */
export interface ContentFormat {
  /** In messages, such as `JSON`. */
  readonly name: string;
  readonly mediaType: string;
  encode(object: unknown): string | Uint8Array;
  decode(body: Buffer): unknown;
  /** `items` throws at a malformed item. */
  openList(body: Buffer): Promise<OpenedList>;
  /** For the body of one watch. */
  eventEnds(): FindEventEnd;
  /**
   * Undefined for bytes without an event, such as an empty line. `managedFields: false`: the caller does not need those
   * of the object.
   */
  decodeEvent(bytes: Buffer, options: { readonly managedFields: boolean }): unknown;
}
