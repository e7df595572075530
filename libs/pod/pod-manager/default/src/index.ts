import 'reflect-metadata'; // tsyringe refuses to load without it

export { createPodManager, MemoryPodManager } from './memory-pod-manager.js';
export { podManagerModule } from './memory-pod-manager.module.js';
