export { formValues } from './form-values.js';
export type { FormRequest } from './form-values.js';
export { requestTarget } from './request-target.js';
export type { RequestTarget } from './request-target.js';
export type { RoutePath } from './route-pattern.js';
export { Router } from './router.js';
export type { Routed } from './router.js';
