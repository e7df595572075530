import 'reflect-metadata'; // tsyringe refuses to load without it
export { createContainerRef, SpecContainerRef } from './spec-container-ref.js';
export { containerRefModule } from './spec-container-ref.module.js';
