import { runProgram } from '@podwright/kubelet-assembly';
import { standaloneProgram } from './standalone-program.js';

runProgram(standaloneProgram);
