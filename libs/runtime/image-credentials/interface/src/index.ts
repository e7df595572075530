export { IMAGE_CREDENTIALS } from './image-credentials.js';
export type { CredentialLookup, CredentialSource, ImageCredentials, TrackedCredential } from './image-credentials.js';
