export type { LogFields, Logger } from './logger.js';
