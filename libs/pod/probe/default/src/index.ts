import 'reflect-metadata'; // tsyringe refuses to load without it

export { ProbelessManager, createProbelessManager } from './probeless-manager.js';
export { probeModule } from './probeless-manager.module.js';
