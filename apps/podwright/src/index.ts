export { consoleAddress } from './client/console-address.js';
export { startFolderPrefix } from './client/started-kubelets.js';
export { runCommandLine } from './command-line.js';
export type { CommandIo } from './command-io.js';
export { processTerminal } from './streams/terminal.js';
export type { Terminal, TerminalSize } from './streams/terminal.js';
