import 'reflect-metadata'; // tsyringe refuses to load without it

export { createFilePodMemory, FilePodMemory } from './file-pod-memory.js';
export type { FilePodMemoryDeps } from './file-pod-memory.js';
export { FILE_POD_MEMORY_CONFIG, filePodMemoryConfigSchema } from './file-pod-memory-config.js';
export type { FilePodMemoryConfig } from './file-pod-memory-config.js';
export { filePodMemoryModule } from './file-pod-memory.module.js';
