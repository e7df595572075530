import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { FLIGHT_RECORDER } from '@podwright/flight-recorder-interface';
import { SERVER_ROUTES } from '@podwright/server-interface';
import { recordedSeams } from './decorations.js';
import { FileFlightRecorder, flightRecorderNeeds, type FlightRecorderNeeds } from './file-flight-recorder.js';
import { flightRecorderRoutes } from './flight-recorder-routes.js';
import { flightRecorderConfigSchema, type FlightRecorderConfig } from './flight-recorder-config.js';

/** Stands between the seams' providers and everybody else. No module requires it, so an assembly file may omit it. */
export const flightRecorderModule = defineModule({
  name: '@podwright/flight-recorder',
  provides: [FLIGHT_RECORDER],
  needs: flightRecorderNeeds,
  config: flightRecorderConfigSchema,
  create: (deps: FlightRecorderNeeds, config: FlightRecorderConfig) => new FileFlightRecorder(deps, config),
  decorates: recordedSeams,
  contributes: [contribution(SERVER_ROUTES, flightRecorderRoutes)],
});

/** Creates one without an assembly: it records only what its `tape` is given. */
export const createFileFlightRecorder = factoryOf(flightRecorderModule);
