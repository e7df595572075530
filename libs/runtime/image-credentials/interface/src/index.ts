export { IMAGE_CREDENTIALS } from './image-credentials.js';
export type { CredentialSource, ImageCredentials, TrackedCredential } from './image-credentials.js';
