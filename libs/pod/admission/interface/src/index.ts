export { ADMISSION } from './admission.js';
export type { Admission, AdmissionResult } from './admission.js';
