import { afterEach } from '@jest/globals';
import { describeLogRotationContract } from '@podwright/log-rotation-interface/contract';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { LogNode } from './fixtures/log-node.js';

const nodes: LogNode[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.dispose();
});

describeLogRotationContract('GzipLogRotation', async () => {
  const node = await LogNode.create();
  nodes.push(node);
  return {
    rotation: node.rotation(),
    addContainer: (name, state) => node.add(name, state),
    write: (name, text) => node.write(name, text),
    refuseReopening: () => node.onReopen.set('app', () => Promise.reject(new Error('not now'))),
    files: (name) => node.files(name),
    content: (name, file) => node.content(name, file),
    remove: (name, file) => rm(path.join(node.folder(name), file)),
    put: (name, file, text) => node.put(name, file, text),
    pass: (ms) => node.pass(ms),
    pendingTimers: () => node.clock.pendingTimers,
  };
});
