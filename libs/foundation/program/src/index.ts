export { runProgram } from './run-program.js';
export type { ProgramCommand, ProgramEnd, ProgramRun, RunProgram } from './run-program.js';
export { endStrayPrograms, runMarkedProgram } from './run-marked-program.js';
export { runTool } from './run-tool.js';
export type { ToolRun } from './run-tool.js';
export { launchTool, toolLauncher } from './tool-launcher.js';
export type { LaunchTool } from './tool-launcher.js';
