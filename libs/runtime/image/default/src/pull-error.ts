import { KubeletError, rpcErrorText } from '@podwright/errors';

/** Text of a failed pull: as {@link rpcErrorText}, but without the prefix for an error of unknown code, as upstream. */
export function pullErrorText(error: unknown): string {
  const { code, message } = KubeletError.from(error);
  return code === 'unknown' ? message : rpcErrorText(error);
}

/**
 * Waiting reason and message of a failed pull. Runtimes report two special cases through the first word of the error.
 * Source: kubernetes v1.36 pkg/kubelet/images/image_manager.go, evalCRIPullErr.
 */
export function classifyPullError(image: string, text: string): { readonly reason: string; readonly message: string } {
  for (const [reason, because] of specialErrors) {
    if (!text.startsWith(reason)) continue;
    return { reason, message: `image pull failed for ${image} because ${because}${text.slice(reason.length)}` };
  }
  return { reason: 'ErrImagePull', message: text };
}

const specialErrors = [
  ['RegistryUnavailable', 'the registry is unavailable'],
  ['SignatureValidationFailed', 'the signature validation failed'],
] as const;
