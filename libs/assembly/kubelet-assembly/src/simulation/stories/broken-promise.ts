/** A promise of the kubelet that was broken. */
export class BrokenPromise extends Error {
  constructor(
    /** Which, in a few words that are the same in each story. */
    readonly promise: string,
    message: string,
  ) {
    super(message);
  }
}
