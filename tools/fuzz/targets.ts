import type { FuzzTarget } from './fuzz-target.js';
import { target as apiAnswers } from './targets/api-answers.js';
import { target as assemblyFiles } from './targets/assembly-files.js';
import { target as certificates } from './targets/certificates.js';
import { target as criAnswers } from './targets/cri-answers.js';
import { target as httpAnswers } from './targets/http-answers.js';
import { target as httpRequests } from './targets/http-requests.js';
import { target as imageCredentials } from './targets/image-credentials.js';
import { target as kernelFiles } from './targets/kernel-files.js';
import { target as kubeconfigs } from './targets/kubeconfigs.js';
import { target as kubeletConfiguration } from './targets/kubelet-configuration.js';
import { target as logLines } from './targets/log-lines.js';
import { target as patches } from './targets/patches.js';
import { target as pluginAnswers } from './targets/plugin-answers.js';
import { target as podManifests } from './targets/pod-manifests.js';
import { target as quantities } from './targets/quantities.js';
import { target as spdyFrames } from './targets/spdy-frames.js';
import { target as stateFiles } from './targets/state-files.js';
import { target as textValues } from './targets/text-values.js';
import { target as volumeState } from './targets/volume-state.js';
import { target as websocketFrames } from './targets/websocket-frames.js';

/** All targets, as the table lists them. A target's name is that of its file. */
export const targets: readonly FuzzTarget[] = [
  podManifests,
  assemblyFiles,
  kubeletConfiguration,
  kubeconfigs,
  imageCredentials,
  apiAnswers,
  criAnswers,
  pluginAnswers,
  httpRequests,
  httpAnswers,
  spdyFrames,
  websocketFrames,
  certificates,
  stateFiles,
  volumeState,
  patches,
  logLines,
  kernelFiles,
  quantities,
  textValues,
];
