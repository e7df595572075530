import type { ServerResponse } from 'node:http';

/** Interrupts a wait when the client disconnects. Create one per answer. */
export class ClientDisconnect {
  private gone: boolean;
  private notify: () => void = () => undefined;

  constructor(response: ServerResponse) {
    this.gone = response.destroyed;
    response.once('close', () => {
      this.gone = true;
      this.notify();
    });
  }

  /**
   * Settles as the promise does, or resolves with `gone` as soon as the client has disconnected. One call at a time.
   * Not a `Promise.race` against one promise for the whole answer: that would keep every piece in memory until the
   * client disconnects.
   */
  before<T>(promise: Promise<T>): Promise<T | 'gone'> {
    return new Promise((resolve, reject) => {
      this.notify = () => resolve('gone');
      promise.then(resolve, reject);
      if (this.gone) this.notify();
    });
  }
}
