export { ProbelessManager, createProbelessManager } from './probeless-manager.js';
export { probeModule } from './probeless-manager.module.js';
