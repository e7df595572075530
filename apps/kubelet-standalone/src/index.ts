export { standaloneProgram } from './standalone-program.js';
