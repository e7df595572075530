import { runProgram } from '@podwright/kubelet-assembly';
import { kubeletProgram } from './kubelet-program.js';

runProgram(kubeletProgram);
