/**
 * The CORS rule that browsers need in the bucket: pages send forms to it and read signed addresses.
 */
import type { Config } from '../config.js';
import { FILE_HEADERS } from '../contract/exposed-headers.js';
import { ownAddress } from './own-address.js';

/** The format of `aws s3api put-bucket-cors --cors-configuration`. */
export interface CorsConfiguration {
  CORSRules: {
    AllowedOrigins: string[];
    AllowedMethods: string[];
    AllowedHeaders: string[];
    ExposeHeaders: string[];
    MaxAgeSeconds: number;
  }[];
}

export const corsRule = (origins: readonly string[]): CorsConfiguration => ({
  CORSRules: [
    {
      AllowedOrigins: [...origins],
      AllowedMethods: ['POST', 'GET', 'HEAD'],
      AllowedHeaders: ['*'],
      ExposeHeaders: FILE_HEADERS,
      MaxAgeSeconds: 3600,
    },
  ],
});

/** The origins of pages that use the service: its own and those of `CORS_ORIGINS`. */
export function originsOf(config: Config): string[] {
  const own = ownAddress(config);
  return [...new Set([...(own === undefined ? [] : [new URL(own).origin]), ...config.corsOrigins])];
}
