export { hasInTreeSource, translateInline, translatePersistentVolume } from './translate.js';
