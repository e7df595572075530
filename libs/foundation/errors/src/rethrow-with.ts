import { KubeletError, messageOf } from './kubelet-error.js';

/** For `catch`: rethrows what was thrown with these words and a colon before its message, and with its code. */
export function rethrowWith(words: string): (cause: unknown) => never {
  return (cause) => {
    throw new KubeletError(`${words}: ${messageOf(cause)}`, { code: KubeletError.from(cause).code, cause });
  };
}
