import type { ContainerState, ContainerStatus } from '@podwright/kube-types';
import { rfc1123Time } from '../output/rfc1123-time.js';
import type { Description } from './description.js';

export function describeState(description: Description, status: ContainerStatus): void {
  describeOne(description, 'State', status.state);
  if (status.lastState?.terminated !== undefined) describeOne(description, 'Last State', status.lastState);
  description.line(2, `Ready:\t${status.ready ? 'True' : 'False'}`);
  description.line(2, `Restart Count:\t${status.restartCount}`);
}

/** Source: kubernetes v1.36 kubectl/pkg/describe/describe.go describeStatus. */
function describeOne(description: Description, title: string, state: ContainerState = {}): void {
  const { running, waiting, terminated } = state;
  if (running !== undefined) {
    description.line(2, `${title}:\tRunning`);
    description.line(3, `Started:\t${rfc1123Time(running.startedAt)}`);
    return;
  }
  if (waiting !== undefined || terminated === undefined) {
    description.line(2, `${title}:\tWaiting`);
    if ((waiting?.reason ?? '') !== '') description.line(3, `Reason:\t${waiting?.reason ?? ''}`);
    return;
  }
  const { reason = '', message = '', exitCode, signal = 0, startedAt, finishedAt } = terminated;
  description.line(2, `${title}:\tTerminated`);
  if (reason !== '') description.line(3, `Reason:\t${reason}`);
  if (message !== '') description.line(3, `Message:\t${message}`);
  description.line(3, `Exit Code:\t${exitCode}`);
  if (signal > 0) description.line(3, `Signal:\t${signal}`);
  description.line(3, `Started:\t${rfc1123Time(startedAt)}`);
  description.line(3, `Finished:\t${rfc1123Time(finishedAt)}`);
}
