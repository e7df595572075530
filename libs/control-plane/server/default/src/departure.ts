import type { ServerResponse } from 'node:http';

/** Tells work for a client that the client has gone. One per answer. */
export class Departure {
  private gone: boolean;
  private tell: () => void = () => undefined;

  constructor(response: ServerResponse) {
    this.gone = response.destroyed;
    response.once('close', () => {
      this.gone = true;
      this.tell();
    });
  }

  /**
   * Resolves with what the promise resolves with, or with `gone` as soon as the client has gone; rejects as the promise does. One
   * call at a time. Nothing of a call is kept after its end: a race against one promise for the whole answer would hold every piece
   * that was ever written until the client goes.
   */
  before<T>(promise: Promise<T>): Promise<T | 'gone'> {
    return new Promise((resolve, reject) => {
      this.tell = () => resolve('gone');
      promise.then(resolve, reject);
      if (this.gone) this.tell();
    });
  }
}
