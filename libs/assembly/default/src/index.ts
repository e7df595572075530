export { assemble, AssemblyError, checkAssembly, createAssembler } from './assemble.js';
export type { AssemblerOptions } from './assemble.js';
export { assemblyApiVersion } from './assembly-file.js';
export type { AssemblyChange, DecodedAssemblyFile } from './assembly-file.js';
export { formatFaults } from './format-faults.js';
export { isFilePath } from './import-modules.js';
export type { ImportModule } from './native-import.js';
export { readAssemblyFile } from './read-assembly-file.js';
export { toMermaid } from './to-mermaid.js';
