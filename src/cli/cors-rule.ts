/**
 * The CORS rule that browsers need in the bucket: pages send forms to it and read signed addresses.
 */
import type { Config } from '../config.js';
import { FILE_HEADERS } from '../contract/exposed-headers.js';

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

/**
 * The origins of pages that use the service: its own and those of `CORS_ORIGINS`. With `PORT=0` its
 * own origin is not known yet.
 */
export function originsOf({ baseUrl, host, port, corsOrigins }: Config): string[] {
  const hostname = host.includes(':') ? `[${host}]` : host;
  const own = baseUrl ?? (port === 0 ? undefined : `http://${hostname}:${port}`);
  return [...new Set([...(own === undefined ? [] : [new URL(own).origin]), ...corsOrigins])];
}
