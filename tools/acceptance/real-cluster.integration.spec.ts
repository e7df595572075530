import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from '@jest/globals';
import { labSupport } from '@podwright/lab';
import { missingProgram, RealApiServer } from '@podwright/test-apiserver/real';
import { describeClusterCases } from './cluster-cases.js';
import { describeKubectlCases } from './kubectl-cases.js';
import { useLab } from './test-lab.js';

const assets = process.env['KUBEBUILDER_ASSETS'] ?? '';
const support = labSupport();
const missing = support.ok
  ? missingProgram(assets, (program) => existsSync(path.join(assets, program)))
  : support.reason;

if (missing !== undefined) {
  describe.skip(`a node of a cluster with a real API server (skipped: ${missing})`, () => {
    it('runs the same cases', () => undefined);
  });
} else {
  describe('a node of a cluster with a real API server', () => {
    describeClusterCases(useLab(), () => RealApiServer.start(assets));
  });
  describe('containers through kubectl and a real API server', () => {
    describeKubectlCases(useLab(), () => RealApiServer.start(assets));
  });
}
