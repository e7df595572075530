import { createToken, defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface ServerConfig {
  /** Listen address of the read-only port. */
  readonly address: string;
  /** Port of the unauthenticated read-only listener; 0 = off. */
  readonly readOnlyPort: number;
  readonly healthzBindAddress: string;
  /** Port of /healthz; 0 = off. */
  readonly healthzPort: number;
}

export const SERVER_CONFIG = createToken<ServerConfig>('kubelet.server.config/v1');

const port = (fallback: number) => integerField(fallback, { min: 0, max: 65535 });

export const serverConfig = defineConfig<ServerConfig>(SERVER_CONFIG, {
  address: stringField('0.0.0.0'),
  readOnlyPort: port(0),
  healthzBindAddress: stringField('127.0.0.1'),
  healthzPort: port(10248),
});
