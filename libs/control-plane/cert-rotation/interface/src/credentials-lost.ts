import { createToken } from '@podwright/assembly-interface';

/**
 * Called once, with a sentence for the operator, when the API server is there but no longer takes the kubelet's client
 * certificate, and no new one came for minutes: the process should end with an error, so that its next start can use the
 * bootstrap credentials. Provided by the app; without it nothing but a log line happens. Source: kubernetes v1.36
 * pkg/kubelet/certificate/transport.go, exitAfter.
 */
export type CredentialsLost = (reason: string) => void;

export const CREDENTIALS_LOST = createToken<CredentialsLost>('kubelet.credentials-lost/v1');
