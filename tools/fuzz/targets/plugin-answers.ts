import { devicePluginMethods } from '../../../libs/resources/device-manager/default/src/generated/client-codecs.js';
import { registrationMethods as deviceRegistration } from '../../../libs/resources/device-manager/default/src/generated/server-codecs.js';
import { registrationMethods } from '../../../libs/resources/plugin-watcher/default/src/generated/client-codecs.js';
import { podResourcesListerMethods } from '../../../libs/resources/pod-resources/default/src/generated/server-codecs.js';
import { dRAPluginMethods } from '../../../libs/resources/dra/default/src/generated/dra-client-codecs.js';
import { dRAResourceHealthMethods } from '../../../libs/resources/dra/default/src/generated/dra-health-client-codecs.js';
import { podsMethods } from '../../../libs/pod/pods-api/default/src/generated/server-codecs.js';
import { nodeMethods } from '../../../libs/storage/volume-csi/default/src/generated/client-codecs.js';
import { decodeHealthStatus } from '../../../libs/pod/probe/default/src/probers/health-codec.js';
import { fuzzTarget, refusesAs, refusesInput } from '../fuzz-target.js';
import { messageOf } from '../message-shape.js';

const decoders: readonly ((message: Buffer) => unknown)[] = [
  decodeHealthStatus,
  ...[
    devicePluginMethods,
    deviceRegistration,
    registrationMethods,
    podResourcesListerMethods,
    dRAPluginMethods,
    dRAResourceHealthMethods,
    podsMethods,
    nodeMethods,
  ]
    .flatMap((methods) => Object.values<{ readonly decode: (message: Buffer) => unknown }>(methods))
    .map(({ decode }) => decode),
];

const failure = refusesAs('Error');

export const target = fuzzTarget({
  name: 'plugin-answers',
  reads:
    'answers and registrations of device, CSI and DRA plugins, of gRPC probes, and requests of the sockets for pods and resources',
  seeds: () =>
    decoders.map((_, index) =>
      Buffer.from([2 * index + 1, 6, 0, 4, 4, 3, 97, 98, 99, 6, 1, 4, 0, 1, 107, 4, 1, 1, 118, 0, 0, 1, 5, 200, 1]),
    ),
  run: (input) => {
    const first = input[0] ?? 0;
    const rest = input.subarray(1);
    decoders[(first >> 1) % decoders.length]?.((first & 1) === 0 ? rest : messageOf(rest));
  },
  // A prober shows the text of an Error.
  refuses: (error) =>
    refusesInput(error) ||
    failure(error) ||
    (error instanceof RangeError && error.message.startsWith('malformed message')),
});
