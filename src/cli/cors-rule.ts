/** What browsers need of the bucket: forms are sent to it, and signed addresses read from it, by pages of other origins. */
import type { Config } from '../config.js';

/** As `aws s3api put-bucket-cors --cors-configuration` takes it. */
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
      ExposeHeaders: [
        'ETag',
        'Content-Length',
        'Content-Range',
        'Accept-Ranges',
        'Content-Disposition',
      ],
      MaxAgeSeconds: 3600,
    },
  ],
});

/** The origins of pages that use the service: its own and those of `CORS_ORIGINS`. A free port has none yet. */
export function originsOf({ baseUrl, host, port, corsOrigins }: Config): string[] {
  const own =
    baseUrl ??
    (port === 0 ? undefined : `http://${host.includes(':') ? `[${host}]` : host}:${port}`);
  return [...new Set([...(own === undefined ? [] : [new URL(own).origin]), ...corsOrigins])];
}
