import { decodeCheckpoint } from '@podwright/checkpoint';
import { cpuCheckpointFormats } from '../../../libs/resources/cpu-manager/default/src/state/cpu-checkpoint.js';
import {
  decodeDeviceCheckpoint,
  encodeDeviceCheckpoint,
} from '../../../libs/resources/device-manager/default/src/checkpoint/device-checkpoint.js';
import {
  decodeClaimCheckpoint,
  encodeClaimCheckpoint,
} from '../../../libs/resources/dra/default/src/checkpoint/claim-checkpoint.js';
import { memoryCheckpointFormats } from '../../../libs/resources/memory-manager/default/src/state/memory-checkpoint.js';
import {
  decodeResourceCheckpoint,
  encodeResourceCheckpoint,
} from '../../../libs/pod/allocation/default/src/state/resource-checkpoint.js';
import {
  decodeCheckpointFile,
  encodeCheckpointLine,
} from '../../../libs/pod/pod-checkpoint/default/src/checkpoint-file-format.js';
import { decodeMapping, encodeMapping } from '../../../libs/runtime/user-namespace/default/src/mapping-file.js';
import { decodeIntent, decodeRecord } from '../../../libs/runtime/image-pull-records/default/src/record-format.js';
import { parseRecording } from '../../../libs/node/flight-recorder/default/src/read/read-recording.js';
import { decodeObject } from '../../../libs/control-plane/local-objects/default/src/disk/object-file-format.js';
import { objectFileName } from '../../../libs/control-plane/local-objects/default/src/disk/object-file-name.js';
import { decodePending } from '../../../libs/control-plane/local-objects/default/src/disk/pending-transaction.js';
import {
  nonceBytes,
  seal,
  sealedFileName,
  unseal,
} from '../../../libs/control-plane/offline-objects/default/src/sealed-file.js';
import { parseEntry } from '../../../libs/node/journal/default/src/disk/segment-reader.js';
import { decodeHealthFile } from '../../../libs/resources/dra/default/src/health/health-file.js';
import { eachOf, fuzzTarget, refusesAs, refusesInput, text } from '../fuzz-target.js';

// A checksum that any content has, so that the fuzzer gets behind it.
const unchecked = <T extends object>(format: T): T => ({ ...format, acceptZero: true });
const ref = { kind: 'Secret', namespace: 'n', name: 'a' } as const;
const { run, seed } = eachOf({
  cpu: text((each) => decodeCheckpoint(each, unchecked(cpuCheckpointFormats.v3), 'cpu_manager_state')),
  memory: text((each) => decodeCheckpoint(each, unchecked(memoryCheckpointFormats.v2), 'memory_manager_state')),
  devices: text((each) => decodeDeviceCheckpoint(each, () => undefined)),
  claims: text(decodeClaimCheckpoint),
  resources: text(decodeResourceCheckpoint),
  pod: text(decodeCheckpointFile),
  podBody: text((each) => decodeCheckpointFile(encodeCheckpointLine('u', [['part', each]]))),
  mapping: text(decodeMapping),
  intent: text(decodeIntent),
  record: text(decodeRecord),
  journal: text((each) => each.split('\n').map(parseEntry)),
  health: text(decodeHealthFile),
  object: text((each) => decodeObject('Secret', objectFileName('n', 'a'), each)),
  pending: text(decodePending),
  sealed: (each) => unseal(Buffer.alloc(32), sealedFileName(ref), each),
  recording: text((each) => parseRecording(each, (problem) => new Error(problem))),
});
const said = refusesAs('Error', 'SyntaxError');

export const target = fuzzTarget({
  name: 'state-files',
  reads: 'checkpoints and state files of the managers, objects kept on disk, records of pulls, journals, recordings',
  seeds: () => [
    seed(
      'cpu',
      '{"policyName":"static","defaultCpuSet":"0-1","entries":{"p":{"c":"2"}},"podEntries":{"p":{"cpuSet":"3"}},"checksum":0}',
    ),
    seed(
      'memory',
      '{"policyName":"Static","machineState":{"0":{"numberOfAssignments":1,"memoryMap":{"memory":{"total":5,"systemReserved":0,"allocatable":5,"reserved":1,"free":4}},"cells":[0]}},"entries":{"p":{"c":[{"numaAffinity":[0],"type":"memory","size":1}]}},"checksum":0}',
    ),
    seed('devices', encodeDeviceCheckpoint({ allocations: [], registered: { 'a/b': ['d'] } })),
    seed('claims', encodeClaimCheckpoint([])),
    seed('resources', encodeResourceCheckpoint(new Map([['p', { containers: { c: { requests: { cpu: '1' } } } }]]))),
    seed(
      'pod',
      encodeCheckpointLine('u', [
        ['a', '{"b":1}'],
        ['c', undefined],
      ]),
    ),
    seed('podBody', '{"b":[1]}'),
    seed('mapping', encodeMapping({ firstId: 65536, length: 65536 })),
    seed(
      'record',
      '{"kind":"ImagePulledRecord","apiVersion":"kubelet.config.k8s.io/v1beta1","lastUpdatedTime":"2026-01-01T00:00:00Z","imageRef":"a","credentialMapping":{"b":{"nodePodsAccessible":true}}}',
    ),
    seed('intent', '{"kind":"ImagePullIntent","apiVersion":"kubelet.config.k8s.io/v1beta1","image":"a"}'),
    seed('journal', '{"kind":"journal.opened","seq":1,"atMs":5}\n{"kind":"a","se'),
    seed(
      'health',
      '{"d":{"Devices":{"p/a":{"PoolName":"p","DeviceName":"a","Health":"Healthy","LastUpdated":"2026-01-01T00:00:00Z","HealthCheckTimeout":30000000000,"Message":""}}}}',
    ),
    seed(
      'object',
      '{"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"n","name":"a","uid":"u","creationTimestamp":"2026-01-01T00:00:00Z","resourceVersion":"7"},"data":{"k":"YQ=="}}',
    ),
    seed('pending', '{"steps":[{"file":"pods/a","staged":"pods/.a.1"},{"file":"secrets/b"}]}'),
    seed('sealed', seal({ key: Buffer.alloc(32), nonce: Buffer.alloc(nonceBytes) }, { ref, json: '{}', savedAtMs: 5 })),
    seed('recording', '{"t":"recording","version":1,"startedAtMs":0}\n{"t":"x"}\n'),
  ],
  run,
  // Some of these decoders leave it to their callers to name the file.
  refuses: (error) => refusesInput(error) || said(error),
});
