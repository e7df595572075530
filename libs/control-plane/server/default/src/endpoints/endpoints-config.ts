import { booleanField, type ConfigField } from '@podwright/assembly-interface';

/** Switches that turn endpoints on and off. */
export interface EndpointsConfig {
  /** `/configz`, `/flagz`, `/statusz`, `/debug/flags/v` and the other modules' routes that are marked `debugging`. */
  readonly enableDebuggingHandlers: boolean;
  /** `/debug/flags/v`. */
  readonly enableDebugFlagsHandler: boolean;
  /** Feature gates ComponentFlagz and ComponentStatusz. */
  readonly flagz: boolean;
  readonly statusz: boolean;
  /** `/flagz` and `/statusz` in CBOR too. Feature gate CBORServingAndStorage. */
  readonly cbor: boolean;
}

/** The defaults are those of a KubeletConfiguration and of the feature gates. */
export const endpointsFields: { readonly [Name in keyof EndpointsConfig]: ConfigField<EndpointsConfig[Name]> } = {
  enableDebuggingHandlers: booleanField(true),
  enableDebugFlagsHandler: booleanField(true),
  flagz: booleanField(true),
  statusz: booleanField(true),
  cbor: booleanField(false),
};
