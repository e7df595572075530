import { createToken } from '@podwright/assembly-interface';

/**
 * Called once, with a sentence for the operator, when the kubelet has had no valid client certificate for minutes
 * although the API server answers. The process should then exit with an error, so that its next start uses the
 * bootstrap credentials. The app provides it; without it the kubelet only logs. Source: kubernetes v1.36
 * pkg/kubelet/certificate/transport.go, exitAfter.
 */
export type CredentialsLost = (reason: string) => void;

export const CREDENTIALS_LOST = createToken<CredentialsLost>('kubelet.credentials-lost/v1');
