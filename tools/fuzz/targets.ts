import type { FuzzTarget } from './fuzz-target.js';
import { target as podManifests } from './targets/pod-manifests.js';
import { target as quantities } from './targets/quantities.js';
import { target as spdyFrames } from './targets/spdy-frames.js';

/** All targets, as the table lists them. A target's name is that of its file. */
export const targets: readonly FuzzTarget[] = [podManifests, quantities, spdyFrames];
